import { fromMicros, toMicros } from '../../domain/money.ts';
import type { Check } from './context.ts';
import { refusal } from './context.ts';
import type { RiskLimits } from '../limits/limits.ts';

/** The most that one order may lose. */
export function liabilityLimit(limits: RiskLimits): Check {
  const limit = limits.order.maxLiabilityUsdt;
  const limitMicros = toMicros(limit);
  return ({ liabilityMicros }) =>
    liabilityMicros <= limitMicros
      ? null
      : refusal('liability_limit', 'the order could lose too much', fromMicros(liabilityMicros), limit);
}
