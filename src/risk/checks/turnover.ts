import { fromMicros, toMicros } from '../../domain/money.ts';
import type { RiskLimits } from '../limits/limits.ts';
import { type Check, refusal } from './context.ts';

/** Limits the stake matched today plus the stake that may still be matched. */
export function turnoverLimit(limits: RiskLimits): Check {
  const limit = limits.turnover.dayUsdt;
  const limitMicros = toMicros(limit);
  return ({ matchedTodayMicros, openStakeMicros, bet, exposure }) => {
    const micros = matchedTodayMicros + openStakeMicros + bet.stakeMicros;
    if (exposure.reduces || micros <= limitMicros) return null;
    return refusal('day_turnover', 'the turnover of the day would pass its limit', fromMicros(micros), limit);
  };
}
