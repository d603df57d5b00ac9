import type { EventId, OrderId } from '../domain/ids.ts';
import type { Micros } from '../domain/money.ts';
import type { OrderResult } from '../domain/settlement.ts';

/** What the settled orders of an event came to. */
interface EventResult {
  readonly orders: number;
  readonly micros: Micros;
}

const NONE: EventResult = { orders: 0, micros: 0 };

/** The last result of each settled order, and what they add up to. */
export class Realised {
  readonly #results = new Map<OrderId, OrderResult>();
  readonly #onEvent = new Map<EventId, EventResult>();
  #totalMicros: Micros = 0;

  get totalMicros(): Micros {
    return this.#totalMicros;
  }

  /** Of an order; null while there is none. */
  of(orderId: OrderId): Micros | null {
    return this.#results.get(orderId)?.profitLossMicros ?? null;
  }

  on(eventId: EventId): EventResult {
    return this.#onEvent.get(eventId) ?? NONE;
  }

  /** Takes a result in place of the order's earlier one; answers whether that changed anything. */
  take(result: OrderResult): boolean {
    if (this.of(result.orderId) === result.profitLossMicros) return false;
    this.drop(result.orderId);
    this.#results.set(result.orderId, result);
    this.#count(result, 1);
    return true;
  }

  /** Drops the result of an order, and answers it; null when there is none. */
  drop(orderId: OrderId): OrderResult | null {
    const result = this.#results.get(orderId);
    if (result === undefined) return null;
    this.#results.delete(orderId);
    this.#count(result, -1);
    return result;
  }

  #count({ eventId, profitLossMicros }: OrderResult, sign: 1 | -1): void {
    const { orders, micros } = this.on(eventId);
    this.#onEvent.set(eventId, { orders: orders + sign, micros: micros + sign * profitLossMicros });
    this.#totalMicros += sign * profitLossMicros;
  }
}
