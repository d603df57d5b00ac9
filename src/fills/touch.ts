/**
 * The most generous scenario: an order is matched as soon as a taker reaches its price, as if no recorded stake stood before it.
 * At each price the orders of accounts come first, the oldest before the younger ones; the background gets the rest.
 */
import { isBetter } from '../domain/odds.ts';
import type { FillModel, Level, Match } from './fill-model.ts';
import { matchLevel, PRICE_TIME } from './price-time.ts';

export const TOUCH: FillModel = {
  match(levels, taker) {
    const matches: Match[] = [];
    let wantedMicros = taker.stakeMicros;
    for (const level of levels) {
      if (wantedMicros <= 0 || isBetter(taker.direction, taker.limitTick, level.tick)) break;
      if (taker.exact === true && level.tick !== taker.limitTick) continue;
      wantedMicros -= matchLevel(ordersFirst(level), taker, wantedMicros, matches);
    }
    return matches;
  },
  withdraw: (level, owner, stakeMicros) => PRICE_TIME.withdraw(level, owner, stakeMicros),
};

const ordersFirst = ({ tick, queue }: Level): Level => ({
  tick,
  queue: [
    ...queue.filter(({ orderId }) => orderId !== null),
    ...queue.filter(({ orderId }) => orderId === null),
  ],
});
