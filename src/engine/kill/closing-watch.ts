import type { Clock } from '../../ports/clock.ts';

/** Closing takes about a second. Orders still open after this long count as a failed close. */
const CLOSE_WITHIN_MS = 10_000;

/**
 * Detects that orders stay open after a kill. The heartbeat must then no longer be refreshed: when it expires, the exchange
 * closes them.
 */
export class ClosingWatch {
  readonly #clock: Clock;
  #sinceMs: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Call it often. `openOrders` is null while their number is not known. */
  see(killed: boolean, openOrders: number | null): void {
    if (!killed || openOrders === 0) this.#sinceMs = null;
    else this.#sinceMs ??= this.#clock.monotonicMs();
  }

  get failed(): boolean {
    return this.#sinceMs !== null && this.#clock.monotonicMs() - this.#sinceMs > CLOSE_WITHIN_MS;
  }
}
