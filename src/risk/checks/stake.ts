import { fromMicros, toMicros } from '../../domain/money.ts';
import type { RiskLimits } from '../limits/limits.ts';
import { type Check, refusal } from './context.ts';

/** Limits the stake of one order. */
export function stakeLimit(limits: RiskLimits): Check {
  const limit = limits.order.maxStakeUsdt;
  const limitMicros = toMicros(limit);
  return ({ order }) =>
    order.stakeMicros <= limitMicros
      ? null
      : refusal('stake_limit', 'the stake is above the limit', fromMicros(order.stakeMicros), limit);
}
