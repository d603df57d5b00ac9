import { isFootball } from '../../domain/events.ts';
import type { Refusal } from '../../domain/approval.ts';
import type { EventFacts } from '../facts.ts';
import type { RiskLimits } from '../limits/limits.ts';
import { type Check, type OrderCheck, refusal } from './context.ts';

/** Applies the trading states of the order's scopes; the kill switch is the strictest of them. */
export const tradingState: Check = ({ state: { state, record }, exposure }) => {
  const why = `by ${record?.by}: ${record?.why}`;
  if (state === 'halted') return refusal('halted', `halted ${why}`, state, 'active');
  if (state === 'reducing' && !exposure.reduces) {
    return refusal('reducing_only', `only orders that reduce the worst case, ${why}`, state, 'active');
  }
  return null;
};

/** Refuses orders while a guard pulls the quotes. */
export const guarded: Check = ({ alarms }) => {
  const alarm = alarms.find(({ effect }) => effect === 'pull');
  return alarm === undefined ? null : refusal(`guard_${alarm.guard}`, alarm.why, alarm.actual, alarm.limit);
};

/** Refuses orders on an event that is not in the catalogue: its limits could not be judged. */
export const knownEvent: Check = ({ facts }) =>
  facts === null ? refusal('unknown_event', 'the event is not in the catalogue') : null;

/** Refuses orders on football in play without a score that the exchange has confirmed lately: it would assume 0-0. */
function confirmedScore({ inRunning, scoreAgeMs }: EventFacts, maxAgeS: number): Refusal | null {
  if (!inRunning) return null;
  const ageS = scoreAgeMs === null ? null : scoreAgeMs / 1_000;
  if (ageS === null) return refusal('score_unknown', 'the score of the event in play is not known');
  if (ageS <= maxAgeS) return null;
  return refusal('score_stale', 'the score was not confirmed lately', ageS, maxAgeS);
}

/**
 * Refuses orders in play unless they are allowed. An event counts as in play when the exchange says so or when its start
 * has passed (the status can lag the start). An order must not ask to stay open in play either. Where they are allowed, the score of
 * football must be known.
 */
export function inPlayGate(limits: RiskLimits): OrderCheck {
  const { allowed, stopBeforeStartS, scoreMaxAgeS } = limits.inPlay;
  return ({ order, bet, facts, wallMs }) => {
    if (facts === null) return null;
    if (allowed) return isFootball(bet.sport) ? confirmedScore(facts, scoreMaxAgeS) : null;
    if (facts.inRunning) return refusal('in_play', 'the event is in play');
    if (order.keepOpenInRunning === true)
      return refusal('keep_open_in_play', 'the order would stay open in play');
    if (facts.startTimeMs === null) return refusal('start_unknown', 'the start of the event is not known');
    const leftS = (facts.startTimeMs - wallMs) / 1_000;
    if (leftS > stopBeforeStartS) return null;
    return refusal('past_start', 'the start is too close or has passed', leftS, stopBeforeStartS);
  };
}
