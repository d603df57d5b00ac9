/** A request that waits for a limit. */
export interface LimitRequest {
  /** Position among the waiting requests. 1 is the next. */
  readonly place: number;
  /** Units of the limit that the request must leave to others. */
  readonly reserve: number;
  readonly isUrgent: boolean;
}

/** A limit of the exchange, counted on our side. Times are monotonic milliseconds. */
export interface Limiter {
  /** Milliseconds until the request may be sent. Infinity when it depends on a `release`. */
  waitMs(nowMs: number, request: LimitRequest): number;
  /** Counts a request that is granted now. The caller has checked that there is room. */
  take(nowMs: number): void;
  /** A counted request leaves now, and its units refill only from now on. Called once, before `giveBack`. */
  markSent(nowMs: number): void;
  /** A counted request was never sent. */
  giveBack(nowMs: number): void;
  /** The answer to a counted request is here. */
  release(nowMs: number): void;
  /** Units left, reserve included. Negative when urgent requests took more than the others may. */
  left(nowMs: number): number;
}

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
