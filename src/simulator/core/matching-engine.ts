/**
 * The matching engine: places orders on their books and matches them, and matches the background participants: their resting stake,
 * their taking orders, and recorded trades. Feeds speak of prices of the selection under every convention, so the background's stake
 * has `SELECTION_KINDS`: stake against a selection rests at lay prices, as lay orders do. The book shows it to each taker in the
 * taker's own prices.
 */
import type { Micros } from '../../domain/money.ts';
import type { Tick } from '../../domain/ladder.ts';
import {
  compareToLimit,
  COUNTERPARTS,
  directionOfKind,
  type PricedTick,
  type ShownAlike,
  takerPrice,
  takerStakeMicros,
} from '../../domain/odds.ts';
import type { FillCause } from '../../domain/fill-cause.ts';
import { type Direction, opposite } from '../../domain/selection.ts';
import type { Bets } from './bets.ts';
import { takenOf } from './book.ts';
import {
  fallTaker,
  isBackground,
  limitOf,
  type Match,
  recordedTaker,
  type Resting,
  type Taker,
} from '../../fills/fill-model.ts';
import {
  arrivalCause,
  BY_QUEUE,
  byCrossing,
  bySweep,
  byTrade,
  type MakerCause,
  makerCause,
  takerCause,
} from './fill-causes.ts';
import { isWorking, type MarketBook, type Notices, type OrderRecord } from './model.ts';
import type { OrderLifecycle } from './order-lifecycle.ts';
import { HOUSE_SOURCE, parlayPrice } from './parlays.ts';
import type { ExchangeSettings, OnRest } from './settings.ts';
import { TakenStake } from './taken-stake.ts';
import {
  canBeTakenBy,
  EXCHANGE_SOURCE,
  feedOwner,
  isFeed,
  remainingMicros,
  sourceOf,
  takerOf,
} from './taker.ts';

/** The source name of bets with background takers. */
const TAKER_SOURCE = 'taker';

/** A trade and its price. Each side gets this price in its own terms. */
interface TradePrice {
  readonly tradeId: number;
  readonly at: PricedTick;
}

/** What becomes of orders that the engine matches. */
export type MatchedOrders = Pick<OrderLifecycle, 'later' | 'moveTo' | 'orderOf' | 'afterFills'>;
/** Where the engine books fills. */
export type FillBooking = Pick<Bets, 'newTradeId' | 'book' | 'danger'>;

/** The size of a background participant's stake, and since when. */
interface StakeSize {
  readonly stakeMicros: Micros;
  readonly minBetMicros: Micros;
  /** Whether nobody is shown it. */
  readonly hidden: boolean;
  readonly shownAt?: Resting['shownAt'];
  readonly nowMs: number;
}

export class MatchingEngine {
  readonly #taken = new TakenStake();
  readonly #lifecycle: MatchedOrders;
  readonly #bets: FillBooking;
  readonly #notices: Pick<Notices, 'bookChanged'>;
  readonly #settings: Pick<ExchangeSettings, 'quoteIntervalMs'>;
  readonly #onRest: OnRest | undefined;

  constructor(
    lifecycle: MatchedOrders,
    bets: FillBooking,
    notices: Pick<Notices, 'bookChanged'>,
    settings: Pick<ExchangeSettings, 'quoteIntervalMs'>,
    onRest?: OnRest,
  ) {
    [this.#lifecycle, this.#bets, this.#notices] = [lifecycle, bets, notices];
    [this.#settings, this.#onRest] = [settings, onRest];
  }

  /** The own stake that an order could take now. */
  shownMicros(order: OrderRecord): Micros {
    const { market } = order;
    if (market === null || market.isHalted) return 0;
    const taker = takerOf(order, market.book, this.#bets.danger);
    return taker === null ? 0 : takenOf(market.book.preview(taker));
  }

  /** An order reaches its book: it takes what it can, and rests. */
  arrive(order: OrderRecord): void {
    const { market } = order;
    if (!isWorking(order)) return;
    if (market === null) return this.#tryParlay(order);
    if (!market.isHalted)
      this.#matchAsTaker(order, market, (takenMicros) => arrivalCause(order, takenMicros));
    if (!isWorking(order)) return;
    if (order.terms.mode === 'take_only' || !order.terms.acceptPartialFill) market.waiting.push(order);
    else this.#rest(order, market);
  }

  /** Matches orders that came to cross while the market was halted, the oldest first. */
  resume(market: MarketBook): void {
    if (market.isHalted) return;
    const resting = market.book
      .find((entry) => entry.orderId !== null)
      .map((entry) => this.#lifecycle.orderOf(entry));
    const orders = [...resting, ...market.waiting].sort((a, b) => a.orderId - b.orderId);
    for (const order of orders) if (isWorking(order)) this.#matchAsTaker(order, market, () => 'book jumped');
  }

  /** Moves an order to another price, behind whoever rests there. */
  moveTo(order: OrderRecord, tick: Tick): void {
    const { market, resting } = order;
    this.#lifecycle.moveTo(order, tick);
    if (market !== null && resting !== null) this.#rest(order, market);
  }

  /** From now on the stake of this owner is the one of a recording. */
  follow(owner: string): void {
    this.#taken.follow(owner);
  }

  /** Sets a background participant's stake at a tick. What accounts took of a recorded stake is left out. */
  setStake(
    market: MarketBook,
    owner: string,
    at: PricedTick,
    { stakeMicros, nowMs, shownAt = at, ...kind }: StakeSize,
  ): void {
    const own = market.book.entriesOf(owner, at);
    const leftMicros = this.#taken.left(market, { owner, ...at }, stakeMicros);
    const growthMicros = leftMicros - own.reduce((sum, entry) => sum + entry.remainingMicros, 0);
    if (growthMicros < 0) this.#fall(market, owner, at, 0 - growthMicros, nowMs);
    if (growthMicros > 0)
      this.#grow(market, { ...backgroundStake(owner, at, growthMicros, shownAt), ...kind });
  }

  /** Removes all of a background participant's stake. */
  clearStake(market: MarketBook, owner: string): void {
    const own = market.book.find((entry) => isBackground(entry, owner));
    for (const entry of own) market.book.remove(entry);
    if (own.length > 0) this.#notices.bookChanged(market);
  }

  /** Adds stake of a background participant to the queue, after it traded with the account orders that it crosses. */
  #grow(market: MarketBook, resting: Resting): void {
    const crossing = market.isHalted ? [] : this.#crossAccounts(market, resting);
    this.#taken.note(market, resting, takenOf(crossing));
    const restMicros = resting.remainingMicros - takenOf(crossing);
    if (restMicros > 0) {
      market.book.rest({ ...resting, remainingMicros: restMicros });
      this.#offerToWaiting(market, directionOfKind(resting.priceKind));
    }
    this.#notices.bookChanged(market);
  }

  /** Matches a background taker; returns the matched stake. */
  take(market: MarketBook, { priceKind, tick: limitTick }: PricedTick, stakeMicros: Micros): Micros {
    if (market.isHalted) return 0;
    const taker = {
      owner: feedOwner(TAKER_SOURCE),
      priceKind,
      limitTick,
      stakeMicros,
      wantStakeMicros: stakeMicros,
      isAnySize: true,
    };
    const matches = market.book.match(taker);
    return this.#fillMakers(market, matches, TAKER_SOURCE, bySweep(matches));
  }

  /**
   * Replays a trade at the limits of its taker, which its terms show alike: accounts at better prices get it before the queue of the first one,
   * which waits for the fall of the level. Returns the stake that accounts traded.
   */
  trade(market: MarketBook, { first, last }: ShownAlike, stakeMicros: Micros, nowMs: number): Micros {
    if (market.isHalted) return 0;
    const { book } = market;
    // Where orders stand before the recorded stake, they do at each of the prices.
    const limit = book.atTrade === 'orders' ? last : first;
    const matches = book.match(recordedTaker(book, feedOwner(TAKER_SOURCE), limit, stakeMicros));
    this.#fillMakers(market, matches, TAKER_SOURCE, byTrade(first));
    const accountsMicros = takenOf(matches.filter(({ resting: entry }) => entry.orderId !== null));
    if (book.atTrade === 'nothing')
      book.falls[opposite(directionOfKind(first.priceKind))].trade(
        first.tick,
        stakeMicros - accountsMicros,
        nowMs,
      );
    return accountsMicros;
  }

  /** Stake of a participant leaves a price: what trades of the instant took leaves from the front of the queue, the rest is cancelled. */
  #fall(market: MarketBook, owner: string, level: PricedTick, byMicros: Micros, nowMs: number): void {
    const { book } = market;
    const resting = directionOfKind(level.priceKind);
    const tradedMicros = book.falls[resting].fall(level.tick, byMicros, nowMs);
    let goneMicros = 0;
    if (tradedMicros > 0) {
      const at = { priceKind: COUNTERPARTS[level.priceKind], tick: level.tick };
      const matches = book.match(fallTaker(feedOwner(TAKER_SOURCE), at, tradedMicros));
      goneMicros = takenOf(matches.filter(({ resting: entry }) => isBackground(entry, owner)));
      this.#fillMakers(market, matches, TAKER_SOURCE, BY_QUEUE);
    }
    if (byMicros > goneMicros) book.withdraw(owner, level, byMicros - goneMicros);
    this.#notices.bookChanged(market);
  }

  #crossAccounts(market: MarketBook, resting: Resting): readonly Match[] {
    const { owner, priceKind, tick, shownAt = resting, remainingMicros: stakeMicros } = resting;
    if (!market.book.hasOrders(opposite(directionOfKind(priceKind)))) return [];
    const accepts = (entry: Resting): boolean =>
      entry.orderId !== null && compareToLimit(entry, shownAt) >= 0;
    const taker = { owner, priceKind, limitTick: tick, stakeMicros, wantStakeMicros: stakeMicros, accepts };
    const matches = market.book.match(taker);
    this.#fillMakers(market, matches, sourceOf(resting), byCrossing(resting));
    return matches;
  }

  /** Fills the account side of trades with the background. Returns the background's stake of the matches. */
  #fillMakers(market: MarketBook, matches: readonly Match[], source: string, cause: MakerCause): Micros {
    for (const match of matches) {
      this.#fillMaker(match, { tradeId: this.#bets.newTradeId(), at: match.resting }, source, cause);
    }
    if (matches.length > 0) this.#afterFills(market, matches);
    return takenOf(matches);
  }

  #fillMaker(match: Match, { tradeId, at }: TradePrice, source: string, causeOf: MakerCause): void {
    const { resting, stakeMicros } = match;
    if (resting.orderId === null) return;
    const order = this.#lifecycle.orderOf(resting);
    const cause = makerCause(order, causeOf(match, order));
    const trade = { tradeId, price: takerPrice(at, resting.priceKind), stakeMicros, cause };
    this.#bets.book(order, trade, 'maker', source);
  }

  #afterFills(market: MarketBook, matches: readonly Match[]): void {
    this.#notices.bookChanged(market);
    const makers = new Set(
      matches
        .filter(({ resting }) => resting.orderId !== null)
        .map(({ resting }) => this.#lifecycle.orderOf(resting)),
    );
    for (const maker of makers) this.#lifecycle.afterFills(maker);
  }

  /** Matches new resting stake with waiting orders, the oldest first. While it is halted nothing is matched. */
  #offerToWaiting(market: MarketBook, resting: Direction): void {
    if (market.isHalted || market.waiting.length === 0) return;
    for (const order of Array.from(market.waiting)) {
      if (order.direction !== resting && isWorking(order))
        this.#matchAsTaker(order, market, () => 'price crossed');
    }
  }

  /** Fills a parlay whole. Without its price or stake, the order is tried again after every quote interval. */
  #tryParlay(order: OrderRecord): void {
    const price = parlayPrice(order);
    if (price === null) {
      this.#lifecycle.later(order, this.#settings.quoteIntervalMs, () => this.#tryParlay(order));
      return;
    }
    const cause: FillCause = 'price crossed';
    const trade = { tradeId: this.#bets.newTradeId(), price, stakeMicros: order.stakeMicros, cause };
    this.#bets.book(order, trade, 'taker', HOUSE_SOURCE);
    this.#lifecycle.afterFills(order);
  }

  #rest(order: OrderRecord, market: MarketBook): void {
    const { account, orderId, direction, priceKind, tick, terms } = order;
    order.resting = {
      owner: account.owner,
      orderId,
      priceKind,
      tick,
      hidden: terms.mode === 'dark',
      minTakerMicros: terms.minTakerMicros,
      minBetMicros: 0,
      acceptsTaker: (taker) => canBeTakenBy(order, taker, this.#bets.danger),
      remainingMicros: remainingMicros(order),
    };
    const ahead = market.book.levelAt(order)?.queue ?? [];
    this.#onRest?.(
      orderId,
      ahead.reduce((sum, entry) => sum + takerStakeMicros(entry, entry.remainingMicros, priceKind), 0),
    );
    market.book.rest(order.resting);
    this.#offerToWaiting(market, direction);
    this.#notices.bookChanged(market);
  }

  /**
   * A resting order that takes after a suspension keeps its minimum, in its own stake: it accepts no counterpart that asked for less.
   */
  #withOwnMinimum(order: OrderRecord, taker: Taker): Taker {
    const accepts = (other: Resting): boolean =>
      takerStakeMicros(other, this.#wantedMicros(other), order.priceKind) >= order.terms.minTakerMicros &&
      (taker.accepts?.(other) ?? true);
    return { ...taker, accepts };
  }

  #wantedMicros(resting: Resting): Micros {
    return resting.orderId === null ? resting.remainingMicros : this.#lifecycle.orderOf(resting).stakeMicros;
  }

  /** Matches the order with its book, at the resting price unless the order forces its own. */
  #matchAsTaker(order: OrderRecord, market: MarketBook, why: (takenMicros: Micros) => FillCause): void {
    const taker = takerOf(order, market.book, this.#bets.danger);
    if (taker === null) return;
    const matches = market.book.match(order.resting === null ? taker : this.#withOwnMinimum(order, taker));
    if (matches.length === 0) return;
    const cause = why(takenOf(matches));
    if (order.resting !== null) market.book.reduce(order.resting, takenOf(matches));
    for (const match of matches) {
      const { shownAt = match.resting } = match.resting;
      const at: PricedTick = order.terms.forceWantPrice ? order : shownAt;
      const tradeId = this.#bets.newTradeId();
      if (match.resting.orderId === null) this.#taken.note(market, match.resting, match.stakeMicros);
      this.#fillMaker(match, { tradeId, at }, EXCHANGE_SOURCE, BY_QUEUE);
      const price = takerPrice(at, order.priceKind);
      const own = { tradeId, price, stakeMicros: match.takerMicros, cause: takerCause(order, match, cause) };
      this.#bets.book(order, own, 'taker', sourceOf(match.resting));
    }
    this.#afterFills(market, matches);
    this.#lifecycle.afterFills(order);
  }
}

const backgroundStake = (
  owner: string,
  { priceKind, tick }: PricedTick,
  micros: Micros,
  shownAt: PricedTick,
): Omit<Resting, 'hidden' | 'minBetMicros'> => ({
  owner,
  orderId: null,
  priceKind,
  tick,
  shownAt,
  minTakerMicros: 0,
  acceptsTaker: (taker) => isFeed(taker.owner) || compareToLimit(shownAt, limitOf(taker)) >= 0,
  remainingMicros: micros,
});
