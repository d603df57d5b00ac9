import type { OrderId } from '../../domain/ids.ts';
import { markOf } from '../../domain/installation.ts';
import type { Fill } from '../../domain/live-order.ts';
import { isParlay, type VenueBet, type VenueOrder } from '../../domain/orders.ts';
import type { OrderListener, ReportSource } from '../api.ts';
import type { OrderContext } from '../state/context.ts';
import { type BookedFills, fillOf, type MatchedBet, matchedBet } from '../state/fills.ts';
import { GIVEN_UP_AFTER, OVERDUE_MS, reportGivenUp } from '../state/sweeps.ts';

export interface ForeignParts {
  readonly fills: BookedFills;
  readonly listener: OrderListener;
  /** One that was not seen before. */
  onNew(order: VenueOrder, source: ReportSource): void;
  /** A fill of one, before the listener hears of it. */
  onFill(fill: Fill): void;
  /** Each word on one. */
  onSeen(order: VenueOrder): void;
  /** Whether one that is open is this process's to close. */
  isOurs(order: VenueOrder): boolean;
  /** One is given up: the exchange does not know it any more. */
  onGivenUp(order: VenueOrder): void;
  nowMs(): number;
  monotonicMs(): number;
}

/** One that is open by the exchange's last word. */
interface Standing {
  readonly order: VenueOrder;
  /** Monotonic instant at which it was first seen. */
  readonly seenMs: number;
  /** How often in a row it was not known, its time being over. */
  unknownTimes: number;
}

/**
 * Orders of the account that are not in our journal: placed by hand or from elsewhere. They are shown to the listener so
 * that they count in exposure, and are not closed unless they are ours after all: see `UntrackedOrders`.
 */
export class ForeignOrders {
  readonly #open = new Map<OrderId, Standing>();
  /** Each that was ever told of, and whether it is a parlay: bets are told without that. */
  readonly #known = new Map<OrderId, boolean>();
  /** Those of them that the exchange has shown closed. */
  readonly #over = new Set<OrderId>();
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
    return Array.from(this.#open.values(), ({ order }) => order);
  }

  /** Whether it is open now though its time was over a while ago. */
  isOverdue(orderId: OrderId): boolean {
    const standing = this.#open.get(orderId);
    return standing !== undefined && this.#parts.monotonicMs() >= lapsesMs(standing) + OVERDUE_MS;
  }

  overdue(): readonly OrderId[] {
    return [...this.#open.keys()].filter((orderId) => this.isOverdue(orderId));
  }

  /** Those open now that are ours to close: the journal is damaged, or says that the exchange never had them. */
  ours(): readonly VenueOrder[] {
    return this.open().filter((order) => this.#parts.isOurs(order));
  }

  order(order: VenueOrder, source: ReportSource): void {
    if (!this.#known.has(order.orderId)) this.#parts.onNew(order, source);
    this.#known.set(order.orderId, isParlay(order));
    const matchedMs = source === 'earlier' ? this.#placedMs(order) : this.#parts.nowMs();
    for (const bet of order.bets) this.#book(bet, matchedMs);
    if (order.closed) this.#over.add(order.orderId);
    // A listing that was long on its way tells less than what came before it.
    else if (this.#over.has(order.orderId)) return;
    this.#stand(order);
  }

  #stand(order: VenueOrder): void {
    if (order.closed) this.#open.delete(order.orderId);
    else this.#open.set(order.orderId, this.#standing(order));
    this.#parts.onSeen(order);
    this.#parts.listener.onForeignOrder?.(order);
  }

  /** Given up when that was said often enough since its time was over; before, it proves nothing. */
  notFound(orderId: OrderId): void {
    const standing = this.#open.get(orderId);
    if (standing === undefined || !this.isOverdue(orderId)) return;
    if (++standing.unknownTimes < GIVEN_UP_AFTER) return;
    this.#parts.onGivenUp(standing.order);
    this.#stand({ ...standing.order, closed: true, closeReason: 'not_found' });
  }

  #standing(order: VenueOrder): Standing {
    const seenMs = this.#open.get(order.orderId)?.seenMs ?? this.#parts.monotonicMs();
    return { order, seenMs, unknownTimes: 0 };
  }

  bet(bet: VenueBet): void {
    this.#book(bet, this.#parts.nowMs());
  }

  /** The best that is told of when bets from before the journal were matched; our clock may be behind. */
  #placedMs({ placementTimeMs }: VenueOrder): number {
    const nowMs = this.#parts.nowMs();
    return Math.min(placementTimeMs ?? nowMs, nowMs);
  }

  #book(bet: VenueBet, atMs: number): void {
    const matched = matchedBet(bet);
    if (matched === null) return;
    const fill = this.#fillOf(matched, atMs);
    if (this.#parts.fills.book(fill) !== 'booked') return;
    this.#parts.onFill(fill);
    this.#parts.listener.onFill(fill);
  }

  #fillOf(matched: MatchedBet, atMs: number): Fill {
    const fill = fillOf(matched, null, atMs);
    const ofParlay = this.#known.get(fill.orderId);
    return ofParlay === undefined ? fill : { ...fill, isParlay: ofParlay };
  }
}

export function foreignOrdersOf(
  { fills, deps, log, metrics, journalWriter }: OrderContext,
  about: Pick<ForeignParts, 'onSeen' | 'isOurs'>,
): ForeignOrders {
  return new ForeignOrders({
    ...about,
    fills,
    listener: deps.listener,
    nowMs: () => deps.clock.wallMs(),
    monotonicMs: () => deps.clock.monotonicMs(),
    onNew: (order, source) => {
      // Of what there was before the journal there may be thousands: they are told together.
      if (source !== 'earlier')
        log.warn(strangerOf(order), { orderId: order.orderId, betType: order.betType, source });
    },
    onFill: (fill) => journalWriter.note({ kind: 'fill_booked', fill }),
    onGivenUp: ({ orderId }) => reportGivenUp({ metrics, log }, orderId),
  });
}

/**
 * Monotonic instant at which an order is certainly over, Infinity when nobody tells: its whole life after it was first seen.
 * No clock is compared with the exchange's.
 */
function lapsesMs({ order: { placementTimeMs, expiryTimeMs }, seenMs }: Standing): number {
  const isTold = placementTimeMs !== null && expiryTimeMs !== null;
  return isTold ? seenMs + expiryTimeMs - placementTimeMs : Infinity;
}

/** What to call an order that the journal does not tell of: another installation or a copy placed it, or the journal is damaged. */
export const strangerOf = ({ userData }: VenueOrder): string =>
  markOf(userData) === null
    ? 'an order that is not ours'
    : 'an order with our mark that the journal does not tell of';
