import { eventKey, type EventName } from '../domain/events.ts';
import type { EventKey, OrderId } from '../domain/ids.ts';
import type { Fill } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import type { EventResult, OrderResult } from '../domain/settlement.ts';

interface SettledOrder {
  readonly result: OrderResult;
  readonly hasBets: boolean;
}

const NONE: EventResult = { orders: 0, micros: 0 };

/** The last result of each settled order, and their sums. */
export class Realised {
  readonly #orders = new Map<OrderId, SettledOrder>();
  readonly #onEvent = new Map<EventKey, EventName & EventResult>();
  #totalMicros: Micros = 0;

  get totalMicros(): Micros {
    return this.#totalMicros;
  }

  /** The result of an order; null while there is none. */
  of(orderId: OrderId): Micros | null {
    return this.#orders.get(orderId)?.result.profitLossMicros ?? null;
  }

  on(event: EventName): EventResult {
    return this.#onEvent.get(eventKey(event)) ?? NONE;
  }

  /** Whether an event ever had a result. */
  has(event: EventName): boolean {
    return this.#onEvent.has(eventKey(event));
  }

  /** Events with results, and the sums of these. */
  events(): readonly (EventName & EventResult)[] {
    return [...this.#onEvent.values()];
  }

  /** Takes a result in place of the order's earlier one. */
  set(result: OrderResult, hasBets: boolean): void {
    const earlier = this.#orders.get(result.orderId);
    if (earlier?.result.profitLossMicros === result.profitLossMicros) return;
    this.drop(result.orderId);
    this.#add({ result, hasBets: hasBets || earlier?.hasBets === true });
  }

  /** Drops the result of an order, if there is one. */
  drop(orderId: OrderId): void {
    const settled = this.#orders.get(orderId);
    if (settled === undefined) return;
    this.#orders.delete(orderId);
    this.#count(settled, -1);
  }

  /** The event of the reported bet takes the order's result, even if the exchange has moved the order since. */
  onBet({ orderId, sport, eventId }: Fill): void {
    const settled = this.#orders.get(orderId);
    if (settled === undefined || (settled.result.sport === sport && settled.result.eventId === eventId))
      return;
    this.drop(orderId);
    this.#add({ ...settled, result: { ...settled.result, sport, eventId } });
  }

  #add(settled: SettledOrder): void {
    this.#orders.set(settled.result.orderId, settled);
    this.#count(settled, 1);
  }

  #count({ result: { sport, eventId, profitLossMicros }, hasBets }: SettledOrder, sign: 1 | -1): void {
    this.#totalMicros += sign * profitLossMicros;
    const event = { sport, eventId };
    const { orders, micros } = this.on(event);
    const counted = { orders: orders + (hasBets ? sign : 0), micros: micros + sign * profitLossMicros };
    this.#onEvent.set(eventKey(event), { ...event, ...counted });
  }
}
