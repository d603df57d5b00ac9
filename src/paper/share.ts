/** The part of the account's limits that a paper run may use, so that a live daemon beside it keeps the rest. */
import { DEFAULT_LIMITS, type VenueLimits } from '../venue/index.ts';

/** The published number of offers requests in flight (specification, Limits). */
const OFFERS_IN_FLIGHT = 4;

/** A share of the limits on requests, between 0 and 1. Every limit lets at least one request through. */
export function sharedLimits(share: number): VenueLimits {
  const { general, betslips, betslipsPerDay } = DEFAULT_LIMITS;
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
    // The client keeps the reserve of urgent betslips in its own budgets.
    betslips: {
      capacity: atLeastOne(betslips.capacity * share),
      perSecond: betslips.perSecond * share,
      reserve: 0,
      urgentReserve: 0,
      atStart: atLeastOne(betslips.atStart * share),
    },
    betslipsPerDay: sharedCap(betslipsPerDay, share),
    betslipsPerDayReserve: 0,
    offersInFlight: atLeastOne(OFFERS_IN_FLIGHT * share),
  };
}

/** A share of a cap: of registered events, of open betslips, of betslips a day. */
export const sharedCap = (cap: number, share: number): number => atLeastOne(cap * share);

const atLeastOne = (value: number): number => Math.max(1, Math.floor(value));
