import type { Refusal } from '../../domain/approval.ts';
import { adverseLogOdds, adverseProbability, logit } from '../../domain/odds.ts';
import type { RiskLimits } from '../limits/limits.ts';
import { type Check, type CheckContext, refusal } from './context.ts';
import { referenceProbability } from './reference.ts';

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
