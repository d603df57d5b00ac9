/** Parlays have no book: the house sells them at the product of their legs' best prices. */
import type { OfferedLevel } from './api.ts';
import type { MarketBook, OrderRecord } from './model.ts';

/** The source name of the house's bets. */
export const HOUSE_SOURCE = 'house';

/** Prices a parlay order that the house fills whole now, and sets the legs' prices; null if the house does not fill it. */
export function parlayPrice(order: OrderRecord): number | null {
  const markets = order.legs.map(({ market }) => market);
  const level = markets.some(({ isHalted }) => isHalted) ? null : parlayLevel(markets);
  if (level === null || !isWanted(order, level.price)) return null;
  if (level.stakeMicros < order.stakeMicros) return null;
  for (const leg of order.legs) leg.price = leg.market.shownLevels('odds-for')[0]?.price ?? leg.price;
  return order.terms.forceWantPrice ? order.wantPrice : level.price;
}

const isWanted = (order: OrderRecord, price: number): boolean =>
  order.terms.acceptBetterPrice ? price >= order.wantPrice : price === order.wantPrice;

/**
 * The single level of a parlay: the product of the legs' best `for` prices, with the smallest stake that a leg shows
 * there. The result is null if a leg has no price.
 */
export function parlayLevel(markets: readonly MarketBook[]): OfferedLevel | null {
  let price = 1;
  let stakeMicros = Infinity;
  for (const market of markets) {
    const best = market.shownLevels('odds-for')[0];
    if (best === undefined) return null;
    price *= best.price;
    stakeMicros = Math.min(stakeMicros, best.stakeMicros);
  }
  return { price: Math.round(price * 1e6) / 1e6, stakeMicros, minBetMicros: 0 };
}
