import type { OrderId } from '../../domain/ids.ts';
import type { VenueBet } from '../../domain/orders.ts';

/** Orders whose bets wait. */
const MOST_ORDERS = 1_000;

/** Bets whose orders are not known yet, until they are. Where too many orders wait, the one that has waited longest is given up. */
export class ParkedBets {
  readonly #bets = new Map<OrderId, VenueBet[]>();
  readonly #mostOrders: number;

  constructor(mostOrders = MOST_ORDERS) {
    this.#mostOrders = mostOrders;
  }

  park(bet: VenueBet): void {
    const waiting = this.#bets.get(bet.orderId);
    if (waiting !== undefined) return void waiting.push(bet);
    if (this.#bets.size >= this.#mostOrders) this.#bets.delete(this.#bets.keys().next().value as OrderId);
    this.#bets.set(bet.orderId, [bet]);
  }

  /** Takes out the bets of an order, in the order in which they were told. */
  take(orderId: OrderId): readonly VenueBet[] {
    const bets = this.#bets.get(orderId) ?? [];
    this.#bets.delete(orderId);
    return bets;
  }
}
