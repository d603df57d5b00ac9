import { eventKey } from '../../domain/events.ts';
import type { EventKey } from '../../domain/ids.ts';
import type { ExposureBook } from './book.ts';
import type { EventBets } from './event-bets.ts';
import type { Bet } from './payoffs.ts';
import type { OrderTracker } from './tracker.ts';

/**
 * What would be at stake if chosen quotes were the only open orders of ours: matched bets, orders of others on the account, and
 * the chosen quotes. Quotes that are judged together are judged by it: the orders that rest now are about to be replaced.
 */
export class TargetBets {
  readonly #book: ExposureBook;
  readonly #tracker: OrderTracker;
  readonly #events = new Map<EventKey, EventBets>();
  #serial = 0;

  constructor(book: ExposureBook, tracker: OrderTracker) {
    this.#book = book;
    this.#tracker = tracker;
  }

  /** Whether a further quote, or bet of a hedge, reduces risk beside the chosen ones. */
  reduces(bet: Bet, isHedge = false): boolean {
    return this.#eventOf(bet).preview(bet, isHedge).reduces;
  }

  choose(bet: Bet): void {
    this.#eventOf(bet).put(`chosen:${++this.#serial}`, bet, false);
  }

  #eventOf(bet: Bet): EventBets {
    const key = eventKey(bet);
    const known = this.#events.get(key);
    if (known !== undefined) return known;
    const bets = this.#book.copy(bet, (entry) => !this.#tracker.isOurOpenOrder(entry));
    this.#events.set(key, bets);
    return bets;
  }
}
