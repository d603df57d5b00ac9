/** Backtests of every bundled strategy over modelled evenings: the work of one thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { bundledConfig } from '../../src/app/adapters/own-files.ts';
import { loadConfig } from '../../src/app/config/load.ts';
import { riskLimitsOf } from '../../src/app/config/part-options.ts';
import { strategyNamed } from '../../src/app/strategies/load.ts';
import { toMicros } from '../../src/domain/money.ts';
import { integerBetween, seededRandom } from '../../src/lib/random.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import type { BacktestInput } from '../../src/research/backtest-engine.ts';
import { runFast } from '../../src/research/fast/engine.ts';
import { SCENARIOS, type ScenarioResult } from '../../src/research/result.ts';
import { modelledEvening } from '../../src/research/tapes/modelled.ts';
import type { EventTape } from '../../src/research/tape.ts';
import { parseParameters } from '../../src/strategy/loader.ts';

/** The evenings of one thread: those whose number leaves `part` when divided by `parts`. */
export interface EveningsPart {
  readonly strategies: readonly string[];
  readonly evenings: number;
  readonly seed: number;
  readonly part: number;
  readonly parts: number;
}

/** What a thread tells after each evening. */
export interface EveningDone {
  readonly events: number;
  readonly updates: number;
  /** By strategy. */
  readonly results: Readonly<Record<string, readonly ScenarioResult[]>>;
}

const FIRST_EVENING_MS = Date.parse('2026-01-03T17:00:00Z');
/** As `touchline record --simulated` does it. */
const EVENING_MS = 150 * 60_000;
const [LEAD_MINUTES, EVENTS] = [75, 2];

/** The usual terms of a backtest. */
export const TERMS = {
  ...{ balanceMicros: toMicros(10_000), requestLatencyMs: 50, feedLatencyMs: 50 },
  ...{ scenarios: SCENARIOS, fromMs: null, toMs: null, seed: 1 },
} satisfies Partial<BacktestInput>;

/** The limits of `config/recorded.toml`, which allow play. */
export const limitsOfResearch = (): BacktestInput['limits'] =>
  riskLimitsOf(loadConfig({ files: [bundledConfig('recorded')], environment: {}, settings: {} }).values);

export function eveningOf(seed: number, number: number): EventTape[] {
  return modelledEvening({
    seed: integerBetween(seededRandom(seed, `evening ${number}`), 0, 2 ** 31 - 1),
    startMs: FIRST_EVENING_MS + number * DAY_MS,
    ...{ eveningMs: EVENING_MS, events: EVENTS, leadMinutes: LEAD_MINUTES },
    marketTypes: ['wdw', 'ah', 'ou'],
  });
}

async function play({ strategies, evenings, seed, part, parts }: EveningsPart): Promise<void> {
  const limits = limitsOfResearch();
  for (let number = part; number < evenings; number += parts) {
    const tapes = eveningOf(seed, number);
    const results: Record<string, readonly ScenarioResult[]> = {};
    for (const name of strategies) {
      const strategy = await strategyNamed(name);
      results[name] = await runFast({
        ...{ ...TERMS, limits, strategy, parameters: parseParameters(strategy, {}), commission: null },
        async *tapes() {
          yield* tapes;
        },
      });
    }
    const updates = tapes.reduce((sum, tape) => sum + tape.updates.length, 0);
    parentPort?.postMessage({ events: tapes.length, updates, results } satisfies EveningDone);
  }
}

if (parentPort !== null) await play(workerData as EveningsPart);
