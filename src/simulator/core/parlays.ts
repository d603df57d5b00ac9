/** Parlays have no book: the house sells them at the product of their legs' best prices. */
import type { OrderRecord } from './model.ts';
import { parlayLevel } from './quotes.ts';

/** The source name of the house's bets. */
export const HOUSE_SOURCE = 'house';

/** The price at which the house fills a parlay order whole now, null if it does not. Also sets the legs' prices. */
export function parlayPrice(order: OrderRecord): number | null {
  const markets = order.legs.map(({ market }) => market);
  const level = markets.some(({ event }) => event.suspended) ? null : parlayLevel(markets);
  if (level === null || !isWanted(order, level.price)) return null;
  if (level.stakeMicros < order.stakeMicros) return null;
  for (const leg of order.legs) leg.price = leg.market.shownLevels('for')[0]?.price ?? leg.price;
  return order.terms.forceWantPrice ? order.wantPrice : level.price;
}

const isWanted = (order: OrderRecord, price: number): boolean =>
  order.terms.acceptBetterPrice ? price >= order.wantPrice : price === order.wantPrice;
