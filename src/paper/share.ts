/** The part of the account's limits that a paper run may use, so that a live daemon beside it keeps the rest. */
import { DEFAULT_LIMITS, type VenueLimits } from '../venue/index.ts';

/** The published number of offers requests in flight (specification, Limits). */
const OFFERS_IN_FLIGHT = 4;

/** A share of the limits on requests, between 0 and 1. Every limit lets at least one request through. */
export function sharedLimits(share: number): VenueLimits {
  const { general } = DEFAULT_LIMITS;
  return {
    ...DEFAULT_LIMITS,
    general: {
      capacity: atLeastOne(general.capacity * share),
      perSecond: general.perSecond * share,
      // Requests that close or guard orders never get here.
      reserve: 0,
      urgentReserve: 0,
      atStart: atLeastOne(general.atStart * share),
    },
    offersInFlight: atLeastOne(OFFERS_IN_FLIGHT * share),
  };
}

/** A share of the account's cap on registered events. */
export const sharedRegistrations = (cap: number, share: number): number => atLeastOne(cap * share);

const atLeastOne = (value: number): number => Math.max(1, Math.floor(value));
