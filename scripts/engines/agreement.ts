/** Runs cases through both engines of a backtest and compares every fill. */
import { fileURLToPath } from 'node:url';
import { bundledConfig } from '../../src/app/adapters/own-files.ts';
import { loadConfig } from '../../src/app/config/load.ts';
import { riskLimitsOf } from '../../src/app/config/part-options.ts';
import { fullEngine } from '../../src/app/research/full/engine.ts';
import { strategyNamed } from '../../src/app/strategies/load.ts';
import { fromMicros, toMicros } from '../../src/domain/money.ts';
import { priceOf } from '../../src/domain/ladder.ts';
import type { BacktestInput } from '../../src/research/backtest-engine.ts';
import { runFastWith } from '../../src/research/fast/engine.ts';
import { fastSettings } from '../../src/research/fast/settings.ts';
import type { Scenario } from '../../src/fills/fill-model.ts';
import type { ScenarioResult } from '../../src/research/result.ts';
import { parseParameters } from '../../src/strategy/loader.ts';
import { type Case, CASE_START_MS, caseOf } from './cases.ts';

export const STRATEGY_FILE = fileURLToPath(new URL('fixed-quotes.ts', import.meta.url));

const WIDE_OPEN = fileURLToPath(new URL('wide-open.toml', import.meta.url));

/** So many events share a daemon: its budget of betslips has room for the quotes of all. */
const TOGETHER = 10;
/** Both engines place at once, so that equal decisions rest in equal order. */
const AT_ONCE = { placementDelayMs: [0, 0], inPlayDelayMs: [0, 0] } as const;

export interface Difference {
  readonly event: string;
  readonly fast: readonly string[];
  readonly full: readonly string[];
}

export interface Agreement {
  readonly cases: number;
  /** Cases with at least one fill. */
  readonly filled: number;
  readonly fills: number;
  readonly differences: readonly Difference[];
}

/** Compares `cases` cases in one scenario. */
export async function agreement(seed: number, cases: number, scenario: Scenario): Promise<Agreement> {
  const differences: Difference[] = [];
  let [filled, fills] = [0, 0];
  for (let first = 0; first < cases; first += TOGETHER) {
    const count = Math.min(TOGETHER, cases - first);
    const group = Array.from({ length: count }, (_, at) => caseOf(seed, first + at));
    const [fast, full] = await bothEngines(group, seed, scenario);
    for (const { tape } of group) {
      const event = tape.event.eventId;
      const [ofFast, ofFull] = [fillsOn(fast, event), fillsOn(full, event)];
      fills += ofFull.length;
      if (ofFull.length > 0) filled++;
      if (ofFast.join('\n') !== ofFull.join('\n')) differences.push({ event, fast: ofFast, full: ofFull });
    }
  }
  return { cases, filled, fills, differences };
}

async function bothEngines(
  group: readonly Case[],
  seed: number,
  scenario: Scenario,
): Promise<readonly [fast: ScenarioResult, full: ScenarioResult]> {
  const strategy = await strategyNamed(STRATEGY_FILE);
  const given = { quotes: group.flatMap(({ quotes }) => quotes) };
  const { values: config } = loadConfig({
    files: [bundledConfig('simulated'), WIDE_OPEN],
    environment: {},
    settings: {},
  });
  const input: BacktestInput = {
    async *tapes() {
      yield* group.map(({ tape }) => tape);
    },
    strategy,
    parameters: parseParameters(strategy, given),
    limits: riskLimitsOf(config),
    balanceMicros: toMicros(9e8),
    scenarios: [scenario],
    seed,
    requestLatencyMs: 0,
    feedLatencyMs: 0,
    commission: null,
    fromMs: null,
    toMs: null,
  };
  const full = fullEngine({ config, strategy: STRATEGY_FILE, parameters: given, settings: AT_ONCE });
  const results = await Promise.all([
    runFastWith(input, fastSettings({ ...AT_ONCE, durationS: config.orders.durationS })),
    full(input),
  ]);
  return results.map(([result]) => result) as [ScenarioResult, ScenarioResult];
}

/** Each fill, and the stake that the rule for trades left out. */
const fillsOn = ({ fills, events }: ScenarioResult, eventId: string): string[] => [
  ...fills
    .filter(({ event }) => event.eventId === eventId)
    .map(
      ({ atMs, direction, tick, stakeMicros, cause }) =>
        `${atMs - CASE_START_MS}: ${direction} ${fromMicros(stakeMicros)} @ ${priceOf(tick)} (${cause})`,
    ),
  ...events
    .filter(({ event, besidesMicros }) => event.eventId === eventId && besidesMicros > 0)
    .map(({ besidesMicros }) => `besides: ${fromMicros(besidesMicros)}`),
];
