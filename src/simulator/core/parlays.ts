/** Parlays have no book of their own: the house sells them at the product of their legs' best prices. */
import type { Micros } from '../../domain/money.ts';
import type { OrderRecord } from './model.ts';
import { parlayLevel } from './quotes.ts';

/** The source named on the house's bets. */
export const HOUSE_SOURCE = 'house';

/** What the house gives a parlay order now, null when not what it asks for. Fixes the legs' prices. */
export function parlayFill(order: OrderRecord): { price: number; stakeMicros: Micros } | null {
  const markets = order.legs.map(({ market }) => market);
  const level = markets.some(({ event }) => event.suspended) ? null : parlayLevel(markets);
  if (level === null || !isWanted(order, level.price)) return null;
  const stakeMicros = Math.min(order.stakeMicros, level.stakeMicros);
  if (stakeMicros < order.stakeMicros && !order.terms.acceptPartialFill) return null;
  for (const leg of order.legs) leg.price = leg.market.shownLevels('for')[0]?.price ?? leg.price;
  return { price: order.terms.forceWantPrice ? order.wantPrice : level.price, stakeMicros };
}

const isWanted = (order: OrderRecord, price: number): boolean =>
  order.terms.acceptBetterPrice ? price >= order.wantPrice : price === order.wantPrice;
