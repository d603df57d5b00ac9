import { probabilityOf } from '../../domain/odds.ts';
import type { Reference } from '../facts.ts';
import type { RiskLimits } from '../limits/limits.ts';
import { type Check, refusal } from './context.ts';

/** The consensus as a probability: fair value if there is one, else the middle of the market, else its one side. */
export function referenceProbability({ fair, forBest, againstBest }: Reference): number | null {
  if (fair !== null) return fair > 0 && fair < 1 ? fair : null;
  const sides = [forBest, againstBest].filter((price): price is number => (price ?? 0) > 1);
  if (sides.length === 0) return null;
  return sides.reduce((total, price) => total + probabilityOf(price), 0) / sides.length;
}

/** No order without a fresh consensus. */
export function freshReference(limits: RiskLimits): Check {
  const limitMs = limits.collar.maxReferenceAgeS * 1_000;
  return ({ reference }) => {
    if (reference === null || referenceProbability(reference) === null) {
      return refusal('no_reference', 'there is no consensus to judge the price by');
    }
    if (reference.ageMs <= limitMs) return null;
    return refusal('stale_reference', 'the consensus is too old', reference.ageMs / 1_000, limitMs / 1_000);
  };
}
