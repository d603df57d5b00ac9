import { type EventName, writtenEvent } from '../../domain/events.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { CallObserver } from '../../strategy/session.ts';

export interface SlowCallsParts {
  /** A call that takes this long is slow. */
  readonly slowMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** A strategy that is slow is slow on each of its views, so not every call gets a line in the log. */
const TELL_EVERY_MS = 60_000;

/** The slow calls of one strategy since the last line in the log. */
interface Untold {
  calls: number;
  worstMs: number;
  worstEvent: string;
  /** Monotonic. */
  toldMs: number;
}

/** Counts the calls of strategies that return late, and logs them at most once a minute for each strategy, with the slowest. */
export class SlowCalls implements CallObserver {
  readonly #parts: SlowCallsParts;
  readonly #counter;
  readonly #untold = new Map<string, Untold>();
  #strategy = '';
  #event: EventName | null = null;
  #calledMs = 0;

  constructor(parts: SlowCallsParts) {
    this.#parts = parts;
    this.#counter = parts.metrics.counter(
      'touchline_strategy_slow_calls_total',
      'Calls of a strategy that took strategy.slowMs or longer',
      ['strategy'],
    );
  }

  onCall(strategy: string, event: EventName): void {
    [this.#strategy, this.#event] = [strategy, event];
    this.#calledMs = this.#parts.clock.monotonicMs();
  }

  onReturn(): void {
    const nowMs = this.#parts.clock.monotonicMs();
    const tookMs = nowMs - this.#calledMs;
    if (this.#event === null || tookMs < this.#parts.slowMs) return;
    this.#counter.inc({ strategy: this.#strategy });
    const untold = this.#noted(writtenEvent(this.#event), tookMs);
    if (nowMs - untold.toldMs >= TELL_EVERY_MS) this.#tell(untold, nowMs);
  }

  #noted(event: string, tookMs: number): Untold {
    const fresh = { calls: 0, worstMs: 0, worstEvent: event, toldMs: -Infinity };
    const untold = this.#untold.get(this.#strategy) ?? fresh;
    this.#untold.set(this.#strategy, untold);
    untold.calls += 1;
    if (tookMs > untold.worstMs) [untold.worstMs, untold.worstEvent] = [tookMs, event];
    return untold;
  }

  #tell(untold: Untold, nowMs: number): void {
    const { calls, worstMs: slowestMs, worstEvent: event } = untold;
    const strategy = this.#strategy;
    this.#parts.logger.warn('a strategy is slow: every quote waits for it', {
      ...{ strategy, calls, event, slowestMs: Math.round(slowestMs) },
    });
    Object.assign(untold, { calls: 0, worstMs: 0, toldMs: nowMs } satisfies Partial<Untold>);
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
