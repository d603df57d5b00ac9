import { fromMicros, toMicros } from '../../domain/money.ts';
import type { RiskLimits } from '../limits/limits.ts';
import { type Check, refusal } from './context.ts';

/** Limits the loss of one order. */
export function liabilityLimit(limits: RiskLimits): Check {
  const limit = limits.order.maxLiabilityUsdt;
  const limitMicros = toMicros(limit);
  return ({ liabilityMicros }) =>
    liabilityMicros <= limitMicros
      ? null
      : refusal(
          'liability_limit',
          'the possible loss of the order is above the limit',
          fromMicros(liabilityMicros),
          limit,
        );
}
