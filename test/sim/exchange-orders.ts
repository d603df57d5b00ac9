import type { InspectedOrder } from '../../src/simulator/core/api.ts';

/** The exchange's own orders, followed change by change: what is open, and what changed since it was last asked. */
export class ExchangeOrders {
  readonly #all = new Map<number, InspectedOrder>();
  readonly #open = new Map<number, InspectedOrder>();
  #changed = new Map<number, InspectedOrder>();

  /** An order as it is after a change. */
  saw(order: InspectedOrder): void {
    this.#all.set(order.orderId, order);
    this.#changed.set(order.orderId, order);
    if (order.closed) this.#open.delete(order.orderId);
    else this.#open.set(order.orderId, order);
  }

  /** Every order that there ever was, by hand and of the daemon. */
  all(): readonly InspectedOrder[] {
    return [...this.#all.values()];
  }

  /** Orders that are not closed. */
  open(): readonly InspectedOrder[] {
    return [...this.#open.values()];
  }

  /** Each order that changed since this was last called, as it is now. */
  takeChanged(): readonly InspectedOrder[] {
    if (this.#changed.size === 0) return [];
    const changed = [...this.#changed.values()];
    this.#changed = new Map();
    return changed;
  }
}

/** Orders of the daemon carry a uuid, orders placed by hand none. */
export type OwnOrder = InspectedOrder & { readonly requestUuid: string };

export const isOwn = (order: InspectedOrder): order is OwnOrder => order.requestUuid !== null;
