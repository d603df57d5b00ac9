import { eventKey } from '../domain/events.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { StrategyProblem } from '../strategy/host.ts';

export interface StrategyFaultsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** An event is quoted once a second and more: what is wrong with its quotes would be told as often, for as long as it lasts. */
const TELL_EVERY_MS = 60_000;

/** Counts every fault of the strategy, and logs the first of each kind and event within a minute. */
export function strategyFaults({
  clock,
  logger,
  metrics,
}: StrategyFaultsDeps): (problem: StrategyProblem) => void {
  const counter = metrics.counter('touchline_strategy_problems_total', 'Faults of the strategy', ['kind']);
  /** Monotonic; the one told longest ago comes first. */
  const toldMs = new Map<string, number>();
  return (problem) => {
    const { kind } = problem;
    counter.inc({ kind });
    const nowMs = clock.monotonicMs();
    for (const [key, atMs] of toldMs) {
      if (nowMs - atMs < TELL_EVERY_MS) break;
      toldMs.delete(key);
    }
    const key = `${kind} ${eventKey(problem)}`;
    if (toldMs.has(key)) return;
    toldMs.set(key, nowMs);
    logger.warn('strategy fault', { ...problem });
  };
}
