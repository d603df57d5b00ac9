import process from 'node:process';
import { Command } from 'commander';
import { bundledConfig } from '../../app/adapters/own-files.ts';
import type { LoadedConfig } from '../../app/config/load.ts';
import type { RunConsole } from '../../app/run/run-signals.ts';
import { TouchlineError } from '../../domain/errors.ts';
import { MODES } from '../../domain/mode.ts';
import {
  checkFeed,
  type FeedChoice,
  feedFromOption,
  feedOption,
  parseDurationMs,
  parseInteger,
  parsePositive,
} from '../input/arguments.ts';
import {
  configForStart,
  type ConfigOptions,
  sourcesOf,
  withConfigOptions,
} from '../input/exchange-command.ts';

interface RunOptions extends ConfigOptions {
  readonly live?: boolean;
  readonly for?: number;
  readonly json?: boolean;
  readonly takeOver?: boolean;
  readonly acceptAccount?: boolean;
  readonly reset?: boolean;
}

const RESET = 'drop the parameters that were changed while an earlier run traded';

/** `touchline run`: runs the daemon against the configured exchange. */
export function runCommand(): Command {
  const command = new Command('run')
    .description('trade on the exchange that the configuration names')
    .option('--live', 'allow real money; needs mode = "live" in the configuration as well')
    .option('--take-over', 'trade although another installation was seen: you confirm that it is gone')
    .option('--accept-account', 'go on with a journal of another account: you confirm that this is meant')
    .option('--reset', RESET)
    .option('--for <duration>', 'stop after this time, for example 8h', parseDurationMs)
    .option('--json', 'print one JSON summary as the last line of stdout');
  return withConfigOptions(command).action(async (options: RunOptions) => {
    const { readConfig } = await import('../../app/config/load.ts');
    const { runOnExchange } = await import('../../app/run/run-service.ts');
    const { openConsole } = await import('../output/console.ts');
    const { failuresLogged } = await import('../output/failures.ts');
    const loaded = await configForStart(options);
    const console = await openConsole({ json: options.json ?? false, level: loaded.values.log.level });
    const run = runOnExchange({
      loaded,
      readAgain: () => readConfig(sourcesOf(options, process.env)),
      resets: options.reset ?? false,
      live: options.live ?? false,
      durationMs: options.for ?? null,
      takesOver: options.takeOver ?? false,
      acceptsAccount: options.acceptAccount ?? false,
      shows: null,
      console,
    });
    process.exitCode = await failuresLogged(console, run);
  });
}

interface StartOptions extends ConfigOptions {
  readonly for?: number;
  readonly mustQuote?: boolean;
  readonly json?: boolean;
  readonly feed: FeedChoice;
  readonly feedFrom?: number;
  readonly speed?: number;
  readonly seed?: number;
  readonly port: number;
  readonly open?: boolean;
  readonly reset?: boolean;
}

const EXAMPLES = `
Examples:
  touchline start                               trade on the modelled market until Ctrl-C
  touchline start --open                        the same, with the dashboard in a browser
  touchline start --for 60s --json              for a minute, then one JSON summary
  touchline start --feed betfair:FILE --feed-from 2022-07-11T10:30:00Z --speed 60 --for 120s --json
                                                trade on a recorded market`;

/** `touchline start`: runs the embedded exchange, and the daemon trading on it. */
export function startCommand(): Command {
  const command = new Command('start')
    .description('trade without real money: on the embedded exchange, or with mode = "paper" on real prices')
    .option('--for <duration>', 'stop after this time, for example 60s', parseDurationMs)
    .option('--must-quote', 'end with exit code 3, and say why, if nothing was quoted')
    .option('--json', 'print one JSON summary as the last line of stdout')
    .addOption(feedOption())
    .addOption(feedFromOption())
    .option('--speed <n>', 'run the market this many times faster (default: simulator.speed)', parsePositive)
    .option(
      '--seed <n>',
      'seed of the modelled market (default: simulator.seed)',
      parseInteger(0, 2 ** 31 - 1),
    )
    .option('--reset', RESET)
    .option('--open', 'open the dashboard in a browser')
    .option('--port <n>', "port of the exchange's REST and stream; 0: any", parseInteger(0, 65535), 0)
    .addHelpText('after', EXAMPLES);
  return withConfigOptions(command).action(start);
}

async function start(options: StartOptions): Promise<void> {
  checkFeed(options);
  const { readConfig } = await import('../../app/config/load.ts');
  const { runOnSimulator } = await import('../../app/run/run-simulated.ts');
  const { openConsole } = await import('../output/console.ts');
  const { failuresLogged } = await import('../output/failures.ts');
  const recorded = options.feed.kind === 'betfair';
  const files = [bundledConfig('simulated'), ...(recorded ? [bundledConfig('recorded')] : [])];
  const loaded = await configForStart(options, files);
  const console = await openConsole({ json: options.json ?? false, level: loaded.values.log.level });
  const readAgain = (): LoadedConfig => readConfig(sourcesOf(options, process.env, files));
  if (!MODES[loaded.values.mode].actsOnExchange) {
    process.exitCode = await failuresLogged(console, startPaper(options, loaded, readAgain, console));
    return;
  }
  const run = runOnSimulator({
    loaded,
    readAgain,
    resets: options.reset ?? false,
    feed: options.feed,
    feedFromMs: options.feedFrom ?? null,
    speed: options.speed ?? loaded.values.simulator.speed,
    seed: options.seed ?? loaded.values.simulator.seed,
    port: options.port,
    durationMs: options.for ?? null,
    mustQuote: options.mustQuote ?? false,
    opensBrowser: options.open ?? false,
    console,
  });
  process.exitCode = await failuresLogged(console, run);
}

/** The embedded exchange of a paper run has its prices from the configured exchange. */
async function startPaper(
  options: StartOptions,
  loaded: LoadedConfig,
  readAgain: () => LoadedConfig,
  console: RunConsole,
): Promise<number> {
  const { runOnExchange } = await import('../../app/run/run-service.ts');
  const { dashboardShown } = await import('../../app/pages/open-browser.ts');
  const { feed, feedFrom, speed, seed, port, for: durationMs = null } = options;
  if (feed.kind !== 'model' || [feedFrom, speed, seed].some((each) => each !== undefined) || port !== 0)
    throw new TouchlineError(
      'usage',
      '--feed, --feed-from, --speed, --seed and --port choose a simulated market: mode = "paper" has the real one',
    );
  return runOnExchange({
    loaded,
    readAgain,
    resets: options.reset ?? false,
    durationMs,
    mustQuote: options.mustQuote ?? false,
    console,
    live: false,
    takesOver: false,
    acceptsAccount: false,
    shows: dashboardShown(console, options.open ?? false),
  });
}
