/**
 * What orders of accounts would have been matched with under another fill model. It sees the same background stake and the lives of the
 * same orders, in a book of its own, and matches them with the same engine; accounts learn nothing of it.
 *
 * An order that its account has filled is still open here: until it expires, until its event ends or goes in play without it, or until
 * the next order of its account on the same side of the same market lands, which takes its place. Any other end of an order is one here,
 * too.
 */
import type { Tick } from '../../domain/ladder.ts';
import { DIRECTIONS } from '../../domain/selection.ts';
import type { SimulatedFill } from '../../domain/simulated-fill.ts';
import { invariant } from '../../lib/assert.ts';
import type { FillModel, Resting } from '../../fills/fill-model.ts';
import { fillOf } from './bets.ts';
import { type BookSettings, OutcomeBook } from './market-book.ts';
import { type FillBooking, type MatchedOrders, MatchingEngine } from './matching-engine.ts';
import { type ClosedBy, type EventRecord, isWorking, type MarketBook, type OrderRecord } from './model.ts';
import type { Scheduler } from './scheduler.ts';
import type { Sequence } from './sequence.ts';
import type { ExchangeSettings } from './settings.ts';

export interface ShadowParts {
  readonly model: FillModel;
  readonly scheduler: Scheduler;
  readonly sequence: Sequence;
  readonly settings: BookSettings & Pick<ExchangeSettings, 'quoteIntervalMs'>;
  /** Sources with bets in danger are those of the accounts. */
  readonly danger: FillBooking['danger'];
  readonly onFill: (fill: SimulatedFill) => void;
}

export class ShadowFills {
  readonly #parts: ShadowParts;
  readonly #engine: MatchingEngine;
  /** Of the markets on which an order ever landed. */
  readonly #markets = new WeakMap<MarketBook, MarketBook>();
  /** Copies of the orders that are open here. */
  readonly #orders = new Map<number, OrderRecord>();
  /** Those that their accounts have filled. */
  readonly #outlived = new Set<OrderRecord>();

  constructor(parts: ShadowParts) {
    this.#parts = parts;
    const notices = { bookChanged: () => undefined };
    this.#engine = new MatchingEngine(this.#matchedOrders(), this.#booking(), notices, parts.settings);
  }

  follow(owner: string): void {
    this.#engine.follow(owner);
  }

  /** Nothing happens on a market without an order: its background is the one of the accounts' book. */
  act(market: MarketBook, act: (engine: MatchingEngine, market: MarketBook) => unknown): void {
    const own = this.#markets.get(market);
    if (own !== undefined) act(this.#engine, own);
  }

  /** An order reaches its book. A parlay has none, and is filled whole under every model. */
  arrive(order: OrderRecord): void {
    if (!isWorking(order) || order.market === null) return;
    const market = this.#marketOf(order.market);
    for (const each of this.#outlived)
      if (each.market === market && each.direction === order.direction && each.account === order.account)
        this.#end(each);
    const copy: OrderRecord = { ...order, market, filledMicros: 0, bets: [], resting: null, timers: [] };
    this.#orders.set(order.orderId, copy);
    this.#engine.arrive(copy);
  }

  /** An order of an account moves to another price. */
  moveTo({ orderId }: OrderRecord, tick: Tick): void {
    const copy = this.#orders.get(orderId);
    if (copy !== undefined) this.#engine.moveTo(copy, tick);
  }

  /** An order of an account left its book. */
  ended({ orderId, expiryMs }: OrderRecord, by: ClosedBy): void {
    const copy = this.#orders.get(orderId);
    if (copy === undefined) return;
    if (by !== 'filled') return this.#end(copy);
    this.#outlived.add(copy);
    copy.timers.push(this.#parts.scheduler.at(expiryMs, () => this.#end(copy)));
  }

  /** Ends orders of an event. */
  endAll(event: EventRecord, which: (order: OrderRecord) => boolean): void {
    for (const order of Array.from(this.#orders.values()))
      if (order.events.includes(event) && which(order)) this.#end(order);
  }

  #end(order: OrderRecord): void {
    order.status = 'done';
    for (const timer of order.timers.splice(0)) timer.cancel();
    this.#orders.delete(order.orderId);
    this.#outlived.delete(order);
    const { market, resting } = order;
    if (market === null) return;
    const waitingAt = market.waiting.indexOf(order);
    if (waitingAt !== -1) market.waiting.splice(waitingAt, 1);
    if (resting !== null && resting.remainingMicros > 0) market.book.remove(resting);
    order.resting = null;
  }

  #marketOf(market: MarketBook): MarketBook {
    const known = this.#markets.get(market);
    if (known !== undefined) return known;
    const { settings, model } = this.#parts;
    const parsed = { for: market.parsed('for'), against: market.parsed('against') };
    const own = new OutcomeBook(market.event, market.outcome, parsed, settings, model);
    for (const entry of market.book.find(({ orderId }) => orderId === null)) own.book.rest({ ...entry });
    // A trade of this very instant may wait for the fall of its level.
    for (const side of DIRECTIONS) own.book.falls[side].takeOver(market.book.falls[side]);
    this.#markets.set(market, own);
    return own;
  }

  #matchedOrders(): MatchedOrders {
    const orderOf = ({ orderId }: Resting): OrderRecord => {
      const order = orderId === null ? undefined : this.#orders.get(orderId);
      invariant(order !== undefined, 'a resting entry belongs to no open order', { orderId });
      return order;
    };
    return {
      orderOf,
      afterFills: (order) => {
        if (order.filledMicros >= order.stakeMicros) this.#end(order);
      },
      moveTo(order, tick) {
        if (order.resting !== null) order.market?.book.remove(order.resting);
        order.resting = null;
        order.tick = tick;
      },
      later: () => invariant(false, 'a parlay has no fills under another model'),
    };
  }

  #booking(): FillBooking {
    const { model, sequence, scheduler, danger, onFill } = this.#parts;
    return {
      danger,
      newTradeId: () => sequence.nextTradeId(),
      book(order, trade, role) {
        order.filledMicros += trade.stakeMicros;
        const bet = { ...trade, betId: sequence.nextBetId(), role, atMs: scheduler.nowMs };
        onFill(fillOf(order, bet, model.name));
      },
    };
  }
}
