import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import type { ReceivedMarket } from './received-offers.ts';

/** Prices that the exchange shows may include an order of ours this long after it is over. */
const SHOWN_FOR_MS = 20_000;

interface Resting {
  readonly price: number;
  readonly untilMs: number;
}

/** The prices at which shown stake may be ours. */
export class OwnPrices {
  readonly #nowMs: () => number;
  readonly #resting = new Map<string, Map<number, Resting>>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The present orders of the account. */
  see(changed: readonly InspectedOrder[]): void {
    for (const { orderId, sport, eventId, betType, price, closed } of changed) {
      const untilMs = closed ? this.#nowMs() + SHOWN_FOR_MS : Infinity;
      const orders = this.#ordersAt(`${sport} ${eventId} ${betType}`);
      orders.set(orderId, { price, untilMs: Math.min(untilMs, orders.get(orderId)?.untilMs ?? Infinity) });
    }
  }

  /** Whether stake shown to takers at a price may be ours, or another user's on our account. */
  mayBe({ sport, eventId, betType }: ReceivedMarket, price: number): boolean {
    const orders = this.#resting.get(`${sport} ${eventId} ${otherSideOf(betType)}`);
    for (const [orderId, order] of orders ?? []) {
      if (order.untilMs < this.#nowMs()) orders?.delete(orderId);
      else if (order.price === price) return true;
    }
    return false;
  }

  #ordersAt(market: string): Map<number, Resting> {
    const known = this.#resting.get(market) ?? new Map<number, Resting>();
    this.#resting.set(market, known);
    return known;
  }
}

const otherSideOf = (betType: string): string =>
  betType.startsWith('for,') ? `against,${betType.slice(4)}` : betType.replace(/^against,/, 'for,');
