import type { RiskLimits } from '../limits/limits.ts';
import { type Check, refusal } from './context.ts';

/** A consensus on the move is no measure: nothing new until it rests. */
export function driftCollar(limits: RiskLimits): Check {
  const limit = limits.collar.driftProbability;
  return ({ drift }) =>
    drift <= limit ? null : refusal('collar_drift', 'the consensus has moved too far of late', drift, limit);
}
