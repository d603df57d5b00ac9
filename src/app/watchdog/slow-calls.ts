import { type EventName, eventNameOf, writtenEvent } from '../../domain/events.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { knownValues, type Metrics } from '../../ports/metrics.ts';
import type { StrategyProblem } from '../../strategy/host.ts';
import type { CallObserver } from '../../strategy/session.ts';

export interface SlowCallsParts {
  /** The names of the configured strategies. */
  readonly strategies: readonly string[];
  /** A call of the strategy that takes this long is slow. */
  readonly slowMsOf: (strategy: string) => number;
  /** Learns of each slow call. */
  readonly onSlow: (problem: StrategyProblem) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** A strategy that is slow is slow on each of its views, so not every call gets a line in the log. */
const LOG_EVERY_MS = 60_000;

/** The slow calls of one strategy since the last line in the log. */
interface Pending {
  calls: number;
  worstMs: number;
  worstEvent: string;
  /** Monotonic. */
  loggedMs: number;
}

/** Counts the calls of strategies that return late, and logs them at most once a minute for each strategy, with the slowest. */
export class SlowCalls implements CallObserver {
  readonly #parts: SlowCallsParts;
  readonly #counter;
  readonly #pending = new Map<string, Pending>();
  #strategy = '';
  #event: EventName | null = null;
  #calledMs = 0;

  constructor(parts: SlowCallsParts) {
    this.#parts = parts;
    this.#counter = parts.metrics.counter(
      'touchline_strategy_slow_calls_total',
      'Calls of a strategy that took its slowMs or longer',
      ['strategy'],
      knownValues('strategy', parts.strategies),
    );
  }

  onCall(strategy: string, event: EventName): void {
    [this.#strategy, this.#event] = [strategy, event];
    this.#calledMs = this.#parts.clock.monotonicMs();
  }

  onReturn(): void {
    const nowMs = this.#parts.clock.monotonicMs();
    const tookMs = nowMs - this.#calledMs;
    if (this.#event === null || tookMs < this.#parts.slowMsOf(this.#strategy)) return;
    this.#counter.inc({ strategy: this.#strategy });
    this.#parts.onSlow({
      kind: 'slow',
      strategy: this.#strategy,
      ...eventNameOf(this.#event),
      selectionId: null,
      message: `a call took ${Math.round(tookMs)} ms`,
    });
    const pending = this.#noted(writtenEvent(this.#event), tookMs);
    if (nowMs - pending.loggedMs >= LOG_EVERY_MS) this.#log(pending, nowMs);
  }

  #noted(event: string, tookMs: number): Pending {
    const fresh = { calls: 0, worstMs: 0, worstEvent: event, loggedMs: -Infinity };
    const pending = this.#pending.get(this.#strategy) ?? fresh;
    this.#pending.set(this.#strategy, pending);
    pending.calls += 1;
    if (tookMs > pending.worstMs) [pending.worstMs, pending.worstEvent] = [tookMs, event];
    return pending;
  }

  #log(pending: Pending, nowMs: number): void {
    const { calls, worstMs: slowestMs, worstEvent: event } = pending;
    const strategy = this.#strategy;
    this.#parts.logger.warn('a strategy is slow: every quote waits for it', {
      strategy,
      calls,
      event,
      slowestMs: Math.round(slowestMs),
    });
    Object.assign(pending, { calls: 0, worstMs: 0, loggedMs: nowMs } satisfies Partial<Pending>);
  }
}

/** Shows each call to both. The first one sees the return first. */
export const bothObserving = (first: CallObserver, second: CallObserver): CallObserver => ({
  onCall(strategy, event) {
    second.onCall(strategy, event);
    first.onCall(strategy, event);
  },
  onReturn() {
    first.onReturn();
    second.onReturn();
  },
});
