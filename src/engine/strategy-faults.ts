import { eventKey, type EventName } from '../domain/events.ts';
import type { EventKey } from '../domain/ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { StrategyProblem, StrategyProblemKind } from '../strategy/host.ts';
import { seldom } from '../lib/line-limit.ts';
import type { Decision } from './turn.ts';

export type { StrategyProblem, StrategyProblemKind } from '../strategy/host.ts';

export interface StrategyFaultsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The names of the configured strategies. */
  readonly strategies: readonly string[];
}

const KINDS: Readonly<Record<StrategyProblemKind, true>> = {
  threw: true,
  'invalid-intent': true,
  'self-cross': true,
  'owner-absent': true,
  completed: true,
  'too-many-intents': true,
  'too-many-emissions': true,
  'too-many-lines': true,
  slow: true,
};

/** Counts every fault of a strategy, and logs the first of each kind, strategy and event within a minute. */
export function strategyFaults({
  clock,
  logger,
  metrics,
  strategies,
}: StrategyFaultsDeps): (problem: StrategyProblem) => void {
  const counter = metrics.counter(
    'touchline_strategy_problems_total',
    'Faults of strategies',
    ['strategy', 'kind'],
    strategies.flatMap((strategy) => Object.keys(KINDS).map((kind) => ({ strategy, kind }))),
  );
  const isDue = seldom(clock);
  return (problem) => {
    const { strategy, kind } = problem;
    counter.inc({ strategy, kind });
    if (isDue(`${kind} ${strategy} ${eventKey(problem)}`)) logger.warn('strategy fault', { ...problem });
  };
}

/** A strategy throws on an event and has not answered there since. */
export interface StrategyThrow {
  readonly strategy: string;
  /** The message of the last throw. */
  readonly message: string;
  /** Wall-clock milliseconds of the first throw in a row. */
  readonly sinceMs: number;
  /** Number of throws in a row. */
  readonly times: number;
}

/** The events on which a strategy throws, until it answers there again. */
export class StrategyThrows {
  readonly #throws = new Map<EventKey, StrategyThrow>();

  /** An event without a view is skipped: the strategy was not called. */
  onDecision({ event, view, problems, turn }: Decision): void {
    if (view === null) return;
    const key = eventKey(event);
    const thrown = problems.find(({ kind }) => kind === 'threw');
    if (thrown === undefined) {
      this.#throws.delete(key);
      return;
    }
    const { sinceMs, times } = this.#throws.get(key) ?? { sinceMs: turn.wallMs, times: 0 };
    const { strategy, message } = thrown;
    this.#throws.set(key, { strategy, message, sinceMs, times: times + 1 });
  }

  /** Forgets every other event. */
  keepOnly(asked: ReadonlySet<EventKey>): void {
    for (const key of this.#throws.keys()) if (!asked.has(key)) this.#throws.delete(key);
  }

  on(event: EventName): StrategyThrow | null {
    return this.#throws.get(eventKey(event)) ?? null;
  }
}

export const throwInWords = ({ strategy, message, sinceMs, times }: StrategyThrow): string =>
  `${strategy} throws: ${message} (${times}x since ${new Date(sinceMs).toISOString()})`;
