import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import { PRICES } from './ladder.ts';
import { type Kind, kindOf, ofSelection, sideOf, sideOfKind } from './order-terms.ts';
import type { ReceivedMarket } from './received-offers.ts';

/** Prices that the exchange shows may include an order of ours this long after it is over. */
const SHOWN_FOR_MS = 20_000;

/** Complements are computed with rounding. */
const ROUNDING = 1e-9;

interface Resting {
  readonly kind: Kind;
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
    for (const order of changed) {
      const { orderId, price, closed } = order;
      const kind = kindOf(order);
      if (kind === null) continue;
      const untilMs = closed ? this.#nowMs() + SHOWN_FOR_MS : Infinity;
      const orders = this.#ordersAt(marketOf(order, sideOfKind(kind)));
      orders.set(orderId, {
        kind,
        price,
        untilMs: Math.min(untilMs, orders.get(orderId)?.untilMs ?? Infinity),
      });
    }
  }

  /** Whether stake shown to takers of a market at a price of this kind may be ours, or another user's on our account. */
  mayBe(market: ReceivedMarket, price: number, kind: Kind): boolean {
    const orders = this.#resting.get(marketOf(market, sideOfKind(kind) === 'for' ? 'against' : 'for'));
    for (const [orderId, order] of orders ?? []) {
      if (order.untilMs < this.#nowMs()) orders?.delete(orderId);
      else if (isShownAt(order, price, kind)) return true;
    }
    return false;
  }

  #ordersAt(market: string): Map<number, Resting> {
    const known = this.#resting.get(market) ?? new Map<number, Resting>();
    this.#resting.set(market, known);
    return known;
  }
}

const marketOf = ({ sport, eventId, betType }: ReceivedMarket, side: string): string =>
  `${sport} ${eventId} ${side} ${betType.slice((sideOf(betType)?.length ?? 0) + 1)}`;

/** Whether takers see an order at a price: the first tick of their prices that is no better than the order's. */
function isShownAt(order: Resting, price: number, kind: Kind): boolean {
  const same = order.kind.endsWith('-for') === kind.endsWith('-for');
  if (same) return order.price === price;
  // Both price the other side of the same bet, so the complement of one is the price of the other.
  const exact = ofSelection('odds-against', order.price);
  return kind.startsWith('lay-')
    ? PRICES.find((tick) => tick >= exact - ROUNDING) === price
    : PRICES.findLast((tick) => tick <= exact + ROUNDING) === price;
}
