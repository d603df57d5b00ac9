import type { RiskLimits } from '../limits/limits.ts';
import { type Check, refusal } from './context.ts';

/**
 * Refuses orders in play unless they are allowed. An event counts as in play when the exchange says so or when its start
 * has passed (the status can lag the start). An order must not ask to stay open in play either.
 */
export function inPlayGate(limits: RiskLimits): Check {
  const { allowed, stopBeforeStartS } = limits.inPlay;
  return ({ order, facts, wallMs }) => {
    if (allowed || facts === null) return null;
    if (facts.inRunning) return refusal('in_play', 'the event is in play');
    if (order.keepOpenInRunning === true)
      return refusal('keep_open_in_play', 'the order would stay open in play');
    if (facts.startTimeMs === null) return refusal('start_unknown', 'the start of the event is not known');
    const leftS = (facts.startTimeMs - wallMs) / 1_000;
    if (leftS > stopBeforeStartS) return null;
    return refusal('past_start', 'the start is too close or has passed', leftS, stopBeforeStartS);
  };
}
