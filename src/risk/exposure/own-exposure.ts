import { isSameEvent } from '../../domain/events.ts';
import type { SelectionId } from '../../domain/ids.ts';
import type { Micros } from '../../domain/money.ts';
import type { ExposureBook } from './book.ts';
import type { EventBets } from './event-bets.ts';
import type { Bet } from './payoffs.ts';
import type { OrderTracker } from './tracker.ts';

/**
 * The exposure of one strategy with a further order. An event belongs to one strategy, so its part of the account's exposure is
 * everything on its events but bets and orders of others on the account.
 */
export class OwnExposure {
  readonly #bet: Bet;
  readonly #isHedge: boolean;
  readonly #book: ExposureBook;
  readonly #tracker: OrderTracker;
  readonly #isOurs: (selectionId: SelectionId) => boolean;
  readonly #here: EventBets;

  /** `isHedge`: the order is a bet of a hedge. `isOurs`: whether the selection is on an event of the strategy. */
  constructor(
    { bet, isHedge }: { readonly bet: Bet; readonly isHedge: boolean },
    book: ExposureBook,
    tracker: OrderTracker,
    isOurs: (selectionId: SelectionId) => boolean,
  ) {
    [this.#bet, this.#isHedge] = [bet, isHedge];
    [this.#book, this.#tracker, this.#isOurs] = [book, tracker, isOurs];
    this.#here = this.#part(bet);
  }

  /** Whether the order certainly reduces the strategy's risk on the event, see `reducing.ts`. */
  get reduces(): boolean {
    return this.#here.preview(this.#bet, this.#isHedge).reduces;
  }

  /** The worst case on the event of the order, with the order open. */
  event(): Micros {
    return this.#here.preview(this.#bet).ifOpen;
  }

  /** The same over all its events, added up: they end independently. */
  total(): Micros {
    const others = this.#book
      .events()
      .filter((bets) => this.#isOwn(bets) && !isSameEvent(bets.event, this.#bet));
    return others.reduce((sum, { event }) => sum + this.#part(event).worst(), this.event());
  }

  /** Its orders that may still be matched. */
  openOrders(): number {
    const isOurs = this.#isOurs;
    return this.#tracker.open().filter(({ origin, bet }) => origin !== 'foreign' && isOurs(bet.selectionId))
      .length;
  }

  #isOwn(bets: EventBets): boolean {
    const [selectionId] = bets.selectionIds();
    return selectionId !== undefined && this.#isOurs(selectionId);
  }

  #part(event: Parameters<ExposureBook['part']>[0]): EventBets {
    return this.#book.part(event, (key) => this.#tracker.isOurEntry(key));
  }
}
