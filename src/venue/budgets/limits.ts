import type { BucketLimit } from './token-bucket.ts';

export interface ReservedLimit extends BucketLimit {
  /** Tokens that normal requests leave to urgent ones and to those that reduce risk. */
  readonly reserve: number;
  /** The part of the reserve that requests which reduce risk leave to urgent ones. */
  readonly urgentReserve: number;
  /** Tokens in the bucket of a new process. */
  readonly atStart: number;
}

export interface VenueLimits {
  readonly orders: ReservedLimit;
  readonly betslips: ReservedLimit;
  readonly general: ReservedLimit;
  readonly betslipsPerDay: number;
  /** The last betslips of the day, which only requests that reduce risk may take. */
  readonly betslipsPerDayReserve: number;
  readonly offersInFlight: number;
  /** Requests that may wait in one queue, besides as many urgent ones. */
  readonly longestQueue: number;
}

/**
 * The published limits (specification, Limits) less a margin. The exchange counts *arrivals*: two requests sent a second
 * apart may arrive closer together. Therefore bursts are at least 20 % and rates 2 % below the published limits.
 *
 * The general limit is read in the strict way: one bucket of 100 that refills at 1200 a minute. A burst of one process
 * plus the start of the next take no more than it holds. Normal requests leave 20 to closes, heartbeats and look-ups.
 */
export const DEFAULT_LIMITS: VenueLimits = {
  orders: { capacity: 4, perSecond: 4.9, reserve: 1, urgentReserve: 0, atStart: 1 },
  betslips: { capacity: 8, perSecond: 9.8, reserve: 2, urgentReserve: 0, atStart: 2 },
  general: { capacity: 70, perSecond: 19.6, reserve: 20, urgentReserve: 10, atStart: 30 },
  betslipsPerDay: 1980,
  betslipsPerDayReserve: 50,
  offersInFlight: 3,
  longestQueue: 500,
};
