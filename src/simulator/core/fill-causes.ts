/** The causes of fills, as the matching engine sees them. */
import type { FillCause } from '../../domain/fill-cause.ts';
import type { Micros } from '../../domain/money.ts';
import { compareToLimit, honouringTick, type PricedTick, shownTick } from '../../domain/odds.ts';
import type { Match } from '../../fills/fill-model.ts';
import type { OrderRecord } from './model.ts';

/** The cause of a maker's fill; `order` is the maker. */
export type MakerCause = (match: Match, order: OrderRecord) => FillCause;

/** Others before it at its price were first. */
export const BY_QUEUE: MakerCause = () => 'queue ahead traded';

/** New stake of the background crossed the order. */
export const byCrossing =
  (by: PricedTick): MakerCause =>
  (_, { priceKind, tick }) => {
    const shown = shownTick(by, priceKind);
    return shown !== null && Math.abs(shown - tick) > 1 ? 'book jumped' : 'price crossed';
  };

/** A taker took all of these, the last ones at the worst price. */
export const bySweep =
  (matches: readonly Match[]): MakerCause =>
  ({ resting: { priceKind, tick } }) => {
    const last = matches.at(-1)?.resting;
    return tick === last?.tick && priceKind === last.priceKind ? 'queue ahead traded' : 'price crossed';
  };

/** A trade at this price of its taker was repeated. */
export const byTrade =
  (at: PricedTick): MakerCause =>
  ({ resting }) =>
    compareToLimit(resting, at) <= 0 ? 'queue ahead traded' : 'price crossed';

/** The cause, unless a removal of a runner changed the price of the order. */
export const makerCause = ({ priceKind, tick, wantPrice }: OrderRecord, cause: FillCause): FillCause =>
  honouringTick(priceKind, wantPrice) === tick ? cause : 'price rule';

/** The same for a taker, which may force its own price on better stake. */
export function takerCause(order: OrderRecord, { resting }: Match, cause: FillCause): FillCause {
  const isForced = order.terms.forceWantPrice && shownTick(resting, order.priceKind) !== order.tick;
  return isForced ? 'price rule' : makerCause(order, cause);
}

/** The cause of what an order takes when it reaches its book. */
export function arrivalCause(order: OrderRecord, takenMicros: Micros): FillCause {
  const { shownMicros, stakeMicros, market } = order;
  if (shownMicros > 0)
    return takenMicros < Math.min(shownMicros, stakeMicros) ? 'size shown but gone' : 'price crossed';
  const isDelayed = market !== null && (market.event.inRunning || market.event.betDelays.has(market.outcome));
  return isDelayed ? 'bet delay' : 'latency';
}
