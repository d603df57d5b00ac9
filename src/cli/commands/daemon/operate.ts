import process from 'node:process';
import { Argument, Command, Option } from 'commander';
import type { Operation, ResumeReport, StateReport, WhyAnswer } from '../../../app/operate/operate.ts';
import { EXIT } from '../../../app/run/exit-codes.ts';
import { TouchlineError } from '../../../domain/errors.ts';
import { fullSelectionName } from '../../../domain/selection-name.ts';
import { didYouMean } from '../../../lib/nearest.ts';
import type { AdjustWish, Ending, StateWish } from '../../../ops/commands/controls.ts';
import {
  parseAddress,
  parseDurationMs,
  parseInteger,
  parsePositive,
  parseText,
} from '../../input/arguments.ts';
import { type ConfigOptions, configOf, IDS, withConfigOptions } from '../../input/exchange-command.ts';
import { configToReach, seekingOf } from '../../input/seeking.ts';
import { jsonText } from '../../output/output.ts';

export interface OperateOptions extends ConfigOptions {
  readonly url?: string;
  readonly tokenFile?: string;
}

interface ReasonOptions extends OperateOptions {
  readonly reason: string;
}

interface ReportOptions extends OperateOptions {
  readonly json?: boolean;
  readonly ids?: boolean;
}

/** A kill or a pause must not wait for words. */
const NO_REASON = 'no reason given';

/** How commands name a selection. */
const SELECTION =
  'its name with its event (as in "A v B: Over 2.5"), a part of it that no other selection has, or its id';

/** How a command's options reach a daemon. */
export const operationOf = (options: OperateOptions): Operation => ({
  config: () => configToReach(options, async () => (await configOf(options)).values),
  url: options.url ?? null,
  tokenFile: options.tokenFile ?? null,
  seeks: seekingOf(options, process.env),
});

/** A command that asks a running daemon. */
export function operatingCommand(name: string, description: string): Command {
  const command = new Command(name).description(description);
  const url =
    "address of the daemon's admin interface (default: admin.host and admin.port of the configuration)";
  const file = 'file that holds a token of the daemon (default: the one that the daemon made)';
  return withConfigOptions(command)
    .option('--url <url>', url, parseAddress)
    .option('--token-file <path>', file, parseText);
}

const operate = () => import('../../../app/operate/operate.ts');
const views = () => import('../../output/operate-view.ts');

const print = (line: string): boolean => process.stdout.write(line + '\n');

function printReport<T>(
  { json, ids = false }: ReportOptions,
  answer: T,
  render: (answer: T, ids: boolean) => readonly string[],
): void {
  if (json === true) print(jsonText(answer, 2));
  else for (const line of render(answer, ids)) print(line);
}

/** `touchline kill`: blocks new orders and closes the open ones, through the daemon or else by itself. */
export function killCommand(): Command {
  return operatingCommand('kill', 'stop all trading and close our orders, until a person resumes')
    .option('--reason <text>', 'the reason, which is recorded', parseText, NO_REASON)
    .action(async (options: ReasonOptions) => {
      const { kill } = await import('../../../app/operate/kill.ts');
      const { killInWords } = await import('../../../app/operate/kill-report.ts');
      const report = await kill(operationOf(options), options.reason);
      print(killInWords(report));
      const done = report.openOrders === 0 && report.latchedIn !== null;
      process.exitCode = done ? EXIT.ok : EXIT.failure;
    });
}

/** `touchline pause`: closes the orders and places none until a person resumes. */
export function pauseCommand(): Command {
  return operatingCommand('pause', 'close our orders and quote nothing, until a person resumes')
    .option('--reason <text>', 'the reason, which is recorded', parseText, NO_REASON)
    .action(async (options: ReasonOptions) => {
      const { pause } = await operate();
      const { binding, by, why: reason } = await pause(operationOf(options), options.reason);
      print(`paused: ${binding} by ${by}: ${reason}; touchline resume --reason TEXT quotes again`);
    });
}

/** `touchline resume`: a person's command to trade again. */
export function resumeCommand(): Command {
  return operatingCommand(
    'resume',
    'trade again after a kill, a pause, or a stop by a limit or the order manager; also while no daemon runs',
  )
    .requiredOption('--reason <text>', 'why it is safe, which is recorded', parseText)
    .action(async (options: ReasonOptions) => {
      const { resume } = await operate();
      const report = await resume(operationOf(options), options.reason);
      for (const line of tellResume(report)) print(line);
      process.exitCode = report.trading ? EXIT.ok : EXIT.failure;
    });
}

/** A person's stop of an event or a selection does not hold the account. */
const resumedBeside = (stops: number): string =>
  stops === 0
    ? 'resumed'
    : `resumed, except for the ${stops === 1 ? 'stop' : `${stops} stops`} still in force above`;

const REDUCING = 'NOT FREE: only orders that make the worst case better are placed';

function tellResume({ released, remaining, trading, reducing }: ResumeReport): readonly string[] {
  const nothing = released.length + remaining.length === 0 ? ['nothing was stopped'] : [];
  return [
    ...nothing,
    ...released.map((what) => `released: ${what}`),
    ...remaining.map(({ what, release }) => `still in force: ${what}; to release: ${release}`),
    trading ? resumedBeside(remaining.length) : reducing ? REDUCING : 'NOT RESUMED: nothing is traded',
  ];
}

type NamesOf = (answer: WhyAnswer) => readonly (string | undefined)[];

/** The names by which a person may mean a selection. */
const selectionNames: NamesOf = ({ event, name }) => [
  name,
  ...(event === undefined || name === undefined ? [] : [fullSelectionName(event, name)]),
];

const eventNames: NamesOf = ({ event }) => [event];

/** The same error, with the nearest name that the daemon knows, if the error is that it does not know this one. */
async function withNearest(
  operation: Operation,
  given: string,
  error: unknown,
  namesOf: NamesOf,
): Promise<unknown> {
  if (!(error instanceof TouchlineError) || error.details['unknown'] !== true) return error;
  const { why } = await operate();
  const known = await why(operation, null).catch((): readonly WhyAnswer[] => []);
  const meant = didYouMean(
    given,
    [...new Set(known.flatMap(namesOf))].filter((name) => name !== undefined),
  );
  return new TouchlineError(error.code, `${error.message}${meant}`, error.details, error);
}

/** `touchline why`: the reasons why selections are not quoted. */
export function whyCommand(): Command {
  return operatingCommand('why', 'show what keeps a selection, or every chosen one, from being quoted')
    .argument('[selection]', `${SELECTION}; or the name of an event, for each of its selections`)
    .option('--ids', IDS)
    .option('--json', 'print the whole answer as JSON')
    .action(async (selection: string | undefined, options: ReportOptions) => {
      const { why } = await operate();
      const { renderWhy } = await views();
      const operation = operationOf(options);
      const answer = await why(operation, selection ?? null).catch(async (error: unknown) => {
        throw await withNearest(operation, selection ?? '', error, selectionNames);
      });
      printReport(options, answer, renderWhy);
    });
}

/** `touchline risk`: exposure, states, guards, refusals; `touchline risk state`: sets a trading state. */
export function riskCommand(): Command {
  return operatingCommand('risk', 'show exposure, trading states, guards and refusals')
    .option('--ids', IDS)
    .option('--json', 'print the whole report as JSON')
    .action(async (options: ReportOptions) => {
      const { riskReport } = await operate();
      const { renderRisk } = await views();
      printReport(options, await riskReport(operationOf(options)), renderRisk);
    })
    .addCommand(stateCommand())
    .addCommand(adjustCommand());
}

interface EndingOptions {
  readonly for?: number;
  readonly untilStart?: boolean;
}

/** A command whose effect may end by itself. */
const withEnding = (command: Command): Command =>
  command
    .addOption(
      new Option('--for <duration>', 'it ends by itself after so long, in whole minutes, as in 15m or 2h')
        .argParser(parseDurationMs)
        .conflicts('untilStart'),
    )
    .option('--until-start', 'it ends by itself at the start of the event that is announced now');

const MINUTE_MS = 60_000;

const endingOf = ({ for: forMs, untilStart }: EndingOptions): Ending => ({
  ...(forMs === undefined ? {} : { minutes: Math.max(1, Math.round(forMs / MINUTE_MS)) }),
  ...(untilStart === true && { untilStart }),
});

interface StateOptions extends ReasonOptions, EndingOptions {
  readonly event?: string;
  readonly selection?: string;
}

const STATES = ['active', 'reducing', 'halted'] as const;

/** `touchline risk state`: sets what the account, an event or a selection may trade, until a person changes it. */
function stateCommand(): Command {
  return withEnding(
    operatingCommand(
      'state',
      'set what may be traded: on the whole account, unless an event or a selection is named',
    ),
  )
    .addArgument(
      new Argument(
        '<state>',
        'reducing allows only orders that improve the worst case; halted allows none',
      ).choices(STATES),
    )
    .addOption(
      new Option(
        '--event <name>',
        'only this event, in every sport that has it: its name, a unique part of it, or its id; with SPORT/ before it, in that sport alone',
      )
        .argParser(parseText)
        .conflicts('selection'),
    )
    .addOption(new Option('--selection <name>', `only this selection: ${SELECTION}`).argParser(parseText))
    .requiredOption('--reason <text>', 'the reason, which is recorded', parseText)
    .action(async (state: StateWish['state'], options: StateOptions, command: Command) => {
      // The outer command takes options that both commands have.
      const all = command.optsWithGlobals<StateOptions>();
      const { event, selection, reason } = all;
      const { setState } = await operate();
      const scope = {
        ...endingOf(all),
        ...(event === undefined ? {} : { event }),
        ...(selection === undefined ? {} : { selection }),
      };
      const operation = operationOf(all);
      const report = await setState(operation, { state, ...scope, reason }).catch(async (error: unknown) => {
        const namesOf = event === undefined ? selectionNames : eventNames;
        throw await withNearest(operation, event ?? selection ?? '', error, namesOf);
      });
      print(tellState(state, report));
    });
}

function tellState(state: StateWish['state'], { binding, of, by, why: reason }: StateReport): string {
  const set = `set: ${state}${of === undefined || of === 'account' ? '' : ` for ${of}`}`;
  return binding === state ? set : `${set}; but ${binding} by ${by}: ${reason}`;
}

interface AdjustOptions extends ReasonOptions, EndingOptions {
  readonly leave?: boolean;
  readonly stake?: number;
  readonly widen?: number;
}

/** `touchline risk adjust`: leaves an event as it is, scales its stakes or widens its quotes. */
function adjustCommand(): Command {
  return withEnding(
    operatingCommand('adjust', 'leave an event as it is, scale the stakes of its quotes, or widen them'),
  )
    .argument(
      '<event>',
      'its name, a unique part of it, or its id, in every sport that has it; with SPORT/ before it, in that sport alone',
    )
    .option('--leave', 'neither quote nor close what rests: orders lapse by themselves')
    .option('--no-leave', 'end that')
    .addOption(
      new Option(
        '--stake <factor>',
        'multiply the stakes of the quotes, from 0.05 to 4, before risk judges them; 1 ends that',
      ).argParser(parsePositive),
    )
    .addOption(
      new Option('--widen <ticks>', 'quote so many ticks further from fair, up to 50; 0 ends that').argParser(
        parseInteger(0, 50),
      ),
    )
    .requiredOption('--reason <text>', 'the reason, which is recorded', parseText)
    .action(async (event: string, _: AdjustOptions, command: Command) => {
      const options = command.optsWithGlobals<AdjustOptions>();
      const wish = adjustWishOf(event, options);
      const { adjust } = await operate();
      const { renderAdjustments } = await views();
      const operation = operationOf(options);
      const report = await adjust(operation, wish).catch(async (error: unknown) => {
        throw await withNearest(operation, event, error, eventNames);
      });
      for (const line of renderAdjustments(report.of, report.adjustments)) print(line);
    });
}

function adjustWishOf(event: string, options: AdjustOptions): AdjustWish {
  const { leave, stake, widen, reason } = options;
  const wishes = [
    ...(leave === undefined ? [] : [{ leave }]),
    ...(stake === undefined ? [] : [{ stakeFactor: stake }]),
    ...(widen === undefined ? [] : [{ widenTicks: widen }]),
  ];
  const [wish] = wishes;
  if (wish === undefined || wishes.length > 1)
    throw new TouchlineError('usage', 'name one of --leave, --no-leave, --stake and --widen');
  return { event, ...wish, ...endingOf(options), reason };
}
