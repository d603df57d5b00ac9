import type { RiskLimits } from '../limits/limits.ts';
import { allowLists } from './allowed.ts';
import type { Check } from './context.ts';
import { driftCollar } from './drift.ts';
import { duplicates } from './duplicate.ts';
import { coveredByBalance } from './funds.ts';
import { grossLimits } from './gross.ts';
import { guarded } from './guard.ts';
import { inPlayGate } from './in-play.ts';
import { knownEvent } from './known-event.ts';
import { liabilityLimit } from './liability.ts';
import { openOrderLimits } from './open-orders.ts';
import { priceCollar } from './price-collar.ts';
import { freshReference } from './reference.ts';
import { stakeLimit } from './stake.ts';
import { tradingState } from './state.ts';
import { messageThrottle } from './throttle.ts';
import { turnoverLimit } from './turnover.ts';
import { worstCaseLimits } from './worst-case.ts';

/** Every check that a well-formed order must pass. All of them run: a refusal tells everything that is wrong. */
export function allChecks(limits: RiskLimits): readonly Check[] {
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
export function earlyChecks(limits: RiskLimits): readonly Check[] {
  return [...stateChecks(limits), ...orderChecks(limits), ...collarChecks(limits), ...accountChecks(limits)];
}

/** What an order asks for, by itself. */
function orderChecks(limits: RiskLimits): readonly Check[] {
  return [...allowLists(limits), stakeLimit(limits), liabilityLimit(limits)];
}

/** Its price beside the consensus, if there is one. */
function collarChecks(limits: RiskLimits): readonly Check[] {
  return [...priceCollar(limits), driftCollar(limits)];
}

/** An order together with all others. */
function accountChecks(limits: RiskLimits): readonly Check[] {
  return [
    ...duplicates(limits),
    ...openOrderLimits(limits),
    ...worstCaseLimits(limits),
    ...grossLimits(limits),
    turnoverLimit(limits),
    coveredByBalance(limits),
  ];
}

/**
 * Checks of what can change between an approval and the sending of its order: they are made again at the last instant. The
 * collar among them, since a strategy that is mistaken goes on wanting its price wherever the market goes.
 */
export function lastChecks(limits: RiskLimits): readonly Check[] {
  return [...gateChecks(limits), ...collarChecks(limits)];
}

/** Whether anything may be sent at all, whatever it asks for. */
function gateChecks(limits: RiskLimits): readonly Check[] {
  return [...stateChecks(limits), freshReference(limits)];
}

function stateChecks(limits: RiskLimits): readonly Check[] {
  return [tradingState, guarded, knownEvent, inPlayGate(limits)];
}
