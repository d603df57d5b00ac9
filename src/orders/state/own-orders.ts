import type { EventName } from '../../domain/events.ts';
import type { OrderId, RequestUuid } from '../../domain/ids.ts';
import { isTerminal, type OrderEvent, type OrderState, verdictOf } from '../../domain/lifecycle.ts';
import type { Verdict } from '../../domain/state-table.ts';
import type { LiveOrder } from '../../domain/live-order.ts';
import type { PlaceOrder } from '../../domain/orders.ts';
import type { IntentKey, QuoteIntent } from '../../domain/quote-intent.ts';
import { InvariantError } from '../../lib/assert.ts';

/** An order of ours, with facts that only the manager needs. */
export interface TrackedOrder {
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

export type OrderPatch = Partial<Pick<LiveOrder, 'orderId' | 'expiryMs' | 'closeReason' | 'filledMicros'>>;

export interface OwnOrdersHooks {
  /** Called after each change, fills included. */
  onChange(tracked: TrackedOrder, before: LiveOrder | null, source: string): void;
  /** Called when the exchange contradicts an earlier report. */
  onAlarm(tracked: TrackedOrder, event: OrderEvent, reason: string, source: string): void;
}

/**
 * Ended orders that stay known: ten minutes at the exchange's limit of five orders a second. Reports on orders that ended come
 * much sooner, and one with a fill stays known to the fills. An order takes a kilobyte.
 */
const KEPT_OVER = 3_000;

/** All our orders and their lifecycle. Every change of an order goes through `apply`. */
export class OwnOrders {
  readonly #byUuid = new Map<RequestUuid, TrackedOrder>();
  readonly #byOrderId = new Map<OrderId, TrackedOrder>();
  readonly #active = new Set<TrackedOrder>();
  /** Oldest first. */
  readonly #over = new Set<TrackedOrder>();
  readonly #hooks: OwnOrdersHooks;

  constructor(hooks: OwnOrdersHooks) {
    this.#hooks = hooks;
  }

  /** Adds an order. An order of an earlier run that has ended already causes no `onChange`. */
  add(tracked: TrackedOrder, source: string): void {
    const { requestUuid, orderId, state } = tracked.order;
    if (this.#byUuid.has(requestUuid)) throw new InvariantError('request_uuid used twice', { requestUuid });
    this.#byUuid.set(requestUuid, tracked);
    if (orderId !== null) this.#byOrderId.set(orderId, tracked);
    if (isTerminal(state)) {
      this.#over.add(tracked);
      return;
    }
    this.#active.add(tracked);
    this.#hooks.onChange(tracked, null, source);
  }

  /**
   * Applies an event to an order. Throws InvariantError when the lifecycle forbids the event, or when the
   * order's id would change.
   */
  apply(tracked: TrackedOrder, event: OrderEvent, patch: OrderPatch, source: string): Verdict<OrderState> {
    const verdict = verdictOf(tracked.order.state, event);
    if (verdict.kind === 'illegal') this.#refuse(tracked, event, verdict.reason);
    if (verdict.kind === 'ignore' && verdict.alarm)
      this.#hooks.onAlarm(tracked, event, verdict.reason, source);
    if (verdict.kind === 'move') this.#move(tracked, verdict.to, patch, source);
    return verdict;
  }

  /** Orders that have not ended. */
  active(): Iterable<TrackedOrder> {
    return this.#active.values();
  }

  activeOf({ sport, eventId }: EventName): TrackedOrder[] {
    return [...this.#active].filter(({ order }) => order.eventId === eventId && order.sport === sport);
  }

  get activeCount(): number {
    return this.#active.size;
  }

  byUuid(uuid: RequestUuid): TrackedOrder | undefined {
    return this.#byUuid.get(uuid);
  }

  byOrderId(orderId: OrderId): TrackedOrder | undefined {
    return this.#byOrderId.get(orderId);
  }

  #move(tracked: TrackedOrder, state: OrderState, patch: OrderPatch, source: string): void {
    const before = tracked.order;
    const after: LiveOrder = { ...before, ...patch, state };
    if (unchanged(before, after)) return;
    this.#index(tracked, before, after);
    tracked.order = after;
    if (isTerminal(state)) this.#end(tracked);
    else if (this.#over.delete(tracked)) this.#active.add(tracked);
    this.#hooks.onChange(tracked, before, source);
  }

  /** Ends an order. Late reports may still name ended orders, so the latest ones stay known. */
  #end(tracked: TrackedOrder): void {
    if (!this.#active.delete(tracked)) return;
    this.#over.add(tracked);
    if (this.#over.size <= KEPT_OVER) return;
    const oldest = this.#over.values().next().value as TrackedOrder;
    this.#over.delete(oldest);
    this.#byUuid.delete(oldest.order.requestUuid);
    if (oldest.order.orderId !== null) this.#byOrderId.delete(oldest.order.orderId);
  }

  #index(tracked: TrackedOrder, before: LiveOrder, after: LiveOrder): void {
    if (after.orderId === null || after.orderId === before.orderId) return;
    const holder = this.#byOrderId.get(after.orderId);
    if (before.orderId !== null || (holder !== undefined && holder !== tracked)) {
      throw new InvariantError('an order has a second order id, or the id of another order', {
        orderId: after.orderId,
        uuid: after.requestUuid,
      });
    }
    this.#byOrderId.set(after.orderId, tracked);
  }

  #refuse(tracked: TrackedOrder, event: OrderEvent, reason: string): never {
    const { requestUuid, state } = tracked.order;
    throw new InvariantError(`order event is illegal: ${reason}`, { requestUuid, state, event });
  }
}

function unchanged(a: LiveOrder, b: LiveOrder): boolean {
  return (
    a.state === b.state &&
    a.orderId === b.orderId &&
    a.expiryMs === b.expiryMs &&
    a.closeReason === b.closeReason &&
    a.filledMicros === b.filledMicros
  );
}
