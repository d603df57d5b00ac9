import type { MarketSide, SelectionView } from '../../domain/event-view.ts';
import { logOddsOf, probabilityOf } from '../../domain/odds.ts';
import { bestLevel, type PriceLevel } from '../../domain/price-list.ts';
import type { Direction } from '../../domain/selection.ts';

/**
 * The best price of each side, as takers see it. Null when no order is known to rest there.
 *
 * @example
 * const isOneSided = ({ forTakers, againstTakers }: Sides): boolean =>
 *   (forTakers === null) !== (againstTakers === null);
 * isOneSided(bestSides(selection.market)); // false
 */
export interface Sides {
  /** The best price for `for` takers: a resting `against` order. The lower of the two prices. */
  readonly forTakers: PriceLevel | null;
  /** The best price for `against` takers: a resting `for` order. The higher of the two prices. */
  readonly againstTakers: PriceLevel | null;
}

/**
 * Both sides are there, and they do not cross.
 *
 * @example
 * const gap = ({ forTakers, againstTakers }: TopOfBook): number => againstTakers.price - forTakers.price;
 */
export interface TopOfBook extends Sides {
  readonly forTakers: PriceLevel;
  readonly againstTakers: PriceLevel;
}

/**
 * The best prices of a market without our own orders. A side that is missing, empty or stale is null.
 *
 * @example
 * const { forTakers, againstTakers } = bestSides(selection.market);
 * forTakers?.price; // 2.3
 * againstTakers?.price; // 2.36
 */
export function bestSides(market: SelectionView['market']): Sides {
  return { forTakers: bestOf('for', market.for), againstTakers: bestOf('against', market.against) };
}

/**
 * The best prices of both sides. Null when a side is missing, empty or stale, or when the sides meet or cross.
 *
 * @example
 * const top = topOfBook(selection.market);
 * top?.forTakers.price; // 2.3
 */
export function topOfBook(market: SelectionView['market']): TopOfBook | null {
  const { forTakers, againstTakers } = bestSides(market);
  if (forTakers === null || againstTakers === null) return null;
  return forTakers.price < againstTakers.price ? { forTakers, againstTakers } : null;
}

const bestOf = (direction: Direction, side: MarketSide | null): PriceLevel | null =>
  side === null ? null : (side.best ?? bestLevel(direction, side.priceList) ?? null);

/**
 * Distance between the two sides, in log-odds. Always positive.
 *
 * @example
 * const top = topOfBook(selection.market);
 * const width = top && logOddsWidth(top); // 0.04512
 */
export function logOddsWidth({ forTakers, againstTakers }: TopOfBook): number {
  return logOddsOf(forTakers.price) - logOddsOf(againstTakers.price);
}

/**
 * Weighted mid, as a probability. The weight of each side is the number of contracts (stake × price) on the *other* side,
 * because the thinner side is the one about to give way.
 *
 * @example
 * const top = topOfBook(selection.market);
 * const fair = top && weightedMid(top); // 0.42933
 */
export function weightedMid({ forTakers, againstTakers }: TopOfBook): number {
  const ask = probabilityOf(forTakers.price);
  const bid = probabilityOf(againstTakers.price);
  const askContracts = forTakers.maxMicros * forTakers.price;
  const bidContracts = againstTakers.maxMicros * againstTakers.price;
  return (bidContracts * ask + askContracts * bid) / (bidContracts + askContracts);
}
