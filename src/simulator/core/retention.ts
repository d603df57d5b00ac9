import type { Catalogue } from './catalogue.ts';
import type { Keeper } from './keeper.ts';
import type { EventRecord, OrderRecord } from './model.ts';
import type { Scheduler } from './scheduler.ts';
import type { ExchangeSettings } from './settings.ts';

export interface RetentionParts {
  readonly scheduler: Scheduler;
  readonly keeper: Keeper;
  readonly catalogue: Catalogue;
  readonly settings: Pick<ExchangeSettings, 'orderRetentionMs'>;
}

/** Forgets what is over, once nobody may ask for it any more. */
export class Retention {
  readonly #parts: RetentionParts;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
  }

  /** Plans the end of a new order's record. */
  watch(order: OrderRecord): void {
    this.#later(order.expiryMs, () => this.#forgetOrder(order));
  }

  /** Plans the end of an ended event's record. */
  watchEvent(event: EventRecord): void {
    this.#later(this.#parts.scheduler.nowMs, () => this.#forgetEvent(event));
  }

  #later(fromMs: number, run: () => void): void {
    this.#parts.scheduler.at(fromMs + this.#parts.settings.orderRetentionMs, run);
  }

  /** An order whose bets wait for their result stays. */
  #forgetOrder(order: OrderRecord): void {
    const isOver = order.closed && order.bets.every(({ settled }) => settled);
    if (!isOver) return this.#later(this.#parts.scheduler.nowMs, () => this.#forgetOrder(order));
    const { account } = order;
    this.#parts.keeper.forget(order);
    account.orders.delete(order.orderId);
    if (order.requestUuid !== null) account.ordersByUuid.delete(order.requestUuid);
    for (const { event } of order.legs.length > 0 ? order.legs : [order]) event.orders.delete(order);
  }

  #forgetEvent(event: EventRecord): void {
    if (event.orders.size > 0) this.watchEvent(event);
    else if (event.phase !== 'live') this.#parts.catalogue.forget(event);
  }
}
