import { eventKey, type EventName } from '../domain/events.ts';
import type { EventKey, OrderId, RequestUuid } from '../domain/ids.ts';
import { isTerminal, type OrderEvent, type OrderState, verdictOf } from '../domain/lifecycle.ts';
import type { LiveOrder } from '../domain/live-order.ts';
import type { PlaceOrder, VenueOrder } from '../domain/orders.ts';
import type { IntentKey, QuoteIntent } from '../domain/quote-intent.ts';
import type { Verdict } from '../domain/state-table.ts';
import { invariant, InvariantError } from '../lib/assert.ts';

/**
 * How a report of the exchange arrived. `earlier` is the listing of orders that were filled before the
 * journal began.
 */
export type ReportSource = 'answer' | 'stream' | 'look-up' | 'listing' | 'updates' | 'recovery' | 'earlier';

/**
 * An answer that shows an order open is believed against an earlier report that it is closed if its request began this long after the
 * report. An exchange may list what it had a moment ago.
 */
export const FRESH_MS = 3_000;
/** An order whose end is not reported this long after its lapse is overdue; milliseconds. */
export const OVERDUE_MS = 2_000;
/** An overdue order is given up after this many "not found" answers in a row. */
export const GIVEN_UP_AFTER = 3;
/**
 * Ended orders of ours that stay known: ten minutes at the exchange's limit of five orders a second. Reports on orders that ended come
 * much sooner, and one with a fill stays known to the fills. An order takes a kilobyte.
 */
const KEPT_OVER = 3_000;
/** Most orders that wait for their owner. When too many wait, the report of the one that waits longest is dropped. */
const MOST_WAITING = 1_000;

/** An order of ours, with facts that only the order manager needs. */
export interface TrackedOrder {
  readonly owner: 'own';
  /** The order as other parts see it; replaced by a new object at each change. */
  order: LiveOrder;
  readonly place: PlaceOrder;
  /** The intent that the order serves; null when unknown. */
  readonly key: IntentKey | null;
  /** Monotonic instant at which the order lapses by our own clock; null when not sent. */
  lapsesMonotonicMs: number | null;
  /** Monotonic instant at which bytes of its create request may last have been sent; null when not sent. */
  sentMonotonicMs: number | null;
  /** The order is to be closed as soon as its id is known. */
  closeWanted: boolean;
  /** Monotonic instant at which we last learned that it is closed; null if never. If the order has not ended, it was shown open since. */
  closedMs: number | null;
  /** The order is of an earlier run. */
  readonly recovered: boolean;
  /** The quote that it was placed for; null when it is of an earlier run. */
  readonly intent: QuoteIntent | null;
}

/** An order of the account that is not in our journal. A person, another program or an earlier journal placed it. */
export interface ForeignOrder {
  readonly owner: 'foreign';
  readonly orderId: OrderId;
  /** Its type, which reports of its bets do not say. */
  orderType: string;
  state: OrderState;
  /** The latest report; null while it is over, since thousands may be. */
  shown: VenueOrder | null;
  /** Monotonic instant since which it is known open; null while it is over. */
  openSinceMs: number | null;
  /** Monotonic instant at which it has certainly lapsed; null when its life is not reported. */
  lapsesMonotonicMs: number | null;
  /** Monotonic instant of the first report that showed it closed, since it was last shown open; null if there is none. */
  closedMs: number | null;
  /** Number of "not found" answers in a row since it is overdue. */
  unknownTimes: number;
}

/** A report of an order, and how it arrived. */
export interface SourcedOrder {
  readonly order: VenueOrder;
  readonly source: ReportSource;
}

export type OrderPatch = Partial<Pick<LiveOrder, 'orderId' | 'expiryMs' | 'closeReason' | 'filledMicros'>>;

/** Called after a change of an order of ours, fills included. `before` is null if it is new to this run. */
export type OnChange = (tracked: TrackedOrder, before: LiveOrder | null, source: string) => void;

/** Called when the exchange contradicts what it reported of an order of ours. */
export type OnContradiction = (
  tracked: TrackedOrder,
  event: OrderEvent,
  reason: string,
  source: string,
) => void;

interface MonotonicClock {
  monotonicMs(): number;
}

/**
 * The orders of the account, one record for each, under one table of states (`domain/lifecycle.ts`): ours, those of others, and those
 * whose owner is not known yet. Every change of an order goes through the book.
 */
export class OrderBook {
  readonly #byId = new Map<OrderId, TrackedOrder | ForeignOrder>();
  readonly #byUuid = new Map<RequestUuid, TrackedOrder>();
  readonly #active = new Set<TrackedOrder>();
  /** The same by event, in the same order. */
  readonly #activeOn = new Map<EventKey, Set<TrackedOrder>>();
  /** Ended orders of ours, oldest first. Late reports may still name them. */
  readonly #over = new Set<TrackedOrder>();
  /** Open orders of others, in the order in which they were first seen open. */
  readonly #foreign = new Set<ForeignOrder>();
  /** The latest report of each order that may be the result of a create request in flight, the longest wait first. */
  readonly #waiting = new Map<OrderId, SourcedOrder>();
  readonly #clock: MonotonicClock;
  readonly #onChange: OnChange;
  readonly #onContradiction: OnContradiction;
  readonly #mostWaiting: number;

  constructor(
    clock: MonotonicClock,
    onChange: OnChange,
    onContradiction: OnContradiction,
    mostWaiting = MOST_WAITING,
  ) {
    [this.#clock, this.#onChange, this.#onContradiction] = [clock, onChange, onContradiction];
    this.#mostWaiting = mostWaiting;
  }

  /** Adds an order of ours. One of an earlier run that has ended already causes no `onChange`. */
  add(tracked: TrackedOrder, source: string): void {
    const { requestUuid, orderId, state } = tracked.order;
    if (this.#byUuid.has(requestUuid)) throw new InvariantError('request_uuid used twice', { requestUuid });
    this.#byUuid.set(requestUuid, tracked);
    if (orderId !== null) this.#byId.set(orderId, tracked);
    if (isTerminal(state)) {
      this.#over.add(tracked);
      return;
    }
    this.#activate(tracked);
    this.#onChange(tracked, null, source);
  }

  /**
   * Applies an event to an order of ours. Throws InvariantError when the lifecycle forbids the event, or when the
   * order's id would change.
   */
  apply(tracked: TrackedOrder, event: OrderEvent, patch: OrderPatch, source: string): Verdict<OrderState> {
    const { requestUuid, state } = tracked.order;
    const verdict = verdictOf(state, event);
    if (verdict.kind === 'illegal')
      throw new InvariantError(`order event is illegal: ${verdict.reason}`, { requestUuid, state, event });
    if (verdict.kind === 'move') this.#move(tracked, verdict.to, patch, source);
    else if (verdict.alarm) this.#onContradiction(tracked, event, verdict.reason, source);
    return verdict;
  }

  /** Orders of ours that have not ended. */
  active(): Iterable<TrackedOrder> {
    return this.#active.values();
  }

  activeOf(event: EventName): TrackedOrder[] {
    return [...(this.#activeOn.get(eventKey(event)) ?? [])];
  }

  byUuid(uuid: RequestUuid): TrackedOrder | undefined {
    return this.#byUuid.get(uuid);
  }

  /** The order with this id, if its owner is known. One of another stays known for good. */
  byId(orderId: OrderId): TrackedOrder | ForeignOrder | undefined {
    return this.#byId.get(orderId);
  }

  /** The order of another with this id. */
  foreign(orderId: OrderId): ForeignOrder | undefined {
    const record = this.#byId.get(orderId);
    return record?.owner === 'foreign' ? record : undefined;
  }

  /** Orders of others that count as open. */
  foreignOpen(): Iterable<ForeignOrder> {
    return this.#foreign.values();
  }

  /** The latest reports of the orders of others that count as open. */
  foreignShown(): readonly VenueOrder[] {
    return [...this.#foreign].flatMap(({ shown }) => shown ?? []);
  }

  /** The record of an order that is not ours, also of one that is new. */
  meet({ orderId, orderType }: VenueOrder): ForeignOrder {
    const met = this.foreign(orderId) ?? newForeign(orderId, orderType);
    met.orderType = orderType;
    this.#byId.set(orderId, met);
    return met;
  }

  /**
   * Applies a report of an order that is not ours, and returns its event in the life of the order; null if a newer report has shown it
   * closed. `askedMs`: monotonic instant at which the request began whose answer shows the order.
   */
  show(foreign: ForeignOrder, order: VenueOrder, askedMs: number): OrderEvent | null {
    const nowMs = this.#clock.monotonicMs();
    const event = eventShown(foreign, order, askedMs);
    if (event === 'seen_open' && isTerminal(foreign.state)) return null;
    this.#moveForeign(foreign, event);
    if (order.closed) {
      foreign.closedMs ??= nowMs;
      return event;
    }
    foreign.closedMs = null;
    foreign.openSinceMs ??= nowMs;
    foreign.shown = order;
    foreign.lapsesMonotonicMs = lapsesMs(order, foreign.openSinceMs);
    foreign.unknownTimes = 0;
    return event;
  }

  /**
   * Notes that the exchange does not know an order of another, and gives it up after several such answers in a row since it is overdue.
   * Before its lapse they prove nothing. Returns its latest report if it is given up, otherwise null.
   */
  notFound(orderId: OrderId): VenueOrder | null {
    const foreign = this.foreign(orderId);
    if (foreign === undefined || !this.isOverdue(foreign)) return null;
    return ++foreign.unknownTimes < GIVEN_UP_AFTER ? null : this.giveUp(orderId);
  }

  /** Notes that the exchange certainly does not have an order of another. Returns its latest report; null if it does not count as open. */
  giveUp(orderId: OrderId): VenueOrder | null {
    const foreign = this.foreign(orderId);
    const shown = foreign?.shown ?? null;
    if (foreign === undefined || shown === null) return null;
    this.#moveForeign(foreign, 'proven_absent');
    return shown;
  }

  /** Whether the order should have ended some time ago. One of another that is over is not overdue. */
  isOverdue({ lapsesMonotonicMs }: TrackedOrder | ForeignOrder): boolean {
    return this.#clock.monotonicMs() >= (lapsesMonotonicMs ?? Infinity) + OVERDUE_MS;
  }

  /** Keeps the latest report of an order until its owner is known. */
  hold(report: SourcedOrder): void {
    const { orderId } = report.order;
    const [oldest] = this.#waiting.keys();
    if (oldest !== undefined && this.#waiting.size >= this.#mostWaiting) this.#waiting.delete(oldest);
    this.#waiting.set(orderId, report);
  }

  /** Removes and returns the report of an order that waits for its owner; null if there is none. */
  take(orderId: OrderId): SourcedOrder | null {
    const report = this.#waiting.get(orderId) ?? null;
    this.#waiting.delete(orderId);
    return report;
  }

  /** The reports that wait, the longest wait first. If the process ends now, they have to be read again. */
  held(): readonly SourcedOrder[] {
    return [...this.#waiting.values()];
  }

  #moveForeign(foreign: ForeignOrder, event: OrderEvent): void {
    const verdict = verdictOf(foreign.state, event);
    invariant(verdict.kind !== 'illegal', 'an order does not live by its table', { ...foreign, event });
    if (verdict.kind === 'move') foreign.state = verdict.to;
    if (!isTerminal(foreign.state)) return void this.#foreign.add(foreign);
    this.#foreign.delete(foreign);
    [foreign.shown, foreign.openSinceMs, foreign.lapsesMonotonicMs] = [null, null, null];
  }

  #move(tracked: TrackedOrder, state: OrderState, patch: OrderPatch, source: string): void {
    const before = tracked.order;
    const after: LiveOrder = { ...before, ...patch, state };
    if (unchanged(before, after)) return;
    this.#index(tracked, before, after);
    tracked.order = after;
    if (state === 'closed' && before.state !== state) tracked.closedMs = this.#clock.monotonicMs();
    if (isTerminal(state)) this.#end(tracked);
    else if (this.#over.delete(tracked)) this.#activate(tracked);
    this.#onChange(tracked, before, source);
  }

  #activate(tracked: TrackedOrder): void {
    this.#active.add(tracked);
    const key = eventKey(tracked.order);
    const others = this.#activeOn.get(key) ?? new Set();
    this.#activeOn.set(key, others.add(tracked));
  }

  /** Ends an order of ours, and forgets the one that ended first if too many have. */
  #end(tracked: TrackedOrder): void {
    if (!this.#active.delete(tracked)) return;
    const key = eventKey(tracked.order);
    const others = this.#activeOn.get(key);
    others?.delete(tracked);
    if (others?.size === 0) this.#activeOn.delete(key);
    this.#over.add(tracked);
    const [oldest] = this.#over;
    if (oldest === undefined || this.#over.size <= KEPT_OVER) return;
    this.#over.delete(oldest);
    this.#byUuid.delete(oldest.order.requestUuid);
    if (oldest.order.orderId !== null) this.#byId.delete(oldest.order.orderId);
  }

  #index(tracked: TrackedOrder, before: LiveOrder, { orderId, requestUuid }: LiveOrder): void {
    if (orderId === null || orderId === before.orderId) return;
    const holder = this.#byId.get(orderId);
    if (before.orderId !== null || holder?.owner === 'own') {
      const ids = { orderId, uuid: requestUuid };
      throw new InvariantError('an order has a second order id, or the id of another order', ids);
    }
    if (holder !== undefined) this.#foreign.delete(holder);
    this.#byId.set(orderId, tracked);
  }
}

/**
 * Returns the event that a report is in the life of an order. A slow answer may show an order open that a newer report has shown closed, so only an
 * answer to a later request shows that it is open again, unless no report has shown it closed.
 */
export function eventShown(
  record: TrackedOrder | ForeignOrder,
  { closed }: Pick<VenueOrder, 'closed'>,
  askedMs: number,
): OrderEvent {
  if (closed) return 'seen_closed';
  const { state } = record.owner === 'own' ? record.order : record;
  const isAgain = state === 'closed' && askedMs >= (record.closedMs ?? -Infinity) + FRESH_MS;
  return isAgain ? 'seen_open_again' : 'seen_open';
}

const newForeign = (orderId: OrderId, orderType: string): ForeignOrder => ({
  owner: 'foreign',
  orderId,
  orderType,
  state: 'unknown',
  shown: null,
  openSinceMs: null,
  lapsesMonotonicMs: null,
  closedMs: null,
  unknownTimes: 0,
});

/** The whole life of an order after it was first seen: our clock is never compared with the exchange's. */
const lapsesMs = ({ placementTimeMs, expiryTimeMs }: VenueOrder, seenMs: number): number | null =>
  placementTimeMs === null || expiryTimeMs === null ? null : seenMs + expiryTimeMs - placementTimeMs;

function unchanged(a: LiveOrder, b: LiveOrder): boolean {
  return (
    a.state === b.state &&
    a.orderId === b.orderId &&
    a.expiryMs === b.expiryMs &&
    a.closeReason === b.closeReason &&
    a.filledMicros === b.filledMicros
  );
}
