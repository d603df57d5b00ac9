/** A backtest of one tape that is written by hand, on an exchange that places at once. */
import { runFastWith } from '../../../src/research/fast/engine.ts';
import { type FastSettings, fastSettings } from '../../../src/research/fast/settings.ts';
import type { ScenarioResult } from '../../../src/research/result.ts';
import { readRiskLimits } from '../../../src/risk/index.ts';
import type { Strategy } from '../../../src/strategy/sdk.ts';
import { closed, type Step, tapeOf, type TapeOptions } from '../../support/tapes.ts';

interface Latencies {
  readonly feedLatencyMs?: number;
  readonly requestLatencyMs?: number;
}

/** Runs a strategy on a tape of these steps. Trading in play is allowed, and nothing is late, unless told otherwise. */
export async function run(
  steps: readonly Step[],
  strategy: Strategy,
  limits: object = {},
  { feedLatencyMs = 0, requestLatencyMs = 0, ...options }: TapeOptions & Latencies = {},
  settings: Partial<FastSettings> = {},
): Promise<ScenarioResult> {
  const read = readRiskLimits({ inPlay: { allowed: true }, ...limits }, 'simulated');
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const [result] = await runFastWith(
    {
      async *tapes() {
        yield tapeOf(steps, options);
      },
      strategy,
      parameters: {},
      limits: read.limits,
      balanceMicros: 10_000e6,
      scenarios: ['touch'],
      requestLatencyMs,
      feedLatencyMs,
      commission: null,
      fromMs: null,
      toMs: null,
      seed: 1,
    },
    fastSettings({ placementDelayMs: [0, 0], inPlayDelayMs: [0, 0], ...settings }),
  );
  if (result === undefined) throw new Error('no result');
  return result;
}

/** A taker of this market backs at 2.30 and lays at 2.50. */
export const BOOK: readonly Step[] = [
  [0, 'for', 2.5, 100],
  [0, 'against', 2.3, 80],
];
export const END: Step = [600_000, 'state', closed];
