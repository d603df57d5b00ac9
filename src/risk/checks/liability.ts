import { fromMicros, toMicros } from '../../domain/money.ts';
import type { RiskLimits } from '../limits/limits.ts';
import { type Check, refusal } from './context.ts';

/** The most that one order may lose. */
export function liabilityLimit(limits: RiskLimits): Check {
  const limit = limits.order.maxLiabilityUsdt;
  const limitMicros = toMicros(limit);
  return ({ liabilityMicros }) =>
    liabilityMicros <= limitMicros
      ? null
      : refusal('liability_limit', 'the order could lose too much', fromMicros(liabilityMicros), limit);
}
