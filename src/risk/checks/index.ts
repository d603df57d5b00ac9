import type { Check } from '../context.ts';
import type { RiskLimits } from '../limits.ts';
import { duplicates } from './duplicate.ts';
import { grossLimits } from './gross.ts';
import { inPlayGate } from './in-play.ts';
import { knownEvent } from './known-event.ts';
import { liabilityLimit } from './liability.ts';
import { openOrderLimits } from './open-orders.ts';
import { priceCollar } from './price-collar.ts';
import { freshReference } from './reference.ts';
import { stakeLimit } from './stake.ts';
import { tradingState } from './state.ts';
import { worstCaseLimits } from './worst-case.ts';

/** Every check that a well-formed order must pass. All of them run: a refusal tells everything that is wrong. */
export function allChecks(limits: RiskLimits): readonly Check[] {
  return [
    tradingState,
    knownEvent,
    inPlayGate(limits),
    stakeLimit(limits),
    liabilityLimit(limits),
    freshReference(limits),
    ...priceCollar(limits),
    ...duplicates(limits),
    ...openOrderLimits(limits),
    ...worstCaseLimits(limits),
    ...grossLimits(limits),
  ];
}
