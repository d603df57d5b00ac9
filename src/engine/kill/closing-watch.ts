import type { Clock } from '../../ports/clock.ts';

/** Closing takes a moment; orders still open after this long are not being closed. */
const PATIENCE_MS = 10_000;

/**
 * Whether the orders that a kill wants closed are still open after a while. Then the heartbeat must no longer be
 * refreshed: when it expires, the exchange closes them.
 */
export class ClosingWatch {
  readonly #clock: Clock;
  #sinceMs: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Often: whether everything is to be closed, and how many orders are open, null for not known. */
  see(killed: boolean, openOrders: number | null): void {
    if (!killed || openOrders === 0) this.#sinceMs = null;
    else this.#sinceMs ??= this.#clock.monotonicMs();
  }

  get failed(): boolean {
    return this.#sinceMs !== null && this.#clock.monotonicMs() - this.#sinceMs > PATIENCE_MS;
  }
}
