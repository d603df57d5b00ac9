import type { InspectedOrder } from '../../src/simulator/core/api.ts';

/** Counts orders and bets of the exchange, change by change. Remembers only the orders that are open. */
export class MatchedBets {
  /** Orders that the exchange has accepted. */
  orders = 0;
  /** Bets that it has matched. */
  bets = 0;
  /** The number of bets of each open order. */
  readonly #betsOfOpen = new Map<number, number>();

  /** An order in its state after a change. Each order is seen open first; a closed one changes again when it is paid. */
  saw({ orderId, closed, fills }: Pick<InspectedOrder, 'orderId' | 'closed' | 'fills'>): void {
    const known = this.#betsOfOpen.get(orderId);
    if (known === undefined && closed) return;
    if (known === undefined) this.orders++;
    this.bets += fills.length - (known ?? 0);
    if (closed) this.#betsOfOpen.delete(orderId);
    else this.#betsOfOpen.set(orderId, fills.length);
  }
}
