import type { OrderId, RequestUuid } from '../domain/ids.ts';
import type { Fill, LiveOrder } from '../domain/live-order.ts';
import { floorTick } from '../domain/odds.ts';
import type { VenueBet, VenueOrder } from '../domain/orders.ts';
import { directionOf } from '../domain/selection.ts';
import type { OrderListener } from './api.ts';
import { FillBook, fillOf, matchedBet, selectionIdOf } from './fills.ts';

/**
 * Orders of the account that are not in our journal: placed by hand or from elsewhere. They are shown to the listener so
 * that they count in exposure, and are never closed by us.
 */
export class ForeignOrders {
  readonly #open = new Map<OrderId, VenueOrder>();
  readonly #known = new Set<OrderId>();
  readonly #fills: FillBook;
  readonly #listener: OrderListener;
  readonly #onNew: (order: VenueOrder, source: string) => void;
  readonly #onFill: (fill: Fill) => void;
  readonly #nowMs: () => number;

  constructor(hooks: {
    readonly fills: FillBook;
    readonly listener: OrderListener;
    onNew(order: VenueOrder, source: string): void;
    onFill(fill: Fill): void;
    nowMs(): number;
  }) {
    this.#fills = hooks.fills;
    this.#listener = hooks.listener;
    this.#onNew = hooks.onNew;
    this.#onFill = hooks.onFill;
    this.#nowMs = hooks.nowMs;
  }

  knows(orderId: OrderId): boolean {
    return this.#known.has(orderId);
  }

  /** Those open now. */
  open(): readonly VenueOrder[] {
    return [...this.#open.values()];
  }

  order(order: VenueOrder, source: string): void {
    const isOpen = !order.closed && ['open', 'pending'].includes(order.status);
    if (!this.#known.has(order.orderId)) this.#onNew(order, source);
    this.#known.add(order.orderId);
    for (const bet of order.bets) this.bet(bet);
    if (isOpen) this.#open.set(order.orderId, order);
    else this.#open.delete(order.orderId);
    this.#listener.onOrder(this.#liveOf(order, isOpen));
  }

  bet(bet: VenueBet): void {
    const matched = matchedBet(bet);
    if (matched === null) return;
    const fill = fillOf(matched, null, this.#nowMs());
    if (this.#fills.book(fill) !== 'booked') return;
    this.#onFill(fill);
    this.#listener.onFill(fill);
    const order = this.#open.get(bet.orderId);
    if (order !== undefined) this.#listener.onOrder(this.#liveOf(order, true));
  }

  #liveOf(order: VenueOrder, isOpen: boolean): LiveOrder {
    return {
      requestUuid: `foreign:${order.orderId}` as RequestUuid,
      orderId: order.orderId,
      betslipId: '' as LiveOrder['betslipId'],
      selectionId: selectionIdOf(order),
      sport: order.sport,
      eventId: order.eventId,
      betType: order.betType,
      direction: directionOf(order.betType) ?? 'for',
      tick: floorTick(order.wantPrice) ?? 0,
      stakeMicros: order.wantStakeMicros,
      filledMicros: this.#fills.filledOf(order.orderId),
      state: isOpen ? 'live' : 'closed',
      createdMonotonicMs: 0,
      expiryMs: order.expiryTimeMs,
      closeReason: order.closeReason,
      foreign: true,
    };
  }
}
