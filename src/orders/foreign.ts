import type { OrderId } from '../domain/ids.ts';
import type { Fill } from '../domain/live-order.ts';
import { isParlay, type VenueBet, type VenueOrder } from '../domain/orders.ts';
import type { OrderListener } from './api.ts';
import { uuidOfUserData } from './api.ts';
import type { Desk } from './desk.ts';
import { type FillBook, fillOf, type MatchedBet, matchedBet } from './fills.ts';

export interface ForeignParts {
  readonly fills: FillBook;
  readonly listener: OrderListener;
  /** One that was not seen before. */
  onNew(order: VenueOrder, source: string): void;
  /** A fill of one, before the listener hears of it. */
  onFill(fill: Fill): void;
  nowMs(): number;
}

/**
 * Orders of the account that are not in our journal: placed by hand or from elsewhere. They are shown to the listener so
 * that they count in exposure, and are not closed by us unless they carry our mark: see `Strays`.
 */
export class ForeignOrders {
  readonly #open = new Map<OrderId, VenueOrder>();
  /** Each that was ever told of, and whether it is a parlay: bets are told without that. */
  readonly #known = new Map<OrderId, boolean>();
  readonly #parts: ForeignParts;

  constructor(parts: ForeignParts) {
    this.#parts = parts;
  }

  knows(orderId: OrderId): boolean {
    return this.#known.has(orderId);
  }

  isOpen(orderId: OrderId): boolean {
    return this.#open.has(orderId);
  }

  /** Those open now. */
  open(): readonly VenueOrder[] {
    return [...this.#open.values()];
  }

  /** Those open now that carry our mark: another journal tells of them, or ours did before it was damaged. */
  marked(): readonly VenueOrder[] {
    return this.open().filter(({ userData }) => uuidOfUserData(userData) !== null);
  }

  order(order: VenueOrder, source: string): void {
    if (!this.#known.has(order.orderId)) this.#parts.onNew(order, source);
    this.#known.set(order.orderId, isParlay(order));
    for (const bet of order.bets) this.bet(bet);
    if (order.closed) this.#open.delete(order.orderId);
    else this.#open.set(order.orderId, order);
    this.#parts.listener.onForeignOrder?.(order);
  }

  bet(bet: VenueBet): void {
    const matched = matchedBet(bet);
    if (matched === null) return;
    const fill = this.#fillOf(matched);
    if (this.#parts.fills.book(fill) !== 'booked') return;
    this.#parts.onFill(fill);
    this.#parts.listener.onFill(fill);
  }

  #fillOf(matched: MatchedBet): Fill {
    const fill = fillOf(matched, null, this.#parts.nowMs());
    const ofParlay = this.#known.get(fill.orderId);
    return ofParlay === undefined ? fill : { ...fill, isParlay: ofParlay };
  }
}

export function foreignOrdersOf({ fills, deps, log, scribe }: Desk): ForeignOrders {
  return new ForeignOrders({
    fills,
    listener: deps.listener,
    nowMs: () => deps.clock.wallMs(),
    onNew: (order, source) =>
      log.warn(strangerOf(order), { orderId: order.orderId, betType: order.betType, source }),
    onFill: (fill) => scribe.note({ kind: 'fill_booked', fill }),
  });
}

/** What to call an order that the journal does not tell of: with our mark, it was placed with another, or it is damaged. */
export const strangerOf = ({ userData }: VenueOrder): string =>
  uuidOfUserData(userData) === null
    ? 'an order that is not ours'
    : 'an order with our mark that the journal does not tell of';
