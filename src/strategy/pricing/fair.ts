import type { MarketSide, SelectionView } from '../../domain/event-view.ts';
import { logOddsOf, probabilityOf } from '../../domain/odds.ts';
import { bestLevel, type PriceLevel } from '../../domain/price-list.ts';
import type { Direction } from '../../domain/selection.ts';

/** The best price of each side as takers see it; null where nothing is known to rest. */
export interface Sides {
  /** What `for` takers get: rests `against`. The lower price. */
  readonly forTakers: PriceLevel | null;
  /** What `against` takers get: rests `for`. The higher price. */
  readonly againstTakers: PriceLevel | null;
}

/** Both sides, not crossing. */
export interface TopOfBook extends Sides {
  readonly forTakers: PriceLevel;
  readonly againstTakers: PriceLevel;
}

export function bestSides(market: SelectionView['market']): Sides {
  return { forTakers: bestOf('for', market.for), againstTakers: bestOf('against', market.against) };
}

/** Null where one side is missing, empty or stale, or where the sides cross. */
export function topOfBook(market: SelectionView['market']): TopOfBook | null {
  const { forTakers, againstTakers } = bestSides(market);
  if (forTakers === null || againstTakers === null) return null;
  return forTakers.price < againstTakers.price ? { forTakers, againstTakers } : null;
}

const bestOf = (direction: Direction, side: MarketSide | null): PriceLevel | null =>
  side === null ? null : (bestLevel(direction, side.priceList) ?? null);

/** Distance of the two sides in log-odds. */
export function logOddsWidth({ forTakers, againstTakers }: TopOfBook): number {
  return logOddsOf(forTakers.price) - logOddsOf(againstTakers.price);
}

/**
 * Weighted mid in probability: each side weighs as much as the *other* side's contracts (stake × price), since the
 * thinner side is the one about to give way.
 */
export function weightedMid({ forTakers, againstTakers }: TopOfBook): number {
  const ask = probabilityOf(forTakers.price);
  const bid = probabilityOf(againstTakers.price);
  const askContracts = forTakers.maxMicros * forTakers.price;
  const bidContracts = againstTakers.maxMicros * againstTakers.price;
  return (bidContracts * ask + askContracts * bid) / (bidContracts + askContracts);
}
