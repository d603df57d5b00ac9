import type { BucketLimit } from './token-bucket.ts';

export interface ReservedLimit extends BucketLimit {
  /** Tokens that only requests which reduce risk may take. */
  readonly reserve: number;
  /** Tokens in the bucket of a new process. */
  readonly atStart: number;
}

export interface VenueLimits {
  readonly orders: ReservedLimit;
  readonly betslips: ReservedLimit;
  readonly general: ReservedLimit;
  readonly betslipsPerDay: number;
  /** Of these only requests that reduce risk may take so many. */
  readonly betslipsPerDayReserve: number;
  readonly offersInFlight: number;
  /** Requests that may wait in one line. */
  readonly longestLine: number;
}

/**
 * The published limits (specification, Limits) less a margin. What counts is when requests *arrive*: two sent a second
 * apart may arrive closer together, so bursts are kept a fifth smaller and rates two in a hundred lower than allowed.
 * The general limit's two numbers are read in the stricter way, as one bucket of 100 that refills at 1200 a minute.
 */
export const DEFAULT_LIMITS: VenueLimits = {
  orders: { capacity: 4, perSecond: 4.9, reserve: 1, atStart: 1 },
  betslips: { capacity: 8, perSecond: 9.8, reserve: 2, atStart: 2 },
  general: { capacity: 80, perSecond: 19.6, reserve: 5, atStart: 20 },
  betslipsPerDay: 1980,
  betslipsPerDayReserve: 50,
  offersInFlight: 3,
  longestLine: 500,
};
