import { ConfigError } from '../../../domain/errors.ts';
import { CONTRACT, isStream, type Strategy } from '../../../strategy/contract.ts';
import { parseParameters } from '../../../strategy/loader.ts';
import { playScenario, type PlayOptions, type ScenarioResult, SCENARIOS } from '../../../testing/index.ts';
import { settle } from '../../adapters/virtual-clock.ts';
import { type Escape, type EscapeKind, Traps } from '../../adapters/traps.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { jsonSchemaOf, parametersOf } from '../describe.ts';
import { strategyFileNamed, type StrategyFile } from '../load.ts';
import { placeIn, thrownIn } from '../stack.ts';
import { repeats, survivesRestart } from './decisions.ts';
import { type CheckFinding, fault, fine } from './finding.ts';
import { checkTypes } from './types.ts';

/** A daemon counts a call of this length as slow (`strategy.slowMs`). */
const SLOW_MS = 50;
/** The share of calls that may be slow: collecting garbage may fall into any call. */
const FAST_SHARE = 0.99;

/**
 * Checks a strategy as a daemon would need it, part by part. The process must not run anything else meanwhile: real time and
 * randomness are trapped. Never throws for a fault of the strategy.
 */
export async function* checkStrategy(
  specifier: string,
  parameters: object = {},
): AsyncGenerator<CheckFinding> {
  using traps = new Traps();
  let loaded: StrategyFile;
  try {
    loaded = await traps.watch(() => strategyFileNamed(specifier));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    yield fault('contract', error.message, 'correct the file; docs/strategies.md describes its form');
    return;
  }
  const { strategy, file, folder } = loaded;
  const form = isStream(strategy) ? 'stream' : 'pure';
  yield fine('contract', `${strategy.name}: ${form} form, contract ${CONTRACT}`);
  // Node loads a module with clocks of its own; the author's uses have a frame in the author's folder.
  const atLoad = traps.escapes.filter(
    ({ kind, stack }) => kind !== 'files' && placeIn(folder, stack) !== null,
  );
  yield* checkTypes(file);
  const refusals = checkParameters(strategy, parameters);
  yield* refusals;
  if (refusals.some(({ state }) => state === 'fault') && !accepts(strategy, parameters)) return;
  yield* checkBehaviour(loaded, { parameters }, { traps, atLoad });
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

interface Trapped {
  readonly traps: Traps;
  /** Uses of real time and randomness while the file was loaded. */
  readonly atLoad: readonly Escape[];
}

async function* checkBehaviour(
  { strategy, folder }: StrategyFile,
  options: PlayOptions,
  { traps, atLoad }: Trapped,
): AsyncGenerator<CheckFinding> {
  let strays = 0;
  const before = traps.escapes.length;
  const results = await traps.watch(async () => {
    const watched = { ...options, onStray: () => void strays++ };
    const played = SCENARIOS.map((scenario) => playScenario(strategy, scenario, watched));
    // Promises of the strategy settle only now.
    await settle();
    return played;
  });
  yield* answersOf(results, folder);
  yield* escapesOf([...atLoad, ...traps.escapes.slice(before)], strays, folder);
  const durations: number[] = [];
  const timed = { ...options, observer: stopwatch(durations) };
  const differing = SCENARIOS.flatMap((scenario, i) =>
    repeats(strategy, scenario, results[i] as ScenarioResult, timed),
  );
  yield* orFine(
    differing,
    'determinism',
    `${results.length} scenarios go the same when they are played again`,
  );
  const lost =
    differing.length > 0 ? [] : results.flatMap((result) => survivesRestart(strategy, result, options));
  yield* orFine(lost, 'restart', 'a stop and a start between two views change no decision');
  yield timeOf(durations);
}

const orFine = (faults: readonly CheckFinding[], check: string, found: string): readonly CheckFinding[] =>
  faults.length > 0 ? faults : [fine(check, found)];

/** What an attempt to change a frozen object says. */
const CHANGES_VIEW = /read only property|not extensible|Cannot (delete|define|add) property/;

const ADVICE = {
  threw: 'handle this case, or return no quotes for it',
  'invalid-intent': 'return only intents that the exchange can place (docs/strategies.md, The answer)',
  'self-cross': 'keep every for quote of a selection above its against quotes',
  completed: 'let the stream end with view$, not before',
  'owner-absent': 'start the strategy that owns the event',
};

function answersOf(results: readonly ScenarioResult[], folder: string): readonly CheckFinding[] {
  const seen = new Set<string>();
  const faults = results.flatMap(({ scenario, problems }) =>
    problems.flatMap(({ kind, message, times, firstAtS, error }) => {
      if (seen.has(`${kind} ${message}`)) return [];
      seen.add(`${kind} ${message}`);
      const where = thrownIn(folder, error);
      if (kind === 'threw' && CHANGES_VIEW.test(message))
        return [
          fault('view', `it changes the view, which is frozen: ${message}`, 'copy what you change', where),
        ];
      const found = `${kind}: ${message} (scenario ${scenario}, first at second ${firstAtS}, ${times} times)`;
      return [fault('answers', found, ADVICE[kind], where)];
    }),
  );
  const views = results.reduce((sum, result) => sum + result.views, 0);
  return orFine(faults, 'answers', `${views} views in ${results.length} scenarios, every answer valid`);
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
    onCall: () => void (startMs = systemClock.monotonicMs()),
    onReturn: () => void durations.push(systemClock.monotonicMs() - startMs),
  };
}

function timeOf(durations: readonly number[]): CheckFinding {
  const sorted = [...durations].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const [median, high, longest] = [0.5, FAST_SHARE, 1].map((share) => at(share).toFixed(2));
  const found = `${sorted.length} calls: ${median} ms in the middle, ${high} ms at 99 %, ${longest} ms at most`;
  if (at(FAST_SHARE) < SLOW_MS) return fine('speed', found);
  const advice = `compute less in a call: every order waits for it, and ${SLOW_MS} ms counts as slow`;
  return fault('speed', found, advice);
}
