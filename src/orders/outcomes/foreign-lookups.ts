import { isNotFound } from '../../domain/errors.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { VenueOrder } from '../../domain/orders.ts';
import type { OrderContext } from '../state/context.ts';
import type { ExecutionReports } from './execution-reports.ts';
import type { ForeignOrders } from './foreign-orders.ts';

/** Looks up single orders that are not in the journal, with at most one request in flight for each. */
export class ForeignLookups {
  readonly #context: OrderContext;
  readonly #foreign: ForeignOrders;
  readonly #reports: ExecutionReports;
  readonly #out = new Map<OrderId, Promise<void>>();

  constructor(context: OrderContext, foreign: ForeignOrders, reports: ExecutionReports) {
    [this.#context, this.#foreign, this.#reports] = [context, foreign, reports];
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
    const apply = (answer: () => void): void => {
      this.#out.delete(orderId);
      answered.resolve(undefined);
      answer();
    };
    this.#context.queue.call(
      () => this.#context.deps.venue.order(orderId, { priority: 'reducing', once }),
      (order) => apply(() => this.#found(order)),
      (error) => apply(() => this.#failed(orderId, error, once)),
    );
    return answered.promise;
  }

  #found(order: VenueOrder): void {
    this.#reports.order(order, 'look-up');
  }

  #failed(orderId: OrderId, error: unknown, once: boolean): void {
    const { log } = this.#context;
    log[once ? 'debug' : 'warn']('an order that the journal does not record could not be looked up', {
      orderId,
      error,
    });
    if (isNotFound(error)) this.#foreign.notFound(orderId);
  }
}
