/** An order as a taker: its limit and the terms that exclude counterparts. */
import type { Micros } from '../../domain/money.ts';
import { restingStakeMicros } from '../../domain/odds.ts';
import { type Book, takenOf } from './book.ts';
import type { Resting, Taker } from '../../fills/fill-model.ts';
import type { OrderRecord } from './model.ts';

/** Sources with bets in `danger`. */
export class DangerList {
  readonly #bets = new Map<string, number>();

  /** A bet of the source enters (1) or leaves (-1) danger. */
  change(source: string, by: 1 | -1): void {
    const count = (this.#bets.get(source) ?? 0) + by;
    if (count > 0) this.#bets.set(source, count);
    else this.#bets.delete(source);
  }

  has(source: string): boolean {
    return this.#bets.has(source);
  }

  sources(): Iterable<string> {
    return this.#bets.keys();
  }
}

/** The source name of all accounts together. Background participants are sources under their own names. */
export const EXCHANGE_SOURCE = 'exchange';

const FEED_PREFIX = 'feed:';

export const feedOwner = (participant: string): string => `${FEED_PREFIX}${participant}`;

/** Whether an owner is a background participant. */
export const isFeed = (owner: string): boolean => owner.startsWith(FEED_PREFIX);

export const sourceOf = (resting: Pick<Resting, 'owner' | 'orderId'>): string =>
  resting.orderId === null ? resting.owner.slice(FEED_PREFIX.length) : EXCHANGE_SOURCE;

export const remainingMicros = (order: OrderRecord): Micros => order.stakeMicros - order.filledMicros;

/** The order as a taker, null if its terms allow no match now. */
export function takerOf(order: OrderRecord, book: Book, danger: DangerList): Taker | null {
  const excluded = excludedSources(order, book, danger);
  const taker = plainTaker(order, (resting) => !excluded.has(sourceOf(resting)));
  if (order.terms.acceptPartialFill) return taker;
  return availableMicros(book, taker) >= taker.stakeMicros ? taker : null;
}

function plainTaker(order: OrderRecord, accepts: (resting: Resting) => boolean): Taker {
  return {
    owner: order.account.owner,
    priceKind: order.priceKind,
    limitTick: order.tick,
    stakeMicros: remainingMicros(order),
    wantStakeMicros: order.stakeMicros,
    exact: !order.terms.acceptBetterPrice,
    atLimit: order.terms.forceWantPrice,
    accepts,
  };
}

/**
 * Whether a resting order matches this taker: its terms do not exclude the taker's source. A source's minimum is in the order's own
 * stake.
 */
export function canBeTakenBy(order: OrderRecord, taker: Taker, danger: DangerList): boolean {
  const { excludeDanger, sourceMinimums } = order.terms;
  const source = isFeed(taker.owner) ? taker.owner.slice(FEED_PREFIX.length) : EXCHANGE_SOURCE;
  if (excludeDanger && danger.has(source)) return false;
  const offeredMicros = restingStakeMicros(order, taker.stakeMicros, taker.priceKind);
  return Math.min(remainingMicros(order), offeredMicros) >= (sourceMinimums.get(source) ?? 0);
}

/** Sources in danger if the order excludes them, and sources that cannot match their minimum. */
function excludedSources(order: OrderRecord, book: Book, danger: DangerList): ReadonlySet<string> {
  const { excludeDanger, sourceMinimums } = order.terms;
  const excluded = new Set(excludeDanger ? danger.sources() : []);
  for (const [source, minimumMicros] of sourceMinimums) {
    const ofSource = plainTaker(order, (resting) => sourceOf(resting) === source);
    if (availableMicros(book, ofSource) < minimumMicros) excluded.add(source);
  }
  return excluded;
}

/** The taker's stake that it could match now. */
const availableMicros = (book: Book, taker: Taker): Micros => takenOf(book.preview(taker));
