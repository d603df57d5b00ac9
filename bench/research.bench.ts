/**
 * The fast engine of a backtest on the recorded cricket market, repeated: updates a second from the tape to the books, with a strategy
 * and its orders, and a sweep of parameter sets in two threads. Rates are by processor time where nothing else is said, and stand
 * beside a bare pass over the columns in the same run.
 * Needs `../shared/data`. `node bench/research.bench.ts [REPETITIONS [SETS]]`.
 */
import { existsSync } from 'node:fs';
import process from 'node:process';
import { sweep } from '../src/app/research/sweep.ts';
import { tapesOfFiles } from '../src/app/research/tapes.ts';
import { FILL_MODELS } from '../src/fills/scenarios.ts';
import { seededRandom } from '../src/lib/random.ts';
import { explicitLevels } from '../src/research/explicit-levels.ts';
import { type EventRunInput, runEvent } from '../src/research/fast/event-run.ts';
import { play } from '../src/research/fast/fixed-quotes.ts';
import { RecordedExchange } from '../src/research/fast/exchange/recorded-exchange.ts';
import { sharedTape, type SweepTask } from '../src/research/fast/sweep.ts';
import { fastSettings } from '../src/research/fast/settings.ts';
import type { EventTape } from '../src/research/tape.ts';
import { readRiskLimits } from '../src/risk/index.ts';
import { parseParameters } from '../src/strategy/loader.ts';
import symmetric from '../strategies/symmetric.ts';
import { figure } from './figures.ts';

const FILE = '../shared/data/betfair/1.200806927.jsonl.gz';
const REPETITIONS = 500;
const SETS = 1_000;
const THREADS = 2;
const HOUR_MS = 3_600_000;

const settings = fastSettings();
const nothing = (): void => undefined;
const DEAF = { onFill: nothing, onClosed: nothing, onQuotes: nothing, onState: nothing, onInPlay: nothing };

/** The best of three runs after one for warming up, in updates a second of processor time. */
function rateOf(updates: number, run: () => void): number {
  run();
  let best = 0;
  for (let round = 0; round < 3; round++) {
    const began = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(began);
    best = Math.max(best, updates / ((user + system) / 1e6));
  }
  return best;
}

const millions = (rate: number): string => `${(rate / 1e6).toFixed(2)} million updates/s`;

function bareRate({ updates }: EventTape): number {
  let sum = 0;
  const rate = rateOf(updates.length * repetitions, () => {
    for (let round = 0; round < repetitions; round++)
      for (let at = 0; at < updates.length; at++)
        sum += (updates.atMs[at] as number) + (updates.micros[at] as number) + (updates.tick[at] as number);
  });
  if (sum === 0) throw new Error('the tape is empty');
  return rate;
}

const bookRate = (tape: EventTape): number =>
  rateOf(tape.updates.length * repetitions, () => {
    for (let round = 0; round < repetitions; round++)
      play(tape, new RecordedExchange(tape, FILL_MODELS.queue, settings, seededRandom(1), DEAF));
  });

const strategyRate = (input: EventRunInput): number =>
  rateOf(input.tape.updates.length * repetitions, () => {
    for (let round = 0; round < repetitions; round++) runEvent({ ...input, seed: round });
  });

function inputOf(tape: EventTape): EventRunInput {
  const limits = readRiskLimits({ inPlay: { allowed: true } }, 'simulated');
  if (!limits.ok) throw new Error(JSON.stringify(limits.problems));
  return {
    tape,
    model: FILL_MODELS.queue,
    strategy: symmetric,
    parameters: parseParameters(symmetric, {}),
    limits: limits.limits,
    balanceMicros: 10_000e6,
    requestLatencyMs: 50,
    feedLatencyMs: 50,
    commission: null,
    fromMs: null,
    toMs: null,
    seed: 1,
    settings,
  };
}

/** Parameter sets of `symmetric` in two threads, from an instant to the close. Returns seconds by the clock. */
async function sweepS(input: EventRunInput, fromMs: number | null, count: number): Promise<number> {
  const { limits, balanceMicros, requestLatencyMs, feedLatencyMs, commission, seed, tape } = input;
  const task: SweepTask = {
    limits,
    balanceMicros,
    requestLatencyMs,
    feedLatencyMs,
    commission,
    seed,
    toMs: null,
    tapes: [sharedTape(tape)],
    scenarios: ['queue'],
    fromMs,
  };
  const parameterSets = Array.from({ length: count }, (_, at) => ({ halfSpread: 0.01 + at * 1e-4 }));
  const beganMs = performance.now();
  await sweep({ strategy: 'symmetric', task, sets: parameterSets, threads: THREADS });
  return (performance.now() - beganMs) / 1000;
}

const sets = Number(process.argv[3] ?? SETS);
const repetitions = Number(process.argv[2] ?? REPETITIONS);
if (existsSync(FILE)) {
  const [recorded] = (await tapesOfFiles([FILE])).tapes;
  if (recorded === undefined) throw new Error(`${FILE} has no event`);
  const tape = { ...recorded, updates: explicitLevels(recorded.updates) };
  console.log(`${tape.updates.length} updates, ${repetitions} times`);
  const bare = bareRate(tape);
  console.log(`a bare pass over the columns: ${millions(bare)}`);
  const books = bookRate(tape);
  console.log(`feed to book: ${millions(books)}, ${(books / bare).toFixed(3)} of the bare pass`);
  figure('feed to book', books, 'updates/s', 'rate');
  const quoted = strategyRate(inputOf(tape));
  console.log(
    `with symmetric, limits and queue: ${millions(quoted)}, ${(quoted / books).toFixed(3)} of the books`,
  );
  figure('symmetric, limits and queue', quoted, 'updates/s', 'rate');
  const wholeS = await sweepS(inputOf(tape), null, repetitions);
  const both = (tape.updates.length * repetitions) / wholeS;
  console.log(`the same in ${THREADS} threads, by the clock: ${millions(both)}`);
  figure('symmetric, limits and queue, two threads', both, 'updates/s', 'rate');
  const tookS = await sweepS(inputOf(tape), tape.startMs - HOUR_MS, sets);
  console.log(`a sweep of ${sets} sets in ${THREADS} threads, by the clock: ${tookS.toFixed(1)} s`);
  figure('sweep, per set', (tookS * 1000) / sets, 'ms');
} else console.log(`left out: ${FILE} is missing`);
