import {
  honouringTick,
  isComplement,
  limitsCross,
  ownPrice,
  type PricedTick,
  roundedFrom,
  ticksBetter,
} from '../domain/odds.ts';
import { bestLevel, type PriceList } from '../domain/price-list.ts';
import { type Direction, opposite } from '../domain/selection.ts';

/** The direction and price of an order, which decide what it takes and where it rests. */
export interface PricedOrder extends PricedTick {
  readonly direction: Direction;
}

/**
 * Returns whether the best price for takers in the order's direction is within `marginTicks` of the order's
 * limit. The exchange has no post-only mode: an order is passive only if this is false for every price list
 * when it is sent.
 *
 * An order in direction d takes from the prices listed for takers in d. It rests among those listed for
 * takers in the opposite direction.
 */
export function wouldTake(
  { direction, priceKind, tick }: PricedOrder,
  marginTicks: number,
  list: PriceList,
): boolean {
  const best = bestLevel(direction, list);
  if (best === undefined) return false;
  // Shown odds may be rounded from a price nearer to us, and a price off the order's own ladder counts as the tick behind it: both make
  // taking more likely.
  const price = isComplement(priceKind) ? best.price : roundedFrom(best.price);
  const bestTick = honouringTick(priceKind, ownPrice(priceKind, price));
  return bestTick === null || ticksBetter(priceKind, tick, bestTick) < Math.max(1, marginTicks);
}

/** Returns whether the order would match one of our own orders on the same selection. */
export const wouldCross = (order: PricedOrder, own: readonly PricedOrder[]): boolean =>
  own.some(
    (other) =>
      other.direction === opposite(order.direction) &&
      (order.direction === 'for' ? limitsCross(order, other) : limitsCross(other, order)),
  );
