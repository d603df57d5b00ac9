import type { OrderId } from '../../domain/ids.ts';
import { markOf } from '../../domain/installation.ts';
import { isTerminal } from '../../domain/lifecycle.ts';
import type { OrderPage, UnreadOrder } from '../../domain/order-listing.ts';
import type { OrderContext } from '../state/context.ts';
import { FRESH_MS, type TrackedOrder } from '../../account/orders.ts';
import type { ExecutionReports } from './execution-reports.ts';

/** Pause between two lists that may be the last piece of a proof. */
const LIST_EVERY_MS = 1_000;

/** The look-ups that did not find an order, with no report of it in between. */
interface Unfound {
  /** Monotonic instants at which the first and the last of them were asked. */
  readonly firstMs: number;
  readonly lastMs: number;
  readonly lookups: number;
}

/**
 * Ends orders that do not exist, during a stop. An exchange may answer a create request with an id that it does
 * not know. Such an order cannot be closed, and would keep a stop from ending until its life is over.
 *
 * A single "not found" proves nothing, because an exchange may know a new order late. The proof is: look-ups over `FRESH_MS` do not find
 * the order, no report shows it meanwhile, and a list of open orders that is asked for afterwards does not show it. If it appears
 * later, it counts again, and is closed (`ExecutionReports`).
 */
export class AbsentOrders {
  readonly #context: OrderContext;
  readonly #reports: Pick<ExecutionReports, 'giveUp'>;
  readonly #strays: () => readonly OrderId[];
  readonly #list: () => Promise<OrderPage>;
  readonly #unfound = new Map<OrderId, Unfound>();
  #isListing = false;
  #listedMs = -Infinity;

  /** `strays` are orders that are to be closed and not tracked. `list` lists the open orders, and reports them. */
  constructor(
    context: OrderContext,
    reports: Pick<ExecutionReports, 'giveUp'>,
    strays: () => readonly OrderId[],
    list: () => Promise<OrderPage>,
  ) {
    [this.#context, this.#reports, this.#strays, this.#list] = [context, reports, strays, list];
  }

  /** A report shows the order: it exists. */
  shown(orderId: OrderId | null): void {
    if (orderId !== null) this.#unfound.delete(orderId);
  }

  /** A look-up that was asked at this monotonic instant did not find the order. */
  notFound(orderId: OrderId, askedMs: number): void {
    if (!this.#isToBeClosed(orderId)) return void this.#unfound.delete(orderId);
    const { firstMs, lookups } = this.#unfound.get(orderId) ?? { firstMs: askedMs, lookups: 0 };
    this.#unfound.set(orderId, { firstMs, lastMs: askedMs, lookups: lookups + 1 });
    this.#compare();
  }

  #own(orderId: OrderId): TrackedOrder | undefined {
    const known = this.#context.book.byId(orderId);
    return known?.owner === 'own' ? known : undefined;
  }

  #isToBeClosed(orderId: OrderId): boolean {
    if (!this.#context.halts.has('drain')) return false;
    const tracked = this.#own(orderId);
    if (tracked !== undefined) return tracked.closeWanted && !isTerminal(tracked.order.state);
    return this.#strays().includes(orderId);
  }

  /** Compares the orders that only lack the list with a new one. */
  #compare(): void {
    const nowMs = this.#context.deps.clock.monotonicMs();
    const candidates = [...this.#unfound].flatMap(([orderId, { firstMs, lastMs }]) =>
      lastMs - firstMs >= FRESH_MS ? [orderId] : [],
    );
    if (candidates.length === 0 || this.#isListing || nowMs < this.#listedMs + LIST_EVERY_MS) return;
    this.#isListing = true;
    this.#listedMs = nowMs;
    this.#context.queue.call(
      this.#list,
      (open) => this.#listed(candidates, open),
      (error) => {
        this.#isListing = false;
        this.#context.log.debug('open orders could not be listed', { error });
      },
    );
  }

  #listed(candidates: readonly OrderId[], { orders, unread }: OrderPage): void {
    this.#isListing = false;
    const listed = new Set(orders.map(({ orderId }) => orderId));
    for (const orderId of candidates) {
      const unfound = this.#unfound.get(orderId);
      if (unfound === undefined || listed.has(orderId) || !this.#isToBeClosed(orderId)) continue;
      if (!unread.some((entry) => this.#mayBe(entry, orderId))) this.#end(orderId, unfound);
    }
  }

  /** Returns whether an entry that cannot be read may be of the order. */
  #mayBe(entry: UnreadOrder, orderId: OrderId): boolean {
    if (entry.orderId !== null) return entry.orderId === orderId;
    if (entry.userData === null) return true;
    const uuid = this.#own(orderId)?.order.requestUuid;
    return uuid === undefined || markOf(entry.userData)?.uuid === uuid;
  }

  #end(orderId: OrderId, { firstMs, lastMs, lookups }: Unfound): void {
    this.#unfound.delete(orderId);
    const { book, metrics, log } = this.#context;
    metrics.alarms.inc({ kind: 'forgotten' });
    log.error('an order that is to be closed does not exist', { orderId, lookups, overMs: lastMs - firstMs });
    const tracked = this.#own(orderId);
    if (tracked === undefined) this.#reports.giveUp(orderId);
    else book.apply(tracked, 'proven_absent', { closeReason: 'not_found' }, 'look-up');
  }
}
