import type { Catalogue } from './catalogue.ts';
import type { OrderLifecycle } from './order-lifecycle.ts';
import type { EventRecord, OrderRecord } from './model.ts';
import type { Scheduler } from './scheduler.ts';
import type { ExchangeSettings } from './settings.ts';

/** Drops records that customers can no longer look up. */
export class Retention {
  readonly #scheduler: Scheduler;
  readonly #lifecycle: OrderLifecycle;
  readonly #catalogue: Catalogue;
  readonly #settings: Pick<ExchangeSettings, 'orderRetentionMs' | 'eventRetentionMs'>;

  constructor(
    scheduler: Scheduler,
    lifecycle: OrderLifecycle,
    catalogue: Catalogue,
    settings: Pick<ExchangeSettings, 'orderRetentionMs' | 'eventRetentionMs'>,
  ) {
    [this.#scheduler, this.#lifecycle] = [scheduler, lifecycle];
    [this.#catalogue, this.#settings] = [catalogue, settings];
  }

  /** Plans to drop a new order's record, `orderRetentionMs` after its last change. */
  watch(order: OrderRecord): void {
    this.#laterOrder(order, this.#scheduler.nowMs);
  }

  /** Plans to drop an ended event's record. While orders refer to it, the record stays with the parts that they need. */
  watchEvent(event: EventRecord): void {
    this.#scheduler.after(this.#settings.eventRetentionMs, () => this.#forgetEvent(event));
  }

  #laterOrder(order: OrderRecord, fromMs: number): void {
    this.#scheduler.at(fromMs + this.#settings.orderRetentionMs, () => this.#forgetOrder(order));
  }

  /** Drops the order, or plans another check. An order whose bets wait for their result stays. */
  #forgetOrder(order: OrderRecord): void {
    const isOver = order.closed && order.bets.every(({ settled }) => settled);
    if (!isOver) return this.#laterOrder(order, this.#scheduler.nowMs);
    const { updatedMs } = order;
    if (updatedMs + this.#settings.orderRetentionMs > this.#scheduler.nowMs)
      return this.#laterOrder(order, updatedMs);
    const { account } = order;
    this.#lifecycle.forget(order);
    account.orders.delete(order.orderId);
    if (order.requestUuid !== null) account.ordersByUuid.delete(order.requestUuid);
    for (const event of order.events) {
      event.orders.delete(order);
      if (event.orders.size === 0 && event.phase !== 'live') this.watchEvent(event);
    }
  }

  /** Drops the event, or only its books. A removed event keeps its books while orders refer to it: it may come back. */
  #forgetEvent(event: EventRecord): void {
    if (event.phase === 'live') return;
    if (event.orders.size === 0) this.#catalogue.forget(event);
    else if (event.phase !== 'removed') event.books.clear();
  }
}
