import type { OrderId } from '../domain/ids.ts';
import { Turns } from './backoff.ts';
import { requestClose, saysOver, throttledMs } from './close-request.ts';
import { closesAll, type Desk } from './desk.ts';
import type { ForeignOrders } from './foreign.ts';

const AGAIN_AFTER_MS = 2_500;
/** Of many strays one is closed again in so long: as many of ours may fail to close besides, and leave half of all requests. */
const TURN_MS = 400;

/**
 * Closes open orders that carry our mark and that nothing tracks, until the exchange shows each closed: those that it had
 * refused or that a damaged journal no longer tells of, and all of them when everything of ours is to be closed.
 */
export class Strays {
  readonly #desk: Desk;
  readonly #foreign: ForeignOrders;
  readonly #look: (orderId: OrderId) => unknown;
  /** By order, when its close is asked for again. */
  readonly #nextMs = new Map<OrderId, number>();
  readonly #turns = new Turns();

  /**
   * Strays count as foreign orders until they are closed. `look` asks after one, once: the stream tells of the end of each; what
   * it has missed would count as open for good. The next close asks again, in its turn.
   */
  constructor(desk: Desk, foreign: ForeignOrders, look: (orderId: OrderId) => unknown) {
    [this.#desk, this.#foreign, this.#look] = [desk, foreign, look];
  }

  get dueMs(): number {
    return this.#nextMs.size === 0 ? Infinity : -Infinity;
  }

  /** One is seen open. */
  seen(orderId: OrderId): void {
    if (!this.#nextMs.has(orderId)) this.#close(orderId);
  }

  sweep(): void {
    const now = this.#desk.deps.clock.monotonicMs();
    if (closesAll(this.#desk) !== null) for (const { orderId } of this.#foreign.ours()) this.seen(orderId);
    for (const orderId of [...this.#nextMs.keys()])
      if (!this.#foreign.isOpen(orderId)) this.#nextMs.delete(orderId);
    const waiting = [...this.#nextMs].sort(([, a], [, b]) => a - b);
    for (const [orderId, nextMs] of waiting)
      if (now >= nextMs && this.#turns.take(now, TURN_MS)) this.#close(orderId);
  }

  #close(orderId: OrderId): void {
    this.#nextMs.set(orderId, this.#desk.deps.clock.monotonicMs() + AGAIN_AFTER_MS);
    this.#desk.queue.call(
      () => requestClose(this.#desk, orderId),
      () => undefined,
      (error) => this.#failed(orderId, error),
    );
  }

  #failed(orderId: OrderId, error: unknown): void {
    if (saysOver(error)) return void this.#look(orderId);
    const earliestMs = this.#desk.deps.clock.monotonicMs() + throttledMs(error);
    this.#nextMs.set(orderId, Math.max(earliestMs, this.#nextMs.get(orderId) ?? -Infinity));
    this.#desk.log.warn('a stray order could not be closed', { orderId, error });
  }
}
