/** The input and output that both engines of a backtest share. */
import type { FairOptions } from '../fair/options.ts';
import type { Random } from '../lib/random.ts';
import type { SourceRules } from '../market/index.ts';
import type { RiskLimits } from '../risk/index.ts';
import type { Strategy } from '../strategy/contract.ts';
import type { Scenario } from '../fills/fill-model.ts';
import type { ScenarioResult } from './result.ts';
import type { EventTape } from './tape.ts';

/** The engine of a backtest, which runs the strategy: an approximation for many runs, or the whole daemon. */
export const ENGINE_NAMES = ['fast', 'full'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/** A duration in milliseconds: constant, or drawn uniformly from observed ones. */
export type Latency = number | readonly number[];

/** Draws a latency, in milliseconds. An empty list of observed ones is 0. */
export function latencyOf(latency: Latency, random: Random): () => number {
  if (typeof latency === 'number') return () => latency;
  return () => latency[Math.floor(random.next() * latency.length)] ?? 0;
}

export interface BacktestInput {
  /** The events of the data set, by their scheduled start. Called once for each scenario: memory does not grow with the data. */
  readonly tapes: () => AsyncIterable<EventTape>;
  readonly strategy: Strategy;
  /** Validated by the strategy's schema. */
  readonly parameters: unknown;
  readonly limits: RiskLimits;
  /** Balance at the beginning, micros. */
  readonly balanceMicros: number;
  readonly scenarios: readonly Scenario[];
  /** From our decision until the exchange has the request. */
  readonly requestLatencyMs: Latency;
  /** From a change of the market until we see it. */
  readonly feedLatencyMs: Latency;
  /** Fraction of the net winnings of each market; null: each market's own rate. */
  readonly commission: number | null;
  /** Wall-clock milliseconds; outside, nothing is quoted. Null: no bound. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly seed: number;
  /** How the recorded prices of price sources are read. Default: views have none. */
  readonly priceSources?: readonly SourceRules[];
  /** Variants of the fair value that judge the fills besides (`FAIR_VARIANTS`). Default: none. */
  readonly variants?: readonly FairOptions[];
  /** `done` of `total` over all scenarios: updates in the fast engine, milliseconds of market time in the full one. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Runs a strategy over tapes. The same input gives the same result, also in another process. */
export type BacktestEngine = (input: BacktestInput) => Promise<readonly ScenarioResult[]>;
