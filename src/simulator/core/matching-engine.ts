/**
 * The matching engine: places orders on their books and matches them, and matches the background participants: their resting stake,
 * their taking orders, and recorded trades. Feeds speak of prices of the selection under every convention, so the background's stake
 * has `SELECTION_KINDS`: stake against a selection rests at lay prices, as lay orders do. The book shows it to each taker in the
 * taker's own prices.
 */
import type { Micros } from '../../domain/money.ts';
import type { Tick } from '../../domain/ladder.ts';
import {
  COUNTERPARTS,
  directionOfKind,
  type PricedTick,
  type PriceKind,
  SELECTION_KINDS,
  takerPrice,
  takerStakeMicros,
} from '../../domain/odds.ts';
import { type Direction, opposite } from '../../domain/selection.ts';
import type { Bets } from './bets.ts';
import { takenOf } from './book.ts';
import {
  fallTaker,
  isBackground,
  type Match,
  recordedTaker,
  type Resting,
  type Taker,
} from '../../fills/fill-model.ts';
import { isWorking, type MarketBook, type Notices, type OrderRecord } from './model.ts';
import type { OrderLifecycle } from './order-lifecycle.ts';
import { HOUSE_SOURCE, parlayPrice } from './parlays.ts';
import type { ExchangeSettings, OnRest } from './settings.ts';
import { TakenStake } from './taken-stake.ts';
import { canBeTakenBy, EXCHANGE_SOURCE, feedOwner, remainingMicros, sourceOf, takerOf } from './taker.ts';

/** The source name of bets with background takers. */
const TAKER_SOURCE = 'taker';

/** A trade and its price. Each side gets this price in its own terms. */
interface TradePrice {
  readonly tradeId: number;
  readonly at: PricedTick;
}

export class MatchingEngine {
  readonly taken = new TakenStake();
  readonly #lifecycle: OrderLifecycle;
  readonly #bets: Bets;
  readonly #notices: Notices;
  readonly #settings: Pick<ExchangeSettings, 'quoteIntervalMs'>;
  readonly #onRest: OnRest | undefined;

  constructor(
    lifecycle: OrderLifecycle,
    bets: Bets,
    notices: Notices,
    settings: Pick<ExchangeSettings, 'quoteIntervalMs'>,
    onRest?: OnRest,
  ) {
    [this.#lifecycle, this.#bets, this.#notices] = [lifecycle, bets, notices];
    [this.#settings, this.#onRest] = [settings, onRest];
  }

  /** Opens an accepted order. Until it reaches its book it neither takes nor rests. */
  accept(order: OrderRecord): void {
    this.#lifecycle.open(order, { takesNow: () => this.#takesNow(order), arrive: () => this.#arrive(order) });
  }

  /** Matches orders that came to cross while the market was halted, the oldest first. */
  resume(market: MarketBook): void {
    if (market.isHalted) return;
    const resting = market.book
      .find((entry) => entry.orderId !== null)
      .map((entry) => this.#lifecycle.orderOf(entry));
    const orders = [...resting, ...market.waiting].sort((a, b) => a.orderId - b.orderId);
    for (const order of orders) if (isWorking(order)) this.#matchAsTaker(order, market);
  }

  /** Moves an order to another price, behind whoever rests there. */
  moveTo(order: OrderRecord, tick: Tick): void {
    const { market, resting } = order;
    this.#lifecycle.moveTo(order, tick);
    if (market !== null && resting !== null) this.#rest(order, market);
  }

  /** Adds stake of a background participant to the queue, after it traded with the account orders that it crosses. */
  rest(market: MarketBook, resting: Resting): void {
    const crossing = market.isHalted ? [] : this.#crossAccounts(market, resting);
    this.taken.note(market, resting, takenOf(crossing));
    const restMicros = resting.remainingMicros - takenOf(crossing);
    if (restMicros > 0) {
      market.book.rest({ ...resting, remainingMicros: restMicros });
      this.#offerToWaiting(market, directionOfKind(resting.priceKind));
    }
    this.#notices.bookChanged(market);
  }

  /** Matches a background taker; returns the matched stake. */
  take(market: MarketBook, direction: Direction, limitTick: Tick, stakeMicros: Micros): Micros {
    if (market.isHalted) return 0;
    const taker = {
      owner: feedOwner(TAKER_SOURCE),
      priceKind: SELECTION_KINDS[direction],
      limitTick,
      stakeMicros,
      wantStakeMicros: stakeMicros,
      isAnySize: true,
    };
    return this.#fillMakers(market, market.book.match(taker), TAKER_SOURCE);
  }

  /**
   * Replays a trade at a price of its taker: accounts at better prices get it before the queue at its price, which waits for the fall of the
   * level. Returns the stake that accounts traded.
   */
  trade(market: MarketBook, taker: PriceKind, tick: Tick, stakeMicros: Micros, nowMs: number): Micros {
    if (market.isHalted) return 0;
    const { book } = market;
    const at = { priceKind: taker, tick };
    const matches = book.match(recordedTaker(book, feedOwner(TAKER_SOURCE), at, stakeMicros));
    this.#fillMakers(market, matches, TAKER_SOURCE);
    const accountsMicros = takenOf(matches.filter(({ resting: entry }) => entry.orderId !== null));
    if (book.atTrade === 'nothing')
      book.falls[opposite(directionOfKind(taker))].trade(tick, stakeMicros - accountsMicros, nowMs);
    return accountsMicros;
  }

  /** Stake of a participant leaves a price: what trades of the instant took leaves from the front of the queue, the rest is cancelled. */
  fall(market: MarketBook, owner: string, level: PricedTick, byMicros: Micros, nowMs: number): void {
    const { book } = market;
    const resting = directionOfKind(level.priceKind);
    const tradedMicros = book.falls[resting].fall(level.tick, byMicros, nowMs);
    let goneMicros = 0;
    if (tradedMicros > 0) {
      const at = { priceKind: COUNTERPARTS[level.priceKind], tick: level.tick };
      const matches = book.match(fallTaker(feedOwner(TAKER_SOURCE), at, tradedMicros));
      goneMicros = takenOf(matches.filter(({ resting: entry }) => isBackground(entry, owner)));
      this.#fillMakers(market, matches, TAKER_SOURCE);
    }
    if (byMicros > goneMicros) book.withdraw(owner, level, byMicros - goneMicros);
    this.#notices.bookChanged(market);
  }

  #crossAccounts(market: MarketBook, resting: Resting): readonly Match[] {
    const { owner, priceKind, tick, remainingMicros: stakeMicros } = resting;
    if (!market.book.hasOrders(opposite(directionOfKind(priceKind)))) return [];
    const accepts = (entry: Resting): boolean => entry.orderId !== null;
    const taker = { owner, priceKind, limitTick: tick, stakeMicros, wantStakeMicros: stakeMicros, accepts };
    const matches = market.book.match(taker);
    this.#fillMakers(market, matches, sourceOf(resting));
    return matches;
  }

  /** Fills the account side of trades with the background. Returns the background's stake of the matches. */
  #fillMakers(market: MarketBook, matches: readonly Match[], source: string): Micros {
    for (const match of matches) {
      this.#fillMaker(match, { tradeId: this.#bets.newTradeId(), at: match.resting }, source);
    }
    if (matches.length > 0) this.#afterFills(market, matches);
    return takenOf(matches);
  }

  #fillMaker({ resting, stakeMicros }: Match, { tradeId, at }: TradePrice, source: string): void {
    if (resting.orderId === null) return;
    const trade = { tradeId, price: takerPrice(at, resting.priceKind), stakeMicros };
    this.#bets.book(this.#lifecycle.orderOf(resting), trade, 'maker', source);
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
      if (order.direction !== resting && isWorking(order)) this.#matchAsTaker(order, market);
    }
  }

  /** Whether the order would match something if it reached its book now. */
  #takesNow(order: OrderRecord): boolean {
    const { market } = order;
    if (market === null) return true;
    const taker = market.isHalted ? null : takerOf(order, market.book, this.#bets.danger);
    return taker !== null && market.book.preview(taker).length > 0;
  }

  #arrive(order: OrderRecord): void {
    const { market } = order;
    if (!isWorking(order)) return;
    if (market === null) return this.#tryParlay(order);
    if (!market.isHalted) this.#matchAsTaker(order, market);
    if (!isWorking(order)) return;
    if (order.terms.mode === 'take_only' || !order.terms.acceptPartialFill) market.waiting.push(order);
    else this.#rest(order, market);
  }

  /** Fills a parlay whole. Without its price or stake, the order is tried again after every quote interval. */
  #tryParlay(order: OrderRecord): void {
    const price = parlayPrice(order);
    if (price === null) {
      this.#lifecycle.later(order, this.#settings.quoteIntervalMs, () => this.#tryParlay(order));
      return;
    }
    const trade = { tradeId: this.#bets.newTradeId(), price, stakeMicros: order.stakeMicros };
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
      ahead.reduce((sum, entry) => sum + entry.remainingMicros, 0),
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
  #matchAsTaker(order: OrderRecord, market: MarketBook): void {
    const taker = takerOf(order, market.book, this.#bets.danger);
    if (taker === null) return;
    const matches = market.book.match(order.resting === null ? taker : this.#withOwnMinimum(order, taker));
    if (matches.length === 0) return;
    if (order.resting !== null) market.book.reduce(order.resting, takenOf(matches));
    for (const match of matches) {
      const at: PricedTick = order.terms.forceWantPrice ? order : match.resting;
      const tradeId = this.#bets.newTradeId();
      if (match.resting.orderId === null) this.taken.note(market, match.resting, match.stakeMicros);
      this.#fillMaker(match, { tradeId, at }, EXCHANGE_SOURCE);
      const own = { tradeId, price: takerPrice(at, order.priceKind), stakeMicros: match.takerMicros };
      this.#bets.book(order, own, 'taker', sourceOf(match.resting));
    }
    this.#afterFills(market, matches);
    this.#lifecycle.afterFills(order);
  }
}
