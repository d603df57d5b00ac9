/** A request that would go. */
export interface Asked {
  /** It is the `place`-th of those that still wait; 1 is the next. */
  readonly place: number;
  /** Units that it must leave to others. */
  readonly kept: number;
  readonly isUrgent: boolean;
}

/** One of the exchange's limits as this side keeps count of it. Times are monotonic milliseconds. */
export interface Limiter {
  /** Milliseconds until such a request may go. Infinity when only a `release` can tell. */
  waitMs(nowMs: number, asked: Asked): number;
  /** Counts a request that goes now; there is room for it. */
  take(nowMs: number): void;
  /** A counted request leaves only now: until then nothing has come back for it. Once, and before it is given back. */
  leaves(nowMs: number): void;
  /** A counted request turned out never to have been sent. */
  giveBack(nowMs: number): void;
  /** The answer to a counted request is here. */
  release(nowMs: number): void;
  /** Units left, reserve included; below zero where urgent requests took more than the others may. */
  left(nowMs: number): number;
}
