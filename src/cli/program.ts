import process from 'node:process';
import { Command, CommanderError } from 'commander';
import { VERSION } from '../app/adapters/own-files.ts';
import { EXIT } from '../app/run/exit-codes.ts';
import { balanceCommand, heartbeatsCommand, positionCommand } from './commands/exchange/account.ts';
import { completionCommand } from './commands/completion.ts';
import { configCommand } from './commands/config.ts';
import { doctorCommand } from './commands/exchange/doctor.ts';
import { initCommand } from './commands/init.ts';
import { journalCommand } from './commands/journal.ts';
import { eventsCommand, offersCommand } from './commands/exchange/market.ts';
import { historyCommand } from './commands/daemon/history.ts';
import { depositCommand, reconcileCommand } from './commands/daemon/money.ts';
import { notifyCommand } from './commands/daemon/notify.ts';
import {
  killCommand,
  pauseCommand,
  resumeCommand,
  riskCommand,
  whyCommand,
} from './commands/daemon/operate.ts';
import { closeCommand, flattenCommand, orderCommand, ordersCommand } from './commands/exchange/orders.ts';
import { runCommand, startCommand } from './commands/run.ts';
import { smokeCommand } from './commands/exchange/smoke.ts';
import { statusCommand } from './commands/daemon/status.ts';
import { simCommand } from './commands/sim.ts';
import { strategyCommand } from './commands/strategy.ts';
import { complain } from './output/complain.ts';

const EXIT_CODES = `
Exit codes: 0 done, 1 failure, 2 wrong usage, 69 something is unavailable,
74 killed, and written down nowhere, 77 key refused, 78 bad configuration`;

/** The `touchline` command with all its subcommands. Throws CommanderError for wrong usage instead of exiting. */
export function createProgram(): Command {
  const program = new Command('touchline')
    .description('A market-making daemon for sports exchanges, with the exchange built in')
    .version(VERSION)
    .addHelpText('after', EXIT_CODES)
    .showHelpAfterError('(--help tells more)');
  const commands = [
    initCommand(),
    startCommand(),
    runCommand(),
    simCommand(),
    configCommand(),
    journalCommand(),
  ];
  commands.push(statusCommand(), killCommand(), pauseCommand(), resumeCommand(), whyCommand(), riskCommand());
  commands.push(historyCommand(), reconcileCommand(), depositCommand());
  commands.push(
    doctorCommand(),
    smokeCommand(),
    eventsCommand(),
    offersCommand(),
    balanceCommand(),
    positionCommand(),
  );
  commands.push(ordersCommand(), orderCommand(), closeCommand(), flattenCommand(), heartbeatsCommand());
  commands.push(strategyCommand(), notifyCommand(), completionCommand(program));
  for (const command of commands) program.addCommand(command);
  for (const command of [program, ...program.commands.flatMap((c) => [c, ...c.commands])])
    command.exitOverride();
  return program;
}

/** Runs the command that the arguments name, prints errors on stderr, and resolves to the exit code. Never throws. */
export async function invoke(argv: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(argv);
    return typeof process.exitCode === 'number' ? process.exitCode : EXIT.ok;
  } catch (error) {
    // Commander has already printed the fault in the arguments.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return complain(error);
  }
}
