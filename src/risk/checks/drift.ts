import type { RiskLimits } from '../limits/limits.ts';
import { type Check, refusal } from './context.ts';

/** A moving consensus is no measure of a price: refuses orders until it settles. */
export function driftCollar(limits: RiskLimits): Check {
  const limit = limits.collar.driftProbability;
  return ({ drift }) =>
    drift <= limit ? null : refusal('collar_drift', 'the consensus has moved too far lately', drift, limit);
}
