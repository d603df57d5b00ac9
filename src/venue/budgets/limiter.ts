/** One of the exchange's limits as this side keeps count of it. Times are monotonic milliseconds. */
export interface Limiter {
  /**
   * Milliseconds until the `place`-th request from now (1 is the next) may go while `reserve` units stay untouched.
   * Infinity when only a `release` can tell.
   */
  waitMs(nowMs: number, place: number, reserve: number): number;
  /** Counts a request that goes now, whether there was room or not. */
  take(nowMs: number): void;
  /** A counted request leaves only now: until then nothing has come back for it. Once, and before it is given back. */
  leaves(nowMs: number): void;
  /** A counted request turned out never to have been sent. */
  giveBack(nowMs: number): void;
  /** The answer to a counted request is here. */
  release(nowMs: number): void;
  /** Units left, reserve included; below zero when urgent requests overdrew. */
  left(nowMs: number): number;
}
