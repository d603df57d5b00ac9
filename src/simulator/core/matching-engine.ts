/** The matching engine: places orders on their books and matches them. */
import type { Micros } from '../../domain/money.ts';
import { type PricedTick, takerPrice, takerStakeMicros } from '../../domain/odds.ts';
import type { Direction } from '../../domain/selection.ts';
import { takenOf } from './book.ts';
import type { Match, Resting, Taker } from '../../fills/fill-model.ts';
import { isWorking, type MarketBook, type Notices, type OrderRecord } from './model.ts';
import type { Delays, OrderLifecycle } from './order-lifecycle.ts';
import { HOUSE_SOURCE, parlayPrice } from './parlays.ts';
import type { Scheduler } from './scheduler.ts';
import type { ExchangeSettings, OnRest } from './settings.ts';
import { TakenStake } from './taken-stake.ts';
import {
  canBeTakenBy,
  type DangerList,
  EXCHANGE_SOURCE,
  remainingMicros,
  sourceOf,
  takerOf,
} from './taker.ts';

export interface MatchingEngineParts {
  readonly scheduler: Scheduler;
  readonly notices: Notices;
  readonly lifecycle: OrderLifecycle;
  readonly danger: DangerList;
  readonly delays: Delays;
  readonly settings: Pick<ExchangeSettings, 'quoteIntervalMs'>;
  readonly onRest: OnRest;
}

/** A trade and its price. Each side gets this price in its own terms. */
interface TradePrice {
  readonly tradeId: number;
  readonly at: PricedTick;
}

export class MatchingEngine {
  readonly taken = new TakenStake();
  readonly #parts: MatchingEngineParts;

  constructor(parts: MatchingEngineParts) {
    this.#parts = parts;
  }

  /** Opens an accepted order. It reaches its book after the placement delay; until then it neither takes nor rests. */
  accept(order: OrderRecord): void {
    const { scheduler, delays, lifecycle } = this.#parts;
    lifecycle.open(order);
    order.timers.push(scheduler.after(delays.placementMs(order), () => this.#arrive(order)));
  }

  /** Matches orders that came to cross during a suspension, the oldest first. */
  resume(market: MarketBook): void {
    const resting = market.book
      .find((entry) => entry.orderId !== null)
      .map((entry) => this.#parts.lifecycle.orderOf(entry));
    const orders = [...resting, ...market.waiting].sort((a, b) => a.orderId - b.orderId);
    for (const order of orders) if (isWorking(order)) this.#matchAsTaker(order, market);
  }

  /** Fills the account side of trades with the background. Returns the background's stake of the matches. */
  fillMakers(market: MarketBook, matches: readonly Match[], source: string): Micros {
    for (const match of matches) {
      this.#fillMaker(match, { tradeId: this.#parts.lifecycle.newTradeId(), at: match.resting }, source);
    }
    if (matches.length > 0) this.#afterFills(market, matches);
    return takenOf(matches);
  }

  #fillMaker({ resting, stakeMicros }: Match, { tradeId, at }: TradePrice, source: string): void {
    if (resting.orderId === null) return;
    const trade = { tradeId, price: takerPrice(at, resting.priceKind), stakeMicros };
    this.#parts.lifecycle.fill(this.#parts.lifecycle.orderOf(resting), trade, 'maker', source);
  }

  #afterFills(market: MarketBook, matches: readonly Match[]): void {
    this.#parts.notices.bookChanged(market);
    const makers = new Set(
      matches
        .filter(({ resting }) => resting.orderId !== null)
        .map(({ resting }) => this.#parts.lifecycle.orderOf(resting)),
    );
    for (const maker of makers) this.#parts.lifecycle.afterFills(maker);
  }

  /** Matches new resting stake with waiting orders, the oldest first. During a suspension nothing is matched. */
  offerToWaiting(market: MarketBook, resting: Direction): void {
    if (market.event.suspended || market.waiting.length === 0) return;
    for (const order of [...market.waiting]) {
      if (order.direction !== resting && isWorking(order)) this.#matchAsTaker(order, market);
    }
  }

  #arrive(order: OrderRecord): void {
    const { market } = order;
    if (!isWorking(order)) return;
    if (market === null) return this.#tryParlay(order);
    if (!market.event.suspended) this.#matchAsTaker(order, market);
    if (!isWorking(order)) return;
    if (order.terms.mode === 'take_only' || !order.terms.acceptPartialFill) market.waiting.push(order);
    else this.#rest(order, market);
  }

  /** Fills a parlay whole. Without its price or stake, the order is tried again after every quote interval. */
  #tryParlay(order: OrderRecord): void {
    const { scheduler, settings, lifecycle } = this.#parts;
    const price = parlayPrice(order);
    if (price === null) {
      order.timers.push(scheduler.after(settings.quoteIntervalMs, () => this.#tryParlay(order)));
      return;
    }
    const trade = { tradeId: lifecycle.newTradeId(), price, stakeMicros: order.stakeMicros };
    lifecycle.fill(order, trade, 'taker', HOUSE_SOURCE);
    lifecycle.afterFills(order);
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
      acceptsTaker: (taker) => canBeTakenBy(order, taker, this.#parts.danger),
      remainingMicros: remainingMicros(order),
    };
    const ahead = market.book.levelAt(order)?.queue ?? [];
    this.#parts.onRest(
      orderId,
      ahead.reduce((sum, entry) => sum + entry.remainingMicros, 0),
    );
    market.book.rest(order.resting);
    this.offerToWaiting(market, direction);
    this.#parts.notices.bookChanged(market);
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
    return resting.orderId === null
      ? resting.remainingMicros
      : this.#parts.lifecycle.orderOf(resting).stakeMicros;
  }

  /** Matches the order with its book, at the resting price unless the order forces its own. */
  #matchAsTaker(order: OrderRecord, market: MarketBook): void {
    const taker = takerOf(order, market.book, this.#parts.danger);
    if (taker === null) return;
    const matches = market.book.match(order.resting === null ? taker : this.#withOwnMinimum(order, taker));
    if (matches.length === 0) return;
    if (order.resting !== null) market.book.reduce(order.resting, takenOf(matches));
    for (const match of matches) {
      const at: PricedTick = order.terms.forceWantPrice ? order : match.resting;
      const tradeId = this.#parts.lifecycle.newTradeId();
      if (match.resting.orderId === null) this.taken.note(market, match.resting, match.stakeMicros);
      this.#fillMaker(match, { tradeId, at }, EXCHANGE_SOURCE);
      const own = { tradeId, price: takerPrice(at, order.priceKind), stakeMicros: match.takerMicros };
      this.#parts.lifecycle.fill(order, own, 'taker', sourceOf(match.resting));
    }
    this.#afterFills(market, matches);
    this.#parts.lifecycle.afterFills(order);
  }
}
