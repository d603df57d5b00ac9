import { ceilTick, floorTick, isBetter, type Tick } from '../domain/odds.ts';
import { bestLevel, type PriceList } from '../domain/price-list.ts';
import { opposite, type Direction } from '../domain/selection.ts';

/** An order by what it takes from and what it rests among. */
export interface PricedOrder {
  readonly direction: Direction;
  readonly tick: Tick;
}

/**
 * Whether the best price a taker can get in the order's direction comes within the margin of its limit. The exchange has
 * no post-only mode: an order is passive only if this is false for every list of prices when it is sent.
 *
 * An order in direction d takes from the prices listed for takers in d, and rests among those listed for takers in the
 * opposite direction.
 */
export function wouldTake({ direction, tick }: PricedOrder, marginTicks: number, list: PriceList): boolean {
  const best = bestLevel(direction, list);
  if (best === undefined) return false;
  // Off-ladder prices are rounded to the side that makes taking more likely.
  const bestTick = direction === 'for' ? ceilTick(best.price) : floorTick(best.price);
  if (bestTick === null) return true;
  const gap = direction === 'for' ? tick - bestTick : bestTick - tick;
  return gap < Math.max(1, marginTicks);
}

/** Whether the order would be matched with one of our own orders on the same selection. */
export const wouldCross = ({ direction, tick }: PricedOrder, own: readonly PricedOrder[]): boolean =>
  own.some((other) => other.direction === opposite(direction) && !isBetter(direction, tick, other.tick));
