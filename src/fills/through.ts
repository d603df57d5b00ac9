/**
 * The strictest scenario: an order is matched only by a taker whose limit lies beyond the order's price. A recorded trade has its
 * own price as the limit, and a level of the other side that crosses an order has the level's price. A trade at the price of the
 * order, and a level at that price, leave it alone. Otherwise the queue is the one of price-time priority.
 */
import { compareToLimit } from '../domain/odds.ts';
import { type FillModel, limitOf, type Resting, type Taker } from './fill-model.ts';
import { PRICE_TIME } from './price-time.ts';

export const THROUGH: FillModel = {
  name: 'through',
  atTrade: 'nothing',
  match: (levels, taker) =>
    PRICE_TIME.match(levels, { ...taker, accepts: (resting) => accepts(taker, resting) }),
  withdraw: (level, owner, stakeMicros) => PRICE_TIME.withdraw(level, owner, stakeMicros),
};

/** Background stake is taken as ever; an order only on the way to a worse price for the taker. */
function accepts(taker: Taker, resting: Resting): boolean {
  const isReached = resting.orderId === null || compareToLimit(resting, limitOf(taker)) > 0;
  return isReached && (taker.accepts?.(resting) ?? true);
}
