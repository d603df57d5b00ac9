import type { Refusal } from '../../domain/approval.ts';
import { adverseLogOdds, adverseProbability, logit, probabilityOf } from '../../domain/odds.ts';
import type { Reference } from '../facts.ts';
import type { RiskLimits } from '../limits/limits.ts';
import { type Check, type CheckContext, refusal } from './context.ts';

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

/**
 * Limits the distance of a price from the consensus: narrow on the side where we would give money away, in probability and
 * in log-odds; wider on the other side. Passes without a consensus, which another check refuses.
 */
export function priceCollar(limits: RiskLimits): readonly Check[] {
  const { adverseProbability: mostProbability, adverseLogOdds: most, awayLogOdds } = limits.collar;
  return [
    collar(({ bet }, fair) => {
      const by = adverseProbability(bet.priceKind, bet.price, fair);
      return by <= mostProbability ? null : tooBad(by, mostProbability);
    }),
    collar(({ bet }, fair) => {
      const by = adverseLogOdds(bet.priceKind, bet.price, logit(fair));
      return by <= most ? null : tooBad(by, most);
    }),
    collar(({ bet }, fair) => {
      const by = 0 - adverseLogOdds(bet.priceKind, bet.price, logit(fair));
      return by <= awayLogOdds
        ? null
        : refusal('collar_away', 'the price is too far on the good side of the consensus', by, awayLogOdds);
    }),
  ];
}

function collar(judge: (context: CheckContext, fair: number) => Refusal | null): Check {
  return (context) => {
    const fair = context.reference === null ? null : referenceProbability(context.reference);
    return fair === null ? null : judge(context, fair);
  };
}

const tooBad = (by: number, limit: number): Refusal =>
  refusal('collar_adverse', 'the price is too far on the bad side of the consensus', by, limit);

/** A moving consensus is no measure of a price: refuses orders until it settles. */
export function driftCollar(limits: RiskLimits): Check {
  const limit = limits.collar.driftProbability;
  return ({ drift }) =>
    drift <= limit ? null : refusal('collar_drift', 'the consensus has moved too far lately', drift, limit);
}
