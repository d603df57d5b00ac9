interface Sighting {
  readonly atMs: number;
  /** The exchange's wall clock at the zero of our monotonic clock, less the delay of the frame. */
  readonly originMs: number;
}

const WINDOW_MS = 30_000;

/**
 * Estimates how far our wall clock is ahead of the exchange's, from the send times of its frames. A delayed frame (on its
 * way, or behind a busy event loop) makes us look ahead. Therefore the frame with the least delay in the last 30 s
 * counts. The caller reads our own clock for each call, so a jump of it shows at once.
 */
export class ClockLead {
  /** Frames that can still become the best: each had less delay than all after it. */
  readonly #best: Sighting[] = [];

  /**
   * Records a frame that was sent at `sentMs` (exchange's wall clock) and returns our lead, in milliseconds. `wallMs` and
   * `monotonicMs` are our clocks now.
   */
  observe(sentMs: number, receivedMonotonicMs: number, wallMs: number, monotonicMs: number): number {
    return wallMs - monotonicMs - this.see(sentMs, receivedMonotonicMs);
  }

  /** Records a frame as `observe` does. Returns the exchange's wall clock at the zero of our monotonic clock. */
  see(sentMs: number, receivedMonotonicMs: number): number {
    const sighting = { atMs: receivedMonotonicMs, originMs: sentMs - receivedMonotonicMs };
    while ((this.#best.at(-1)?.originMs ?? Infinity) <= sighting.originMs) this.#best.pop();
    this.#best.push(sighting);
    while ((this.#best[0]?.atMs ?? Infinity) < receivedMonotonicMs - WINDOW_MS) this.#best.shift();
    return (this.#best[0] ?? sighting).originMs;
  }

  /** The exchange's wall clock now, independent of our wall clock; null before the first frame. */
  exchangeMs(monotonicMs: number): number | null {
    const best = this.#best[0];
    return best === undefined ? null : best.originMs + monotonicMs;
  }
}
