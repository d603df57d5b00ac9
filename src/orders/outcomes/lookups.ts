import type { TrackedOrder } from '../../account/orders.ts';
import { isNotFound } from '../../domain/errors.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { VenueOrder } from '../../domain/orders.ts';
import type { OrderContext } from '../state/context.ts';
import type { ExecutionReports } from './execution-reports.ts';

/** The result of a look-up: the order is open, is over, does not exist, or the look-up failed and proves nothing. */
export type LookupResult = 'open' | 'over' | 'not_found' | 'failed';

/** Results after which an order may be open and is closed: closes may work while look-ups fail. */
export const MAY_BE_OPEN: ReadonlySet<LookupResult> = new Set(['open', 'failed']);

/** Learns of a look-up by id that found no order, and of the monotonic instant at which it was asked. */
export type OnNotFound = (orderId: OrderId, askedMs: number) => void;

/** Looks up single orders of ours, with at most one request in flight for each. */
export class Lookups {
  readonly #context: OrderContext;
  readonly #reports: ExecutionReports;
  readonly #onNotFound: OnNotFound;
  /** Monotonic instant at which each look-up in flight was sent. */
  readonly #out = new Map<TrackedOrder, number>();

  constructor(context: OrderContext, reports: ExecutionReports, onNotFound: OnNotFound) {
    this.#context = context;
    this.#reports = reports;
    this.#onNotFound = onNotFound;
  }

  isOut(tracked: TrackedOrder): boolean {
    return this.#out.has(tracked);
  }

  /** Monotonic instant at which the order's look-up in flight was sent; null when there is none. */
  outSinceMs(tracked: TrackedOrder): number | null {
    return this.#out.get(tracked) ?? null;
  }

  /**
   * Looks an order up by its id, or by its request_uuid while the id is unknown, and applies what is found. Does
   * nothing while a look-up of the order is in flight. Any error but "not found" is `failed`, never absence.
   * With `once`, the client does not repeat a failed request.
   */
  ask(tracked: TrackedOrder, done: (result: LookupResult) => void, once = false): void {
    if (this.#out.has(tracked)) return;
    this.#out.set(tracked, this.#context.deps.clock.monotonicMs());
    this.#context.queue.call(
      () => this.#read(tracked, once),
      (order) => this.#found(tracked, order, done),
      (error) => this.#failed(tracked, error, done),
    );
  }

  /** Like `ask`, for a caller that waits. */
  async settle(tracked: TrackedOrder): Promise<LookupResult> {
    if (this.#out.has(tracked)) return 'failed';
    return new Promise((resolve) => void this.ask(tracked, resolve));
  }

  #read({ order }: TrackedOrder, once: boolean): Promise<VenueOrder> {
    const { venue } = this.#context.deps;
    const options = { priority: 'reducing', once } as const;
    return order.orderId === null
      ? venue.trackedOrder(order.requestUuid, options)
      : venue.order(order.orderId, options);
  }

  #found(tracked: TrackedOrder, order: VenueOrder, done: (result: LookupResult) => void): void {
    const askedMs = this.#out.get(tracked);
    this.#out.delete(tracked);
    const ours = this.#reports.order(order, 'look-up', tracked.order.requestUuid, askedMs);
    done(ours !== tracked ? 'failed' : order.closed ? 'over' : 'open');
  }

  #failed(tracked: TrackedOrder, error: unknown, done: (result: LookupResult) => void): void {
    const askedMs = this.#out.get(tracked);
    this.#out.delete(tracked);
    const { orderId } = tracked.order;
    const result = isNotFound(error) ? 'not_found' : 'failed';
    this.#context.log.debug('look-up without an order', { uuid: tracked.order.requestUuid, result, error });
    done(result);
    if (result === 'not_found' && orderId !== null && askedMs !== undefined)
      this.#onNotFound(orderId, askedMs);
  }
}

interface Asked {
  /** Monotonic. */
  readonly askedMs: number;
  readonly once: boolean;
}

/** Looks up single orders that are not in the journal, with at most one request in flight for each. */
export class ForeignLookups {
  readonly #context: OrderContext;
  readonly #reports: ExecutionReports;
  readonly #onNotFound: OnNotFound;
  readonly #out = new Map<OrderId, Promise<void>>();

  constructor(context: OrderContext, reports: ExecutionReports, onNotFound: OnNotFound) {
    this.#context = context;
    this.#reports = reports;
    this.#onNotFound = onNotFound;
  }

  /**
   * Resolves when the answer is applied. An order that cannot be read still counts as open. With `once`, the
   * client does not repeat a failed request: the caller repeats it in its turn.
   */
  ask(orderId: OrderId, once = false): Promise<void> {
    const asked = this.#out.get(orderId) ?? this.#ask(orderId, once);
    this.#out.set(orderId, asked);
    return asked;
  }

  #ask(orderId: OrderId, once: boolean): Promise<void> {
    const answered = Promise.withResolvers<undefined>();
    const askedMs = this.#context.deps.clock.monotonicMs();
    const apply = (answer: () => void): void => {
      this.#out.delete(orderId);
      answered.resolve(undefined);
      answer();
    };
    this.#context.queue.call(
      () => this.#context.deps.venue.order(orderId, { priority: 'reducing', once }),
      (order) => apply(() => this.#reports.order(order, 'look-up', null, askedMs)),
      (error) => apply(() => this.#failed(orderId, error, { askedMs, once })),
    );
    return answered.promise;
  }

  #failed(orderId: OrderId, error: unknown, { askedMs, once }: Asked): void {
    const { log } = this.#context;
    const message = 'an order that the journal does not record could not be looked up';
    if (once) log.debug(message, { orderId, error });
    else log.warn(message, { orderId, error });
    if (!isNotFound(error)) return;
    this.#reports.notFound(orderId);
    this.#onNotFound(orderId, askedMs);
  }
}
