import { isNotFound } from '../../domain/errors.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { VenueOrder } from '../../domain/orders.ts';
import type { OrderContext } from '../state/context.ts';
import type { ExecutionReports } from './execution-reports.ts';
import type { ForeignOrders } from './foreign-orders.ts';

/** Asks the exchange about single orders that the journal does not tell of, at most one question about each at a time. */
export class ForeignLookups {
  readonly #context: OrderContext;
  readonly #foreign: ForeignOrders;
  readonly #reports: ExecutionReports;
  readonly #out = new Map<OrderId, Promise<void>>();

  constructor(context: OrderContext, foreign: ForeignOrders, reports: ExecutionReports) {
    [this.#context, this.#foreign, this.#reports] = [context, foreign, reports];
  }

  /**
   * Resolves when the answer is applied. One that cannot be read leaves the order counted as open. With `once` it is not
   * repeated by the client, however it fails: whoever asks does that in turn.
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
    log[once ? 'debug' : 'warn']('an order that the journal does not tell of could not be looked up', {
      orderId,
      error,
    });
    if (isNotFound(error)) this.#foreign.notFound(orderId);
  }
}
