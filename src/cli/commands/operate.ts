import process from 'node:process';
import { Command } from 'commander';
import { loadConfig } from '../../app/config/load.ts';
import type { KillReport, Operation } from '../../app/operate.ts';
import { kill, resume, riskReport, why } from '../../app/operate.ts';
import type { ConfigOptions } from '../config-options.ts';
import { sourcesOf, withConfigOptions } from '../config-options.ts';
import { EXIT } from '../exit-codes.ts';

interface OperateOptions extends ConfigOptions {
  readonly url?: string;
}

interface ReasonOptions extends OperateOptions {
  readonly reason: string;
}

const operationOf = (options: OperateOptions): Operation => ({
  config: loadConfig(sourcesOf(options, process.env)).values,
  url: options.url ?? null,
});

function operatingCommand(name: string, description: string): Command {
  const command = new Command(name).description(description);
  const url = "address of the daemon's admin interface (default: ops.host and ops.port of the configuration)";
  return withConfigOptions(command).option('--url <url>', url);
}

const print = (line: string): boolean => process.stdout.write(line + '\n');

/** `touchline kill`: no more orders, and the open ones closed, by the daemon or else by this command. */
export function killCommand(): Command {
  return operatingCommand('kill', 'stop all trading and close our orders, until somebody resumes')
    .requiredOption('--reason <text>', 'why; it is recorded')
    .action(async (options: ReasonOptions) => {
      const report = await kill(operationOf(options), options.reason);
      print(tellKill(report));
      process.exitCode = report.openOrders === 0 ? EXIT.ok : EXIT.failure;
    });
}

function tellKill({ by, openOrders, latchedIn }: KillReport): string {
  const who = by === 'daemon' ? 'the daemon is killed' : 'no daemon answered: closed our orders from here';
  const left =
    openOrders === 0 ? 'none of our orders is open' : `${openOrders ?? 'unknown how many'} still open`;
  const latch =
    latchedIn === null ? '; NOT LATCHED: a daemon that starts will trade' : `; latched in ${latchedIn}`;
  return `${who}; ${left}${latch}`;
}

/** `touchline resume`: a person's word to go on. */
export function resumeCommand(): Command {
  return operatingCommand('resume', 'trade again after a kill, or after a limit has stopped trading')
    .requiredOption('--reason <text>', 'why it is safe; it is recorded')
    .action(async (options: ReasonOptions) => {
      await resume(operationOf(options), options.reason);
      print('resumed');
    });
}

/** `touchline why`: what keeps selections from being quoted. */
export function whyCommand(): Command {
  return operatingCommand('why', 'tell what keeps a selection from being quoted, or each that is chosen')
    .argument('[selection]', 'name of a selection, or the end of one')
    .action(async (selection: string | undefined, options: OperateOptions) => {
      print(JSON.stringify(await why(operationOf(options), selection ?? null), null, 2));
    });
}

/** `touchline risk`: exposure, states, guards, refusals. */
export function riskCommand(): Command {
  return operatingCommand('risk', 'show exposure, trading states, guards and refusals').action(
    async (options: OperateOptions) => {
      print(JSON.stringify(await riskReport(operationOf(options)), null, 2));
    },
  );
}
