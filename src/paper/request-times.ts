import type { Random } from '../lib/random.ts';
import type { Latency } from '../simulator/in-process/delay-line.ts';

/** Answers that are remembered. */
const KEPT = 100;
/** Before the first answer: longer than an answer usually takes. */
const UNKNOWN_MS = 500;

/**
 * How long the real exchange takes to answer, as the latency of the embedded one. What is observed is half a request old, and a request
 * takes the other half to arrive. So an order meets the observed prices a whole request after it was sent, and never sooner than it
 * would meet them on the real exchange.
 */
export class RequestTimes implements Latency {
  readonly #random: Random;
  readonly #times: number[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  note(tookMs: number): void {
    this.#times.push(tookMs);
    if (this.#times.length > KEPT) this.#times.shift();
  }

  /** One of the last answers, drawn anew for each request. */
  toExchangeMs(): number {
    return this.#times[Math.floor(this.#random.next() * this.#times.length)] ?? UNKNOWN_MS;
  }

  toClientMs(): number {
    return 0;
  }

  /** The middle of the last answers; null before the first. */
  get medianMs(): number | null {
    const sorted = this.#times.toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? null;
  }
}
