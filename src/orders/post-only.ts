import { ceilTick, floorTick, isBetter, type Tick } from '../domain/odds.ts';
import { bestLevel, type PriceList } from '../domain/price-list.ts';
import { opposite, type Direction } from '../domain/selection.ts';

/** An own resting order on the same selection. */
export interface RestingOrder {
  readonly direction: Direction;
  readonly tick: Tick;
}

export type PostOnlyCode = 'market_stale' | 'quote_stale' | 'would_take' | 'would_cross_own';

/**
 * The exchange has no post-only mode, so an order is passive only if, at the time of sending, what it could take is
 * further than a safety margin: by the betslip's fresh private quote, by the market of the order's own direction, by its
 * public offers where those are younger, and by our own orders on the other side. Null when it may be sent.
 *
 * An order in direction d takes from the prices listed for takers in d, and rests among those listed for takers in the
 * opposite direction.
 */
export function postOnlyObstacle(
  direction: Direction,
  tick: Tick,
  marginTicks: number,
  sources: {
    readonly quote: PriceList | null;
    readonly market: PriceList | null;
    /** Null where the market is not told later by them. */
    readonly offers: PriceList | null;
    readonly own: readonly RestingOrder[];
  },
): PostOnlyCode | null {
  if (sources.market === null) return 'market_stale';
  if (sources.quote === null) return 'quote_stale';
  const takes = (list: PriceList): boolean => wouldTake(direction, tick, marginTicks, list);
  if ([sources.market, sources.quote, sources.offers ?? []].some(takes)) return 'would_take';
  const crosses = sources.own.some(
    (order) => order.direction === opposite(direction) && !isBetter(direction, tick, order.tick),
  );
  return crosses ? 'would_cross_own' : null;
}

/** Whether the best price a taker can get comes within the margin of the limit. */
function wouldTake(direction: Direction, tick: Tick, marginTicks: number, list: PriceList): boolean {
  const best = bestLevel(direction, list);
  if (best === undefined) return false;
  // Off-ladder prices are rounded to the side that makes taking more likely.
  const bestTick = direction === 'for' ? ceilTick(best.price) : floorTick(best.price);
  if (bestTick === null) return true;
  const gap = direction === 'for' ? tick - bestTick : bestTick - tick;
  return gap < Math.max(1, marginTicks);
}
