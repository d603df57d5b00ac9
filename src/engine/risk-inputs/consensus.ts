import type { SelectionId } from '../../domain/ids.ts';
import { probabilityOf } from '../../domain/odds.ts';
import { bestLevel } from '../../domain/price-list.ts';
import type { Direction } from '../../domain/selection.ts';
import type { Market } from '../../market/index.ts';
import type { Reference } from '../../risk/index.ts';

/** Best price available to takers of each direction, without our own quotes; null if nothing fresh is offered. */
export function bestPrices(market: Market, id: SelectionId): Readonly<Record<Direction, number | null>> {
  const lists = market.marketOf(id);
  const best = (direction: Direction): number | null =>
    lists[direction] === null ? null : (bestLevel(direction, lists[direction])?.price ?? null);
  return { for: best('for'), against: best('against') };
}

/**
 * The reference that risk judges prices by: the best price of each direction, and their midpoint in probability as the fair
 * value. Null if the market is not known or has no fresh prices.
 */
export function consensusOf(market: Market, id: SelectionId): Reference | null {
  const state = market.selection(id);
  if (state === undefined) return null;
  const prices = bestPrices(market, id);
  const ages = [state.offers.for, state.offers.against, state.quotes.for, state.quotes.against].flatMap(
    (held) => (held !== null && held.freshness === 'fresh' ? [held.ageMs] : []),
  );
  if (ages.length === 0) return null;
  return {
    forBest: prices.for,
    againstBest: prices.against,
    fair: midProbability(prices),
    ageMs: Math.min(...ages),
  };
}

function midProbability(prices: Readonly<Record<Direction, number | null>>): number | null {
  if (prices.for === null || prices.against === null) return null;
  return (probabilityOf(prices.for) + probabilityOf(prices.against)) / 2;
}
