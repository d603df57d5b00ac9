import type { Moment } from '../lib/time.ts';
import type { Clock, Timer } from '../ports/clock.ts';

/**
 * The clock of every decider: market, risk, ledger and strategies. During an input, a look or a turn it stays at that instant,
 * however long the work takes. A recorded turn therefore decides alike when it is decided again. Between turns it follows the
 * daemon's clock.
 */
export class TurnClock implements Clock {
  readonly #clock: Clock;
  #at: Moment | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs work at an instant. Nested work has its own instant. */
  within<T>(at: Moment, work: () => T): T {
    const before = this.#at;
    this.#at = at;
    try {
      return work();
    } finally {
      this.#at = before;
    }
  }

  /** Runs work at the present instant. */
  atOnce<T>(work: () => T): T {
    return this.within({ monotonicMs: this.monotonicMs(), wallMs: this.wallMs() }, work);
  }

  wallMs(): number {
    return this.#at?.wallMs ?? this.#clock.wallMs();
  }

  monotonicMs(): number {
    return this.#at?.monotonicMs ?? this.#clock.monotonicMs();
  }

  after(delayMs: number, run: () => void): Timer {
    return this.#clock.after(delayMs, run);
  }
}
