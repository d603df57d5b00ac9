import type { SelectionId } from '../domain/ids.ts';
import { midProbability } from '../domain/odds.ts';
import { bestPrice, type PriceList } from '../domain/price-list.ts';
import type { Direction } from '../domain/selection.ts';
import type { MarketRead } from '../market/index.ts';
import type { BestPrices, Reference } from '../risk/index.ts';

/** The best price of each direction in these lists. */
export function bestIn(prices: Readonly<Record<Direction, PriceList | null>>): BestPrices {
  return { for: best('for', prices.for), against: best('against', prices.against) };
}

const best = (direction: Direction, prices: PriceList | null): number | null =>
  prices === null ? null : bestPrice(direction, prices);

/** Best price available to takers of each direction, without our own quotes; null if nothing fresh is offered. */
function bestPrices(market: MarketRead, id: SelectionId): Readonly<Record<Direction, number | null>> {
  return bestIn(market.marketOf(id));
}

/**
 * The reference that risk judges prices by: the best price of each direction, and their midpoint in probability as the fair
 * value. Null if the market is not known or has no fresh prices.
 */
export function consensusOf(market: MarketRead, id: SelectionId): Reference | null {
  const state = market.selection(id);
  if (state === undefined) return null;
  const prices = bestPrices(market, id);
  const ages = [state.offers.for, state.offers.against, state.quotes.for, state.quotes.against].flatMap(
    (held) => (held?.freshness === 'fresh' ? [held.ageMs] : []),
  );
  if (ages.length === 0) return null;
  return {
    forBest: prices.for,
    againstBest: prices.against,
    fair: midProbability(prices.for, prices.against),
    ageMs: Math.min(...ages),
  };
}
