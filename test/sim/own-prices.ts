import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import type { MarketTold } from './received-offers.ts';

/** What the exchange shows may hold an order of ours for so long after it is over. */
const SHOWN_FOR_MS = 20_000;

interface Resting {
  readonly price: number;
  readonly untilMs: number;
}

/** At which prices shown stake may be ours. */
export class OwnPrices {
  readonly #nowMs: () => number;
  readonly #resting = new Map<string, Map<number, Resting>>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Orders of the account as they are now. */
  see(changed: readonly InspectedOrder[]): void {
    for (const { orderId, sport, eventId, betType, price, closed } of changed) {
      const untilMs = closed ? this.#nowMs() + SHOWN_FOR_MS : Infinity;
      const orders = this.#ordersAt(`${sport} ${eventId} ${betType}`);
      orders.set(orderId, { price, untilMs: Math.min(untilMs, orders.get(orderId)?.untilMs ?? Infinity) });
    }
  }

  /** Whether stake that takers of a market are shown at a price may be ours, or somebody's on our account. */
  mayBe({ sport, eventId, betType }: MarketTold, price: number): boolean {
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
