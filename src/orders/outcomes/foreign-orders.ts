import type { AccountPort } from '../../account/account.ts';
import { foreignFill, matchedBet } from '../../account/fills.ts';
import type { ExchangePrices } from '../../domain/exchange-prices.ts';
import type { OrderId } from '../../domain/ids.ts';
import { markOf } from '../../domain/installation.ts';
import type { Fill } from '../../domain/live-order.ts';
import type { VenueBet, VenueOrder } from '../../domain/orders.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ReportSource } from '../api.ts';
import type { OrderContext } from '../state/context.ts';
import { GIVEN_UP_AFTER, OVERDUE_MS, reportGivenUp } from '../state/sweeps.ts';

/**
 * An answer that shows an order open is believed against an earlier report that it is closed if its request began this long after the
 * report. An exchange may list what it had a moment ago.
 */
export const FRESH_MS = 3_000;

export interface ForeignParts {
  readonly account: AccountPort;
  readonly clock: Clock;
  /** What the exchange's prices are, now. */
  readonly exchangePrices: () => ExchangePrices;
  /** Called for each order that was not seen before. */
  onNew(order: VenueOrder, source: ReportSource): void;
  /** Called for an order that was shown closed and is open all the same. */
  onOpenAgain(order: VenueOrder, source: ReportSource): void;
  /** Called for each fill, before it is booked. */
  onFill(fill: Fill): void;
  /** Called for each report on a foreign order. */
  onSeen(order: VenueOrder): void;
  /** Returns whether this process may close an open order. */
  isOurs(order: VenueOrder): boolean;
  /** Called when an order is given up because the exchange no longer knows it. */
  onGivenUp(order: VenueOrder): void;
}

/** An order that is open by the exchange's latest report. */
interface Standing {
  readonly order: VenueOrder;
  /** Monotonic instant at which the order was first seen. */
  readonly seenMs: number;
  /** Number of "not found" answers in a row since the order's expiry. */
  unknownTimes: number;
}

/**
 * Orders of the account that are not in our journal, placed by hand or by other programs. They are reported to
 * the account and count in exposure. They are not closed unless they are ours after all: see
 * `UntrackedOrders`.
 */
export class ForeignOrders {
  readonly #open = new Map<OrderId, Standing>();
  /** Every order ever reported, and its type, which reports of bets do not say. */
  readonly #known = new Map<OrderId, string>();
  /** The known orders that the exchange has shown closed, and the monotonic instant of the first report of it. */
  readonly #over = new Map<OrderId, number>();
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

  open(): readonly VenueOrder[] {
    return Array.from(this.#open.values(), ({ order }) => order);
  }

  /** Returns whether an order still counts as open some time after its expiry. */
  isOverdue(orderId: OrderId): boolean {
    const standing = this.#open.get(orderId);
    return standing !== undefined && this.#parts.clock.monotonicMs() >= lapsesMs(standing) + OVERDUE_MS;
  }

  overdue(): readonly OrderId[] {
    return [...this.#open.keys()].filter((orderId) => this.isOverdue(orderId));
  }

  /** Open orders that this process may close: the journal is damaged, or records them as refused or absent. */
  ours(): readonly VenueOrder[] {
    return this.open().filter((order) => this.#parts.isOurs(order));
  }

  /** `askedMs`: monotonic instant at which the request began whose answer shows the order. */
  order(order: VenueOrder, source: ReportSource, askedMs = -Infinity): void {
    if (!this.#known.has(order.orderId)) this.#parts.onNew(order, source);
    this.#known.set(order.orderId, order.orderType);
    const matchedMs = source === 'earlier' ? this.#placedMs(order) : this.#parts.clock.wallMs();
    for (const bet of order.bets) this.#book(bet, matchedMs);
    if (order.closed) this.#over.set(order.orderId, this.#overMs(order) ?? this.#parts.clock.monotonicMs());
    // A slow listing may show an order open that a newer report has shown closed.
    else if (askedMs < (this.#overMs(order) ?? -Infinity) + FRESH_MS) return;
    else if (this.#over.delete(order.orderId)) this.#parts.onOpenAgain(order, source);
    this.#stand(order);
  }

  #overMs({ orderId }: VenueOrder): number | null {
    return this.#over.get(orderId) ?? null;
  }

  #stand(order: VenueOrder): void {
    if (order.closed) this.#open.delete(order.orderId);
    else this.#open.set(order.orderId, this.#standing(order));
    this.#parts.onSeen(order);
    const { account, clock } = this.#parts;
    account.apply({ kind: 'foreign_order', order });
    account.apply({ kind: 'report', order, atMs: clock.wallMs() });
  }

  /**
   * Gives an order up after several "not found" answers since its expiry. Before its expiry, "not found"
   * proves nothing.
   */
  notFound(orderId: OrderId): void {
    const standing = this.#open.get(orderId);
    if (standing === undefined || !this.isOverdue(orderId)) return;
    if (++standing.unknownTimes < GIVEN_UP_AFTER) return;
    this.#parts.onGivenUp(standing.order);
    this.giveUp(orderId);
  }

  /** Counts an open order as over, because it is proven that the exchange does not have it. */
  giveUp(orderId: OrderId): void {
    const standing = this.#open.get(orderId);
    if (standing !== undefined) this.#stand({ ...standing.order, closed: true, closeReason: 'not_found' });
  }

  #standing(order: VenueOrder): Standing {
    const seenMs = this.#open.get(order.orderId)?.seenMs ?? this.#parts.clock.monotonicMs();
    return { order, seenMs, unknownTimes: 0 };
  }

  bet(bet: VenueBet): void {
    this.#book(bet, this.#parts.clock.wallMs());
  }

  /** The best known match time of bets from before the journal. Our clock may be behind, so the earlier time counts. */
  #placedMs({ placementTimeMs }: VenueOrder): number {
    const nowMs = this.#parts.clock.wallMs();
    return Math.min(placementTimeMs ?? nowMs, nowMs);
  }

  #book(bet: VenueBet, atMs: number): void {
    const matched = matchedBet(bet);
    if (matched === null) return;
    const orderType = this.#known.get(bet.orderId) ?? null;
    const fill = foreignFill(matched, orderType, this.#parts.exchangePrices(), atMs);
    if (this.#parts.account.bets.fillOf(fill.betId) !== null) return;
    this.#parts.onFill(fill);
    this.#parts.account.apply({ kind: 'bet', fill });
  }
}

export function foreignOrdersOf(
  { deps, log, metrics, journalWriter, exchangePrices }: OrderContext,
  about: Pick<ForeignParts, 'onSeen' | 'isOurs'>,
): ForeignOrders {
  return new ForeignOrders({
    ...about,
    ...{ exchangePrices, account: deps.account, clock: deps.clock },
    onNew: (order, source) => {
      // Thousands of orders may be older than the journal: recovery logs them together.
      if (source !== 'earlier')
        log.warn(strangerOf(order), { orderId: order.orderId, betType: order.betType, source });
    },
    onOpenAgain: ({ orderId }, source) => {
      metrics.alarms.inc({ kind: 'open_again' });
      log.error('an order that was reported closed is open', { orderId, source });
    },
    onFill: (fill) => journalWriter.note({ kind: 'fill_booked', fill }),
    onGivenUp: ({ orderId }) => reportGivenUp({ metrics, log }, orderId),
  });
}

/**
 * Monotonic instant at which an order has certainly lapsed: its whole life after it was first seen. Infinity
 * when its life is not reported. Our clock is never compared with the exchange's.
 */
function lapsesMs({ order: { placementTimeMs, expiryTimeMs }, seenMs }: Standing): number {
  const isTold = placementTimeMs !== null && expiryTimeMs !== null;
  return isTold ? seenMs + expiryTimeMs - placementTimeMs : Infinity;
}

/**
 * Describes, for the log, an order that is not in the journal. With our mark, either another installation or
 * a copy placed it, or the journal is damaged.
 */
export const strangerOf = ({ userData }: VenueOrder) =>
  markOf(userData) === null
    ? 'an order that is not ours'
    : 'an order with our mark that the journal does not record';
