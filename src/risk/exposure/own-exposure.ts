import { isSameEvent } from '../../domain/events.ts';
import type { SelectionId } from '../../domain/ids.ts';
import type { ExposureBook, ScopePreview } from './book.ts';
import type { EventBets } from './event-bets.ts';
import { liabilityMicros } from '../../domain/odds.ts';
import type { Bet } from './payoffs.ts';
import type { OrderTracker } from './tracker.ts';

/**
 * The exposure of one strategy with a further order. An event belongs to one strategy, so its part of the account's exposure is
 * everything on its events but bets and orders of others on the account.
 */
export class OwnExposure {
  readonly #bet: Bet;
  readonly #book: ExposureBook;
  readonly #tracker: OrderTracker;
  readonly #isOurs: (selectionId: SelectionId) => boolean;
  readonly #here: EventBets;

  /** `isOurs`: whether the selection is on an event of the strategy. */
  constructor(
    bet: Bet,
    book: ExposureBook,
    tracker: OrderTracker,
    isOurs: (selectionId: SelectionId) => boolean,
  ) {
    [this.#bet, this.#book, this.#tracker, this.#isOurs] = [bet, book, tracker, isOurs];
    this.#here = this.#part(bet);
  }

  /** Whether the order certainly reduces the strategy's risk on the event, see `reducing.ts`. */
  get reduces(): boolean {
    return this.#here.preview(this.#bet).reduces;
  }

  event(): ScopePreview {
    return this.#previewOf(this.#here.exposure());
  }

  /** Over all its events, added up: they end independently. */
  total(): ScopePreview {
    const others = this.#book
      .events()
      .filter((bets) => this.#isOwn(bets) && !isSameEvent(bets.event, this.#bet));
    const parts = [this.#here, ...others.map(({ event }) => this.#part(event))].map((part) =>
      part.exposure(),
    );
    return this.#previewOf({
      worstMicros: parts.reduce((sum, { worstMicros }) => sum + worstMicros, 0),
      grossMicros: parts.reduce((sum, { grossMicros }) => sum + grossMicros, 0),
    });
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

  #previewOf({ worstMicros, grossMicros }: ReturnType<EventBets['exposure']>): ScopePreview {
    const { priceKind, stakeMicros, price } = this.#bet;
    const change = this.#here.preview(this.#bet).ifOpen - this.#here.worst();
    return {
      worstMicros,
      worstAfterMicros: worstMicros + change,
      grossAfterMicros: grossMicros + liabilityMicros(priceKind, stakeMicros, price),
    };
  }
}
