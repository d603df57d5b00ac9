import type { Moment } from '../lib/time.ts';
import type { Clock, Timer } from '../ports/clock.ts';

/**
 * The clock of all that decides: market, risk, ledger and strategies. While an input, a look or a turn is worked on, time stands
 * still at its instant, however long the work takes, so that the same turn is decided alike when it is decided again. In between
 * it is the daemon's clock.
 */
export class TurnClock implements Clock {
  readonly #clock: Clock;
  #at: Moment | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Does work at an instant. Work within work goes by its own instant. */
  within<T>(at: Moment, work: () => T): T {
    const before = this.#at;
    this.#at = at;
    try {
      return work();
    } finally {
      this.#at = before;
    }
  }

  /** Does work at the present instant. */
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
