import { cwd } from 'node:process';
import { ConfigError } from '../../../domain/errors.ts';
import { CONTRACT, isStream, type Strategy } from '../../../strategy/contract.ts';
import { reasonOf } from '../../../lib/reason.ts';
import { problemInWords } from '../../../strategy/host.ts';
import { parseParameters } from '../../../strategy/loader.ts';
import {
  playScenario,
  type PlayOptions,
  runStrategy,
  type Scenario,
  type ScenarioInput,
  type ScenarioResult,
  SCENARIOS,
} from '../../../testing/index.ts';
import { settle } from '../../adapters/virtual-clock.ts';
import { type Escape, type EscapeKind, Traps, untrappedMs } from '../../adapters/traps.ts';
import { jsonSchemaOf, parametersOf } from '../describe.ts';
import { strategyFileNamed, type StrategyFile } from '../load.ts';
import { placeIn, thrownIn } from '../stack.ts';
import { repeats, survivesRestart } from './decisions.ts';
import { type CheckFinding, fault, fine, skipped, warning } from './finding.ts';
import { checkTypes } from './types.ts';

const CORRECT_EXPORT =
  'the default export must be what defineStrategy returns, or a function that gets the SDK and returns that';

const RELATIVE = 'a relative path counts from';

const CORRECT_FILE = 'correct the file at this line, so that Node can load it';

/** A daemon counts a call of this length as slow (`strategy.slowMs`). */
const SLOW_MS = 50;
/** The share of calls that may be slow: collecting garbage may fall into any call. */
const FAST_SHARE = 0.99;

export interface CheckOptions {
  /** As a configuration would name them. */
  readonly parameters?: object;
  /** Default: all. */
  readonly scenarios?: readonly Scenario[];
  /** Checks the types of a file. Default: the compiler that is installed beside it. */
  readonly types?: (file: string) => readonly CheckFinding[];
}

/**
 * Checks a strategy as a daemon would need it, part by part. The process must not run anything else meanwhile: real time and
 * randomness are trapped. Never throws for a fault of the strategy.
 */
export async function* checkStrategy(
  specifier: string,
  { parameters = {}, scenarios = SCENARIOS, types = checkTypes }: CheckOptions = {},
): AsyncGenerator<CheckFinding> {
  using traps = new Traps();
  let loaded: StrategyFile;
  try {
    loaded = await traps.note(() => strategyFileNamed(specifier));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    yield unloadable(error);
    return;
  }
  const { strategy, file, folder } = loaded;
  const form = isStream(strategy) ? 'stream' : 'pure';
  yield fine('contract', `${strategy.name}: ${form} form, contract ${CONTRACT}`);
  yield* types(file);
  const refusals = checkParameters(strategy, parameters);
  yield* refusals;
  if (refusals.some(({ state }) => state === 'fault') && !accepts(strategy, parameters)) return;
  try {
    yield* checkBehaviour(loaded, scenarios, { parameters }, traps);
  } catch (error) {
    const found = `the scenarios could not be played to their end: ${reasonOf(error)}`;
    yield fault('answers', found, ADVICE.threw, thrownIn(folder, error));
  }
}

function unloadable({ message, details: { where }, cause }: ConfigError): CheckFinding {
  const place = typeof where === 'string' ? where : null;
  if (cause !== undefined) return fault('contract', message, CORRECT_FILE, place);
  // Only a file that is there has a line to be corrected.
  const advice = place === null ? `name a file that exists; ${RELATIVE} ${cwd()}` : CORRECT_EXPORT;
  return fault('contract', message, advice, place);
}

function accepts(strategy: Strategy, parameters: object): boolean {
  try {
    parseParameters(strategy, parameters);
    return true;
  } catch {
    return false;
  }
}

function checkParameters(strategy: Strategy, parameters: object): CheckFinding[] {
  const check = 'parameters';
  const advice = 'give each parameter a default with .default(…), or name it with --param';
  try {
    parseParameters(strategy, {});
    parseParameters(strategy, parameters);
  } catch (error) {
    return [fault(check, (error as Error).message, advice)];
  }
  const names = parametersOf(strategy.parameters).map(({ name }) => name);
  const { properties, additionalProperties } = jsonSchemaOf(strategy.parameters);
  if (properties !== undefined && additionalProperties !== false)
    return [
      fault(
        check,
        'the schema ignores names that it does not know, so a misspelt parameter has no effect',
        'make the schema with z.strictObject({ … })',
      ),
    ];
  return [fine(check, `${names.length} with defaults${names.length > 0 ? `: ${names.join(', ')}` : ''}`)];
}

async function* checkBehaviour(
  { strategy, folder }: StrategyFile,
  scenarios: readonly Scenario[],
  options: PlayOptions,
  traps: Traps,
): AsyncGenerator<CheckFinding> {
  // Whatever loads a module uses clocks, too; the author's uses have a frame in the author's folder.
  const isAuthors = ({ stack }: Escape): boolean => placeIn(folder, stack) !== null;
  const atLoad = traps.takeEscapes().filter((escape) => escape.kind !== 'files' && isAuthors(escape));
  const results = traps.hold(() => scenarios.map((scenario) => playScenario(strategy, scenario, options)));
  const atPlay = traps.takeEscapes();
  const strays = await straysOf(strategy, results[0]?.inputs ?? [], options, traps);
  const escapes = [...atLoad, ...atPlay, ...traps.takeEscapes().filter(isAuthors)];
  yield* answersOf(results, folder);
  yield quotesOf(results);
  yield* escapesOf(escapes, strays, folder);
  const durations: number[] = [];
  const timed = { ...options, observer: stopwatch(durations) };
  const differing = traps.hold(() =>
    scenarios.flatMap((scenario, i) => repeats(strategy, scenario, results[i] as ScenarioResult, timed)),
  );
  yield* orFine(
    differing,
    'determinism',
    `${results.length} scenarios go the same when they are played again`,
  );
  const isComparable = differing.length === 0;
  const lost = traps.hold(() =>
    isComparable ? results.flatMap((result) => survivesRestart(strategy, result, options)) : [],
  );
  const same = 'a stop and a start between two views change no decision';
  yield* isComparable
    ? orFine(lost, 'restart', same)
    : [skipped('restart', 'not comparable without determinism')];
  yield speedOf(durations);
}

/** Views after which promises of the strategy may settle. */
const WAITED_FOR = 60;

/** How often the strategy emits although nothing is delivered to it. */
async function straysOf(
  strategy: Strategy,
  inputs: readonly ScenarioInput[],
  options: PlayOptions,
  traps: Traps,
): Promise<number> {
  let strays = 0;
  const run = runStrategy(strategy, { ...options, onStray: () => void strays++ });
  traps.hold(() => {
    for (const input of inputs.slice(0, 2 * WAITED_FOR)) if (input.kind === 'view') run.view(input.view);
  });
  await traps.note(settle);
  run.stop();
  return strays;
}

const orFine = (faults: readonly CheckFinding[], check: string, found: string): readonly CheckFinding[] =>
  faults.length > 0 ? faults : [fine(check, found)];

/** What an attempt to change a frozen object says. */
const CHANGES_VIEW = /read only property|not extensible|Cannot (delete|define|add) property/;

const ADVICE = {
  threw: 'handle this case, or return no quotes for it',
  'invalid-intent': 'return only intents that the exchange can place',
  'self-cross': 'keep every for quote of a selection above its against quotes',
  completed: 'let the stream end with view$, not before',
  'owner-absent': 'start the strategy that owns the event',
  'too-many-intents': 'return the quotes that count most, some for each selection',
  'too-many-emissions': 'wait longer between timers, and emit only what changes',
  'too-many-lines': 'log changes instead of every view',
  slow: 'do less in a view: every quote waits for it',
  'hedge-refused':
    'a hedge needs prices and must not worsen the event: want it again under the same id, or another end',
};

function answersOf(results: readonly ScenarioResult[], folder: string): readonly CheckFinding[] {
  const seen = new Set<string>();
  const faults = results.flatMap(({ scenario, problems }) =>
    problems.flatMap(({ kind, message, times, firstAtS, error, refused }) => {
      if (seen.has(`${kind} ${message}`)) return [];
      seen.add(`${kind} ${message}`);
      const where = thrownIn(folder, error);
      if (kind === 'threw' && CHANGES_VIEW.test(message))
        return [
          fault('view', `it changes the view, which is frozen: ${message}`, 'copy what you change', where),
        ];
      const found = `${kind}: ${problemInWords({ message, ...(refused && { refused }) })} (scenario ${scenario}, first at second ${firstAtS}, ${times} times)`;
      // Whether a hedge can be made depends on the market.
      const finding = kind === 'hedge-refused' ? warning : fault;
      return [finding('answers', found, ADVICE[kind], where)];
    }),
  );
  const views = results.reduce((sum, result) => sum + result.views, 0);
  return orFine(faults, 'answers', `${views} views in ${results.length} scenarios, every answer valid`);
}

/** A strategy that wants nothing in any scenario passes every other part. */
function quotesOf(results: readonly ScenarioResult[]): CheckFinding {
  const turns = results.flatMap((result) => result.turns);
  const quoting = turns.filter(({ intents }) => intents.length > 0).length;
  if (quoting > 0) return fine('quotes', `it quotes in ${quoting} of ${turns.length} views`);
  const found = `it quoted nothing in ${turns.length} views of ${results.length} scenarios`;
  return warning('quotes', found, 'see that its conditions can be met, and set its parameters with --param');
}

const INSTEAD: Readonly<Record<EscapeKind, string>> = {
  timer: 'wait with context.time or context.scheduler',
  clock: 'read view.nowMs, or context.scheduler.now() for durations',
  randomness: 'draw from context.random',
  network: 'bring prices in through a price source: a strategy has no network',
  files: 'take values from parameters: a strategy reads and writes no files while it quotes',
};

function escapesOf(escapes: readonly Escape[], strays: number, folder: string): readonly CheckFinding[] {
  const faults = new Map<string, CheckFinding>();
  for (const { kind, what, stack } of escapes) {
    const where = placeIn(folder, stack);
    faults.set(`${what} ${where}`, fault('time', `it uses ${what}`, INSTEAD[kind], where));
  }
  const found = [...faults.values()];
  if (strays > 0)
    found.push(
      fault(
        'time',
        'its stream emits outside the daemon’s time, as after a promise',
        'emit at once, or wait with context.time',
      ),
    );
  return orFine(found, 'time', 'no real timer, clock, randomness, network or file');
}

function stopwatch(durations: number[]) {
  let startMs = 0;
  return {
    onCall: () => void (startMs = untrappedMs()),
    onReturn: () => void durations.push(untrappedMs() - startMs),
  };
}

/** Judges how long calls took, in milliseconds. */
export function speedOf(durations: readonly number[]): CheckFinding {
  const sorted = [...durations].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const [median, high, longest] = [0.5, FAST_SHARE, 1].map((share) => at(share).toFixed(2));
  const found = `${sorted.length} calls: ${median} ms in the middle, ${high} ms at 99 %, ${longest} ms at most`;
  if (at(FAST_SHARE) < SLOW_MS) return fine('speed', found);
  const advice = `compute less in a call: every order waits for it, and ${SLOW_MS} ms counts as slow`;
  return fault('speed', found, advice);
}
