import process from 'node:process';
import { Command } from 'commander';
import { loadConfig } from '../../app/config/load.ts';
import { runOnExchange } from '../../app/run/run-service.ts';
import { parseDurationMs } from '../input/arguments.ts';
import { type ConfigOptions, sourcesOf, withConfigOptions } from '../input/config-options.ts';
import { openConsole } from '../output/console.ts';

interface RunOptions extends ConfigOptions {
  readonly live?: boolean;
  readonly for?: number;
  readonly json?: boolean;
  readonly takeOver?: boolean;
}

/** `touchline run`: runs the daemon against the configured exchange. */
export function runCommand(): Command {
  const command = new Command('run')
    .description('trade on the exchange that the configuration names')
    .option('--live', 'allow real money; needs mode = "live" in the configuration as well')
    .option('--take-over', 'trade although another installation was seen: you confirm that it is gone')
    .option('--for <duration>', 'stop after this time, for example 8h', parseDurationMs)
    .option('--json', 'print one JSON summary as the last line of stdout');
  return withConfigOptions(command).action(async (options: RunOptions) => {
    const read = () => loadConfig(sourcesOf(options, process.env));
    const loaded = read();
    process.exitCode = await runOnExchange({
      loaded,
      readAgain: read,
      live: options.live ?? false,
      durationMs: options.for ?? null,
      takesOver: options.takeOver ?? false,
      console: openConsole({ json: options.json ?? false, level: loaded.values.log.level }),
    });
  });
}
