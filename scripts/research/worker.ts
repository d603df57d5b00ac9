/** Backtests for the table of research: the work of one thread, task by task. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { bundledConfig } from '../../src/app/adapters/own-files.ts';
import { loadConfig } from '../../src/app/config/load.ts';
import { riskLimitsOf } from '../../src/app/config/part-options.ts';
import { backtest } from '../../src/app/research/backtest.ts';
import { strategyNamed } from '../../src/app/strategies/load.ts';
import { toMicros } from '../../src/domain/money.ts';
import { integerBetween, seededRandom } from '../../src/lib/random.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import type { BacktestInput } from '../../src/research/backtest-engine.ts';
import { runFast } from '../../src/research/fast/engine.ts';
import { SCENARIOS } from '../../src/fills/fill-model.ts';
import type { Coverage, ScenarioResult } from '../../src/research/result.ts';
import { modelledEvening } from '../../src/research/tapes/modelled.ts';
import type { EventTape } from '../../src/research/tape.ts';
import { parseParameters } from '../../src/strategy/loader.ts';

/** All strategies over one modelled evening. */
export interface EveningTask {
  readonly kind: 'evening';
  readonly number: number;
  readonly seed: number;
}

/** One strategy over a recording. */
export interface RecordingTask {
  readonly kind: 'recording';
  readonly file: string;
  readonly strategy: string;
}

export type Task = EveningTask | RecordingTask;

/** What one strategy did. */
export interface TaskDone {
  readonly strategy: string;
  readonly about: Pick<Coverage, 'events' | 'selections' | 'updates' | 'trades'>;
  readonly scenarios: readonly ScenarioResult[];
}

export const STRATEGIES = ['symmetric', 'inventory', 'consensus', 'score-grid', 'guarded-ladder'];

const FIRST_EVENING_MS = Date.parse('2026-01-03T17:00:00Z');
/** As `touchline record --simulated` does it. */
const EVENING_MS = 150 * 60_000;
const [LEAD_MINUTES, EVENTS] = [75, 1];
/** Strategies quote until then; what they hold is settled when the match is over. */
const PLAY_MS = 60 * 60_000;

/** The usual terms of a backtest. */
export const TERMS = {
  balanceMicros: toMicros(10_000),
  requestLatencyMs: 50,
  feedLatencyMs: 50,
  scenarios: SCENARIOS,
  fromMs: null,
  toMs: null,
  seed: 1,
} satisfies Partial<BacktestInput>;

/** Its limits allow play. */
const { values: config } = loadConfig({
  files: [bundledConfig('recorded')],
  environment: {},
  settings: {},
});
const limits = riskLimitsOf(config);

export function eveningOf(seed: number, number: number): EventTape[] {
  return modelledEvening({
    seed: integerBetween(seededRandom(seed, `evening ${number}`), 0, 2 ** 31 - 1),
    startMs: FIRST_EVENING_MS + number * DAY_MS,
    eveningMs: EVENING_MS,
    events: EVENTS,
    leadMinutes: LEAD_MINUTES,
    marketTypes: ['wdw', 'ou'],
  });
}

async function evening({ number, seed }: EveningTask): Promise<TaskDone[]> {
  const done: TaskDone[] = [];
  for (const tape of eveningOf(seed, number)) {
    const about = { events: 1, selections: tape.selections.length, updates: tape.updates.length, trades: 0 };
    for (const name of STRATEGIES) {
      const strategy = await strategyNamed(name);
      const scenarios = await runFast({
        ...TERMS,
        limits,
        strategy,
        parameters: parseParameters(strategy, {}),
        commission: null,
        toMs: tape.startMs + PLAY_MS,
        async *tapes() {
          yield tape;
        },
      });
      done.push({ strategy: name, about, scenarios });
    }
  }
  return done;
}

async function recording({ file, strategy }: RecordingTask): Promise<TaskDone[]> {
  const { report } = await backtest({
    ...TERMS,
    strategy,
    parameters: {},
    data: [file],
    engine: 'fast',
    config,
    limits,
    commission: null,
    clock: systemClock,
    onProgress: () => undefined,
    ledger: join(tmpdir(), 'touchline-research'),
    usesSetAside: false,
  });
  const { coverage, scenarios } = report.result;
  return [{ strategy, about: coverage, scenarios }];
}

parentPort?.on('message', (task: Task) => {
  const work = task.kind === 'evening' ? evening(task) : recording(task);
  work.then(
    (done) => parentPort?.postMessage(done),
    (error: unknown) => {
      throw error;
    },
  );
});
