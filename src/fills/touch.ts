/**
 * The most generous scenario: an order is matched as soon as a taker reaches its price, as if no recorded stake stood before it.
 * At each price the orders of accounts come first, the oldest before the younger ones; the background gets the rest.
 */
import type { FillModel, Level } from './fill-model.ts';
import { PRICE_TIME } from './price-time.ts';

export const TOUCH: FillModel = {
  name: 'touch',
  atTrade: 'orders',
  match: (levels, taker) => PRICE_TIME.match(levels.map(ordersFirst), taker),
  withdraw: (level, owner, stakeMicros) => PRICE_TIME.withdraw(level, owner, stakeMicros),
};

const ordersFirst = ({ priceKind, tick, queue }: Level): Level => ({
  priceKind,
  tick,
  queue: [
    ...queue.filter(({ orderId }) => orderId !== null),
    ...queue.filter(({ orderId }) => orderId === null),
  ],
});
