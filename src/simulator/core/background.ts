/**
 * Background participants on a book: their resting stake, their taking orders, and recorded trades. Feeds speak of prices of the
 * selection under every convention, so the background's stake has `SELECTION_KINDS`: stake against a selection rests at lay prices, as
 * lay orders do. The book shows it to each taker in the taker's own prices.
 */
import type { Micros } from '../../domain/money.ts';
import type { Tick } from '../../domain/ladder.ts';
import { directionOfKind, SELECTION_KINDS } from '../../domain/odds.ts';
import { type Direction, opposite } from '../../domain/selection.ts';
import { takenOf } from './book.ts';
import { type Match, recordedTaker, type Resting } from '../../fills/fill-model.ts';
import type { MatchingEngine } from './matching-engine.ts';
import type { MarketBook, Notices } from './model.ts';
import { feedOwner, sourceOf } from './taker.ts';

/** The source name of bets with background takers. */
const TAKER_SOURCE = 'taker';

export class Background {
  readonly #matching: MatchingEngine;
  readonly #notices: Notices;

  constructor(matching: MatchingEngine, notices: Notices) {
    this.#matching = matching;
    this.#notices = notices;
  }

  /** Adds stake of a background participant to the queue, after it traded with the account orders that it crosses. */
  rest(market: MarketBook, resting: Resting): void {
    const crossing = market.event.suspended ? [] : this.#crossAccounts(market, resting);
    this.#matching.taken.note(market, resting, takenOf(crossing));
    const restMicros = resting.remainingMicros - takenOf(crossing);
    if (restMicros > 0) {
      market.book.rest({ ...resting, remainingMicros: restMicros });
      this.#matching.offerToWaiting(market, directionOfKind(resting.priceKind));
    }
    this.#notices.bookChanged(market);
  }

  /** Matches a background taker; returns the matched stake. */
  take(market: MarketBook, direction: Direction, limitTick: Tick, stakeMicros: Micros): Micros {
    if (market.event.suspended) return 0;
    const taker = {
      owner: feedOwner(TAKER_SOURCE),
      priceKind: SELECTION_KINDS[direction],
      limitTick,
      stakeMicros,
      wantStakeMicros: stakeMicros,
    };
    return this.#matching.fillMakers(market, market.book.match(taker), TAKER_SOURCE);
  }

  /**
   * Replays a recorded trade: accounts at better prices get it before the queue at its price. Returns the stake that accounts
   * traded.
   */
  trade(market: MarketBook, resting: Direction, tick: Tick, stakeMicros: Micros): Micros {
    if (market.event.suspended) return 0;
    const taker = recordedTaker(feedOwner(TAKER_SOURCE), opposite(resting), tick, stakeMicros);
    const matches = market.book.match(taker);
    this.#matching.fillMakers(market, matches, TAKER_SOURCE);
    return takenOf(matches.filter(({ resting: entry }) => entry.orderId !== null));
  }

  #crossAccounts(market: MarketBook, resting: Resting): readonly Match[] {
    const { owner, priceKind, tick, remainingMicros: stakeMicros } = resting;
    if (!market.book.hasOrders(opposite(directionOfKind(priceKind)))) return [];
    const accepts = (entry: Resting): boolean => entry.orderId !== null;
    const taker = { owner, priceKind, limitTick: tick, stakeMicros, wantStakeMicros: stakeMicros, accepts };
    const matches = market.book.match(taker);
    this.#matching.fillMakers(market, matches, sourceOf(resting));
    return matches;
  }
}
