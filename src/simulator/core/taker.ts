/** What an order may take from its book: its limit and everything its owner asked for. */
import type { Micros } from '../../domain/money.ts';
import { type Book, stakeOf } from './book.ts';
import type { DangerList } from './danger.ts';
import type { Resting, Taker } from './fill-model.ts';
import type { OrderRecord } from './model.ts';

/** The source that stake of accounts comes from; background participants are sources under their own names. */
export const EXCHANGE_SOURCE = 'exchange';

const FEED_PREFIX = 'feed:';

export const feedOwner = (participant: string): string => `${FEED_PREFIX}${participant}`;

export const sourceOf = (resting: Pick<Resting, 'owner' | 'orderId'>): string =>
  resting.orderId === null ? resting.owner.slice(FEED_PREFIX.length) : EXCHANGE_SOURCE;

export const remainingMicros = (order: OrderRecord): Micros => order.stakeMicros - order.filledMicros;

/** The order as its book sees it, null when it may not take anything now. */
export function takerOf(order: OrderRecord, book: Book, danger: DangerList): Taker | null {
  const excluded = excludedSources(order, book, danger);
  const taker = plainTaker(order, (resting) => !excluded.has(sourceOf(resting)));
  if (order.terms.acceptPartialFill) return taker;
  return availableMicros(book, taker) >= taker.stakeMicros ? taker : null;
}

function plainTaker(order: OrderRecord, accepts: (resting: Resting) => boolean): Taker {
  return {
    owner: order.account.owner,
    direction: order.direction,
    limitTick: order.tick,
    stakeMicros: remainingMicros(order),
    wantStakeMicros: order.stakeMicros,
    exact: !order.terms.acceptBetterPrice,
    accepts,
  };
}

/** Whether an order that rests may be taken by this taker: its source is one that the order uses. */
export function mayMeet(order: OrderRecord, taker: Taker, danger: DangerList): boolean {
  const { excludeDanger, sourceMinimums } = order.terms;
  const source = taker.owner.startsWith(FEED_PREFIX)
    ? taker.owner.slice(FEED_PREFIX.length)
    : EXCHANGE_SOURCE;
  if (excludeDanger && danger.has(source)) return false;
  return Math.min(remainingMicros(order), taker.stakeMicros) >= (sourceMinimums.get(source) ?? 0);
}

/** Sources in danger, when the order shuns them, and sources that cannot take their minimum. */
function excludedSources(order: OrderRecord, book: Book, danger: DangerList): ReadonlySet<string> {
  const { excludeDanger, sourceMinimums } = order.terms;
  const excluded = new Set(excludeDanger ? danger.sources() : []);
  for (const [source, minimumMicros] of sourceMinimums) {
    const ofSource = plainTaker(order, (resting) => sourceOf(resting) === source);
    if (availableMicros(book, ofSource) < minimumMicros) excluded.add(source);
  }
  return excluded;
}

const availableMicros = (book: Book, taker: Taker): Micros => stakeOf(book.preview(taker));
