import type { LimitRequest, Limiter } from './limiter.ts';

/** At most `limit` requests in flight at once. */
export class InFlight implements Limiter {
  readonly #limit: number;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  waitMs(_nowMs: number, { place }: LimitRequest): number {
    return this.#count + place <= this.#limit ? 0 : Infinity;
  }

  take(): void {
    this.#count += 1;
  }

  markSent(): void {
    // A request counts until it is answered, whether or not it has left.
  }

  giveBack(): void {
    // `release` follows in every case.
  }

  release(): void {
    this.#count -= 1;
  }

  left(): number {
    return this.#limit - this.#count;
  }
}
