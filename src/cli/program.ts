import process from 'node:process';
import { Command, CommanderError, type OutputConfiguration } from 'commander';
import { VERSION } from '../app/adapters/own-files.ts';
import { EXIT } from '../app/run/exit-codes.ts';
import { HELP } from './input/help.ts';
import { complain } from './output/complain.ts';

const EXIT_CODES = `
Exit codes: 0 done, 1 failure, 2 wrong usage, 69 something is unavailable,
74 killed, and not recorded, 77 key refused, 78 bad configuration`;

/**
 * Makes a command: its options and its help. The module of a command imports nothing that takes long to load. What the command does is
 * loaded when it runs, so a question does not wait for the exchange and the engine.
 */
type Maker = (program: Command) => Promise<Command>;

const operate = () => import('./commands/daemon/operate.ts');
const money = () => import('./commands/daemon/money.ts');
const run = () => import('./commands/run.ts');

/** Every command by its name, in the order of the help. */
const COMMANDS: ReadonlyMap<string, Maker> = new Map<string, Maker>([
  ['init', async () => (await import('./commands/init.ts')).initCommand()],
  ['start', async () => (await run()).startCommand()],
  ['run', async () => (await run()).runCommand()],
  ['sim', async () => (await import('./commands/sim.ts')).simCommand()],
  ['config', async () => (await import('./commands/config.ts')).configCommand()],
  ['journal', async () => (await import('./commands/journal.ts')).journalCommand()],
  ['status', async () => (await import('./commands/daemon/status.ts')).statusCommand()],
  ['dashboard', async () => (await import('./commands/daemon/dashboard.ts')).dashboardCommand()],
  ['kill', async () => (await operate()).killCommand()],
  ['pause', async () => (await operate()).pauseCommand()],
  ['resume', async () => (await operate()).resumeCommand()],
  ['why', async () => (await operate()).whyCommand()],
  ['risk', async () => (await operate()).riskCommand()],
  ['hedge', async () => (await import('./commands/daemon/hedge.ts')).hedgeCommand()],
  ['history', async () => (await import('./commands/daemon/history.ts')).historyCommand()],
  ['reconcile', async () => (await money()).reconcileCommand()],
  ['deposit', async () => (await money()).depositCommand()],
  ['paper', async () => (await import('./commands/paper.ts')).paperCommand()],
  ['doctor', async () => (await import('./commands/exchange/doctor.ts')).doctorCommand()],
  ['smoke', async () => (await import('./commands/exchange/smoke.ts')).smokeCommand()],
  ['prove', async () => (await import('./commands/exchange/prove.ts')).proveCommand()],
  ['exchange', async () => (await import('./commands/exchange/group.ts')).exchangeGroup()],
  ['record', async () => (await import('./commands/record.ts')).recordCommand()],
  ['data', async () => (await import('./commands/data.ts')).dataCommand()],
  ['replay', async () => (await import('./commands/replay.ts')).replayCommand()],
  ['backtest', async () => (await import('./commands/backtest.ts')).backtestCommand()],
  ['strategy', async () => (await import('./commands/strategy.ts')).strategyCommand()],
  ['notify', async () => (await import('./commands/daemon/notify.ts')).notifyCommand()],
]);

/** Describes the other commands, so it is made last, and only with all of them. */
const COMPLETION: Maker = async (program) =>
  (await import('./commands/completion.ts')).completionCommand(program);

/** Faults in the arguments look like every other error. */
const OUTPUT: OutputConfiguration = {
  outputError: (text, write) =>
    write(text.replace(/^error: /, 'touchline: ').replace(' is invalid. ', ' is invalid: ')),
};

/** Answered without any command. */
const VERSION_FLAGS: readonly (string | undefined)[] = ['-V', '--version'];

/**
 * The `touchline` command with the named subcommand, or with all of them if there is none of that name. Throws CommanderError for
 * wrong usage instead of exiting.
 */
export async function createProgram(name?: string): Promise<Command> {
  const program = new Command('touchline')
    .description('A market-making daemon for sports exchanges, with the exchange built in')
    .version(VERSION)
    .addHelpText('after', EXIT_CODES);
  const named = COMMANDS.get(name ?? '');
  const all = VERSION_FLAGS.includes(name) ? [] : [...COMMANDS.values(), COMPLETION];
  const makers = named === undefined ? all : [named];
  for (const make of makers) program.addCommand(await make(program));
  for (const command of [program, ...program.commands.flatMap((c) => [c, ...c.commands])])
    command
      .exitOverride()
      .configureHelp(HELP)
      .configureOutput(OUTPUT)
      .showHelpAfterError('(--help tells more)');
  return program;
}

/** Says which commands of that name stand below another one. */
async function tellGroupOf(name: string): Promise<void> {
  const groups = (await createProgram()).commands.filter(({ commands }) =>
    commands.some((each) => each.name() === name),
  );
  for (const group of groups) process.stderr.write(`(touchline ${group.name()} ${name} is a command)\n`);
}

/** Runs the command that the arguments name, prints errors on stderr, and resolves to the exit code. Never throws. */
export async function invoke(argv: readonly string[]): Promise<number> {
  try {
    await (await createProgram(argv[2])).parseAsync(argv);
    return typeof process.exitCode === 'number' ? process.exitCode : EXIT.ok;
  } catch (error) {
    // Commander has already printed the fault in the arguments.
    if (error instanceof CommanderError) {
      if (error.code === 'commander.unknownCommand') await tellGroupOf(argv[2] ?? '');
      return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    }
    return complain(error);
  }
}
