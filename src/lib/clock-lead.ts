interface Sighting {
  readonly atMs: number;
  /** The exchange's wall clock at the zero of our monotonic one, less what the frame took to get here. */
  readonly originMs: number;
}

const WINDOW_MS = 30_000;

/**
 * How far our wall clock is ahead of the exchange's, from the instants at which its frames were sent. A frame that waited
 * somewhere (on its way, or in front of a loop that hung) makes us look ahead; so of the last half minute the frame with
 * the least delay tells. Our own clock is read anew each time: when it jumps, that shows at once.
 */
export class ClockLead {
  /** Only those that can still become the best: each is better than all after it. */
  readonly #best: Sighting[] = [];

  /** A frame that was sent at `sentMs` by the exchange's wall clock; the rest by our clocks, now. Milliseconds. */
  observe(sentMs: number, receivedMonotonicMs: number, wallMs: number, monotonicMs: number): number {
    return wallMs - monotonicMs - this.see(sentMs, receivedMonotonicMs);
  }

  /** The same frame, for who does not ask for our lead. Answers the exchange's wall clock at the zero of our monotonic one. */
  see(sentMs: number, receivedMonotonicMs: number): number {
    const sighting = { atMs: receivedMonotonicMs, originMs: sentMs - receivedMonotonicMs };
    while ((this.#best.at(-1)?.originMs ?? Infinity) <= sighting.originMs) this.#best.pop();
    this.#best.push(sighting);
    while ((this.#best[0]?.atMs ?? Infinity) < receivedMonotonicMs - WINDOW_MS) this.#best.shift();
    return (this.#best[0] ?? sighting).originMs;
  }

  /** The exchange's wall clock now, whatever ours shows; null before its first frame. */
  exchangeMs(monotonicMs: number): number | null {
    const best = this.#best[0];
    return best === undefined ? null : best.originMs + monotonicMs;
  }
}
