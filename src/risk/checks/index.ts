import type { RiskLimits } from '../limits/limits.ts';
import { duplicates, messageThrottle, openOrderLimits, takeLimits, turnoverLimit } from './activity.ts';
import type { Check, OrderCheck } from './context.ts';
import { guarded, inPlayGate, knownEvent, tradingState } from './gates.ts';
import {
  coveredByBalance,
  grossLimits,
  STRATEGY_WORST_CASES,
  strategyOpenOrders,
  worstCaseLimits,
} from './losses.ts';
import { allowLists, liabilityLimit, stakeLimit } from './order.ts';
import { driftCollar, freshReference, priceCollar } from './prices.ts';

/** Every check that a well-formed order must pass. All of them run, so a refusal names everything that is wrong. */
function allChecks(limits: RiskLimits): readonly Check[] {
  return [
    ...gateChecks(limits),
    messageThrottle(limits),
    ...orderChecks(limits),
    ...collarChecks(limits),
    ...accountChecks(limits),
  ];
}

/**
 * Checks that need no betslip. The betslip may be the first source of prices; without prices the collar refuses nothing. The
 * message throttle is absent: it latches until a person resumes, and nothing is sent yet.
 */
function earlyChecks(limits: RiskLimits): readonly Check[] {
  return [...stateChecks(limits), ...orderChecks(limits), ...collarChecks(limits), ...accountChecks(limits)];
}

/** Checks that need no account around the order: a backtest of one event makes them, too. */
export function eventChecks(limits: RiskLimits): readonly OrderCheck[] {
  return [
    inPlayGate(limits),
    ...orderChecks(limits),
    ...openOrderLimits(limits),
    ...worstCaseLimits(limits),
    ...grossLimits(limits),
    ...takeLimits(limits),
    turnoverLimit(limits),
    coveredByBalance(limits),
  ];
}

/** Checks of an order by itself. */
function orderChecks(limits: RiskLimits): readonly OrderCheck[] {
  return [...allowLists(limits), stakeLimit(limits), liabilityLimit(limits)];
}

/** Checks of its price against the consensus, if there is one. */
function collarChecks(limits: RiskLimits): readonly Check[] {
  return [...priceCollar(limits), driftCollar(limits)];
}

/** Checks of an order together with all others. */
function accountChecks(limits: RiskLimits): readonly Check[] {
  return [
    ...duplicates(limits),
    ...openOrderLimits(limits),
    ...worstCaseLimits(limits),
    ...grossLimits(limits),
    ...STRATEGY_WORST_CASES,
    strategyOpenOrders,
    ...takeLimits(limits),
    turnoverLimit(limits),
    coveredByBalance(limits),
  ];
}

/**
 * Checks of facts that can change between approval and sending: they run again at the last instant. The collar is among
 * them because a faulty strategy keeps its price wherever the market goes. What may be lost is, because limits and funds can
 * fall, and because something else may have reduced the position meanwhile.
 */
function lastChecks(limits: RiskLimits): readonly Check[] {
  return [
    ...gateChecks(limits),
    ...collarChecks(limits),
    ...worstCaseLimits(limits),
    ...STRATEGY_WORST_CASES,
    ...takeLimits(limits),
    coveredByBalance(limits),
  ];
}

/** Whether any order may be sent at all. */
function gateChecks(limits: RiskLimits): readonly Check[] {
  return [...stateChecks(limits), freshReference(limits)];
}

function stateChecks(limits: RiskLimits): readonly Check[] {
  return [tradingState, guarded, knownEvent, inPlayGate(limits)];
}

/** The checks under some limits, by when they are made: at approval, before a betslip is spent, and at the last instant. */
export interface Checks {
  readonly all: readonly Check[];
  readonly early: readonly Check[];
  readonly last: readonly Check[];
}

export const checksOf = (limits: RiskLimits): Checks => ({
  all: allChecks(limits),
  early: earlyChecks(limits),
  last: lastChecks(limits),
});
