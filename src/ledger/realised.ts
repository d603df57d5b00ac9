import { eventKey, type EventName } from '../domain/events.ts';
import type { EventKey, OrderId } from '../domain/ids.ts';
import type { Fill } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import type { EventResult, OrderResult } from '../domain/settlement.ts';

interface Taken {
  readonly result: OrderResult;
  readonly hasBets: boolean;
}

const NONE: EventResult = { orders: 0, micros: 0 };

/** The last result of each settled order, and what they add up to. */
export class Realised {
  readonly #taken = new Map<OrderId, Taken>();
  readonly #onEvent = new Map<EventKey, EventName & EventResult>();
  #totalMicros: Micros = 0;

  get totalMicros(): Micros {
    return this.#totalMicros;
  }

  /** Of an order; null while there is none. */
  of(orderId: OrderId): Micros | null {
    return this.#taken.get(orderId)?.result.profitLossMicros ?? null;
  }

  on(event: EventName): EventResult {
    return this.#onEvent.get(eventKey(event)) ?? NONE;
  }

  /** Events of which results are told, with what these come to. */
  events(): readonly (EventName & EventResult)[] {
    return [...this.#onEvent.values()];
  }

  /** Takes a result in place of the order's earlier one. */
  take(result: OrderResult, hasBets: boolean): void {
    const earlier = this.#taken.get(result.orderId);
    if (earlier?.result.profitLossMicros === result.profitLossMicros) return;
    this.drop(result.orderId);
    this.#add({ result, hasBets: hasBets || earlier?.hasBets === true });
  }

  /** Drops the result of an order, if there is one. */
  drop(orderId: OrderId): void {
    const taken = this.#taken.get(orderId);
    if (taken === undefined) return;
    this.#taken.delete(orderId);
    this.#count(taken, -1);
  }

  /** A bet is reported. Its event holds the order's result, also if the exchange has moved the event since. */
  onBet({ orderId, sport, eventId }: Fill): void {
    const taken = this.#taken.get(orderId);
    if (taken === undefined || (taken.result.sport === sport && taken.result.eventId === eventId)) return;
    this.drop(orderId);
    this.#add({ ...taken, result: { ...taken.result, sport, eventId } });
  }

  #add(taken: Taken): void {
    this.#taken.set(taken.result.orderId, taken);
    this.#count(taken, 1);
  }

  #count({ result: { sport, eventId, profitLossMicros }, hasBets }: Taken, sign: 1 | -1): void {
    this.#totalMicros += sign * profitLossMicros;
    const event = { sport, eventId };
    const { orders, micros } = this.on(event);
    const counted = { orders: orders + (hasBets ? sign : 0), micros: micros + sign * profitLossMicros };
    this.#onEvent.set(eventKey(event), { ...event, ...counted });
  }
}
