import type { Micros } from '../../domain/money.ts';
import { priceOf, tickOf } from '../../domain/ladder.ts';
import {
  COUNTERPARTS,
  honouringTick,
  ownPrice,
  type PricedTick,
  type PriceKind,
  restingOf,
  restingStakeMicros,
  SELECTION_KINDS,
  selectionPrice,
  selectionStakeMicros,
  type ShownAlike,
} from '../../domain/odds.ts';
import { cancelsLays, reducedPrice } from '../../domain/reduction.ts';
import { type Direction, opposite } from '../../domain/selection.ts';
import type {
  BetDelay,
  Market,
  OfferedLevel,
  RunnerRemoval,
  SimEvent,
  SimEventName,
  SimOutcome,
} from './api.ts';
import type { EventResult } from '../../domain/bet-types/result.ts';
import type { Bets } from './bets.ts';
import type { Catalogue } from './catalogue.ts';
import type { Engines } from './engines.ts';
import {
  type EventPhase,
  type EventRecord,
  isWorking,
  type MarketBook,
  type Notices,
  type OrderRecord,
} from './model.ts';
import type { OrderLifecycle } from './order-lifecycle.ts';
import type { Scheduler } from './scheduler.ts';
import { feedOwner } from './taker.ts';

export interface MarketParts {
  readonly scheduler: Scheduler;
  readonly catalogue: Catalogue;
  readonly lifecycle: OrderLifecycle;
  readonly engines: Engines;
  readonly bets: Bets;
  readonly notices: Notices;
}

/** The market's own life, as feeds and the test control report it. A report on an unknown event is ignored. */
export class ExchangeMarket implements Market {
  readonly #parts: MarketParts;
  /** The smallest bet of each owner. */
  readonly #minimums = new Map<string, Micros>();
  /** Owners whose stake nobody is shown. */
  readonly #hidden = new Set<string>();

  constructor(parts: MarketParts) {
    this.#parts = parts;
  }

  putEvent(event: SimEvent, nowMs: number): void {
    this.#parts.scheduler.moveTo(nowMs);
    const record = this.#parts.catalogue.put(event);
    if (record.announced) this.#parts.notices.eventChanged(record);
  }

  removeEvent(name: SimEventName, nowMs: number): void {
    const event = this.#live(name, nowMs);
    if (event === null) return;
    this.#parts.lifecycle.closeAllOf(event);
    this.#end(event, 'removed');
  }

  goInRunning(name: SimEventName, nowMs: number): void {
    const event = this.#live(name, nowMs);
    if (event === null || event.inRunning) return;
    for (const order of event.orders) {
      if (isWorking(order) && !order.terms.keepOpenIr) this.#parts.lifecycle.finish(order, 'in_running');
    }
    this.#parts.engines.goInRunning(event);
    event.inRunning = true;
    this.#parts.notices.eventChanged(event);
    this.#allOffersChanged(event);
  }

  setSuspended(name: SimEventName, suspended: boolean, nowMs: number): void {
    const event = this.#live(name, nowMs);
    if (event === null || event.suspended === suspended) return;
    event.suspended = suspended;
    if (!suspended)
      for (const market of event.books.values())
        this.#parts.engines.everywhere(market, (engine, own) => engine.resume(own));
    this.#allOffersChanged(event);
  }

  setPaused(name: SimEventName, outcomes: readonly string[], isPaused: boolean, nowMs: number): void {
    const event = this.#live(name, nowMs);
    if (event === null) return;
    const changed = outcomes.filter((outcome) => event.paused.has(outcome) !== isPaused);
    for (const outcome of changed) this.#setPaused(event, outcome, isPaused);
    if (changed.length > 0 && !event.suspended) this.#allOffersChanged(event);
  }

  #setPaused(event: EventRecord, outcome: string, isPaused: boolean): void {
    if (isPaused) event.paused.add(outcome);
    else event.paused.delete(outcome);
    const market = event.books.get(outcome);
    if (market !== undefined) this.#parts.engines.everywhere(market, (engine, own) => engine.resume(own));
  }

  setBetDelay(name: SimEventName, outcomes: readonly string[], delay: BetDelay, nowMs: number): void {
    const event = this.#live(name, nowMs);
    if (event === null) return;
    for (const outcome of outcomes)
      if (delay.delayMs > 0) event.betDelays.set(outcome, delay);
      else event.betDelays.delete(outcome);
  }

  setScore(name: SimEventName, home: number, away: number, nowMs: number): void {
    const event = this.#live(name, nowMs);
    if (event === null) return;
    event.score = [home, away];
    this.#parts.notices.liveStateChanged(event, 'score');
  }

  setRedCards(name: SimEventName, home: number, away: number, nowMs: number): void {
    const event = this.#live(name, nowMs);
    if (event === null) return;
    event.redCards = [home, away];
    this.#parts.notices.liveStateChanged(event, 'redCards');
  }

  setTime(name: SimEventName, period: string, minutes: number | null, nowMs: number): void {
    const event = this.#live(name, nowMs);
    if (event === null) return;
    event.time = [period, minutes];
    this.#parts.notices.liveStateChanged(event, 'time');
  }

  removeRunner(name: SimEventName, removal: RunnerRemoval, nowMs: number): void {
    const event = this.#live(name, nowMs);
    if (event === null) return;
    event.removals.push(removal);
    for (const order of event.orders) if (isWorking(order)) this.#removeFor(order, removal);
    this.#allOffersChanged(event);
  }

  settle(name: SimEventName, result: EventResult, nowMs: number): void {
    this.#settle(name, result, nowMs);
  }

  voidEvent(name: SimEventName, nowMs: number): void {
    this.#settle(name, null, nowMs);
  }

  clear(nowMs: number, outageMs?: number): void {
    this.#parts.scheduler.moveTo(nowMs);
    this.#parts.notices.feedLost(outageMs);
  }

  recover(nowMs: number): void {
    this.#parts.scheduler.moveTo(nowMs);
    this.#parts.notices.feedFound();
  }

  setLevel(
    participant: string,
    outcome: SimOutcome,
    resting: Direction,
    price: number,
    stakeMicros: Micros,
    nowMs: number,
  ): void {
    this.#parts.scheduler.moveTo(nowMs);
    const priceKind = SELECTION_KINDS[resting];
    const tick = honouringTick(priceKind, price);
    if (tick === null) return;
    const { catalogue } = this.#parts;
    const market = stakeMicros > 0 ? catalogue.openMarket(outcome) : catalogue.market(outcome);
    if (market === null) return;
    const owner = feedOwner(participant);
    const minBetMicros = this.#minimums.get(owner) ?? 0;
    const size = { stakeMicros, minBetMicros, hidden: this.#hidden.has(owner), nowMs };
    this.#parts.engines.everywhere(market, (engine, own) =>
      engine.setStake(own, owner, { priceKind, tick }, size),
    );
  }

  setOffer(
    participant: string,
    event: SimEventName,
    betType: string,
    { price, stakeMicros, minBetMicros }: OfferedLevel,
    nowMs: number,
  ): void {
    this.#parts.scheduler.moveTo(nowMs);
    const found = this.#offeredAt(event, betType, price, stakeMicros > 0);
    if (found === null) return;
    const { market, kind, shownAt, first: at } = found;
    const size = {
      shownAt,
      stakeMicros: restingStakeMicros(at, stakeMicros, kind),
      minBetMicros: restingStakeMicros(at, minBetMicros, kind),
      hidden: false,
      nowMs,
    };
    this.#parts.engines.everywhere(market, (engine, own) =>
      engine.setStake(own, feedOwner(participant), at, size),
    );
  }

  offered(name: SimEventName, betType: string): readonly OfferedLevel[] | null {
    const { catalogue } = this.#parts;
    const event = catalogue.live(name);
    const found = event === null ? null : catalogue.selection(event, betType);
    if (found === null) return null;
    return found.market.shownLevels(found.market.priceKind(found.parsed.direction));
  }

  setMinimum(participant: string, minBetMicros: Micros): void {
    this.#minimums.set(feedOwner(participant), minBetMicros);
  }

  hide(participant: string): void {
    this.#hidden.add(feedOwner(participant));
  }

  followRecording(participant: string): void {
    this.#parts.engines.follow(feedOwner(participant));
  }

  clearLevels(participant: string, at: SimOutcome, nowMs: number): void {
    this.#parts.scheduler.moveTo(nowMs);
    const market = this.#parts.catalogue.market(at);
    if (market === null) return;
    const owner = feedOwner(participant);
    this.#parts.engines.everywhere(market, (engine, own) => engine.clearStake(own, owner));
  }

  take(at: SimOutcome, direction: Direction, limitPrice: number, stakeMicros: Micros, nowMs: number): Micros {
    this.#parts.scheduler.moveTo(nowMs);
    const tick = honouringTick(SELECTION_KINDS[direction], limitPrice);
    const market = this.#parts.catalogue.market(at);
    if (tick === null || market === null || stakeMicros <= 0) return 0;
    return this.#take(market, { priceKind: SELECTION_KINDS[direction], tick }, stakeMicros);
  }

  trade(at: SimOutcome, resting: Direction, price: number, stakeMicros: Micros, nowMs: number): Micros {
    this.#parts.scheduler.moveTo(nowMs);
    const tick = honouringTick(SELECTION_KINDS[resting], price);
    const market = this.#parts.catalogue.market(at);
    if (tick === null || market === null || stakeMicros <= 0) return 0;
    const limit = { priceKind: SELECTION_KINDS[opposite(resting)], tick };
    return this.#trade(market, { first: limit, last: limit }, stakeMicros, nowMs);
  }

  tradeOffer(
    event: SimEventName,
    betType: string,
    level: Pick<OfferedLevel, 'price' | 'stakeMicros'>,
    nowMs: number,
  ): Micros {
    return this.#reached(event, betType, level, nowMs, (market, limits, stakeMicros) =>
      this.#trade(market, limits, stakeMicros, nowMs),
    );
  }

  takeOffer(
    event: SimEventName,
    betType: string,
    level: Pick<OfferedLevel, 'price' | 'stakeMicros'>,
    nowMs: number,
  ): Micros {
    return this.#reached(event, betType, level, nowMs, (market, { last }, stakeMicros) =>
      this.#take(market, last, stakeMicros),
    );
  }

  levels(at: SimOutcome, resting: Direction): readonly { price: number; stakeMicros: Micros }[] {
    const levels = this.#parts.catalogue.market(at)?.book.levels(resting) ?? [];
    return levels.map(({ priceKind, tick, queue }) => {
      const stakes = queue.map((entry) =>
        selectionStakeMicros(entry.priceKind, priceOf(entry.tick), entry.remainingMicros),
      );
      const stakeMicros = stakes.reduce((sum, micros) => sum + micros, 0);
      return { price: selectionPrice(priceKind, priceOf(tick)), stakeMicros };
    });
  }

  isSuspended(name: SimEventName): boolean {
    return this.#parts.catalogue.of(name)?.suspended ?? false;
  }

  isInRunning(name: SimEventName): boolean {
    return this.#parts.catalogue.of(name)?.inRunning ?? false;
  }

  /** Lets a taker act on the places that an offer is shown for, with its limits there and its stake in their terms. */
  #reached(
    event: SimEventName,
    betType: string,
    { price, stakeMicros }: Pick<OfferedLevel, 'price' | 'stakeMicros'>,
    nowMs: number,
    act: (market: MarketBook, limits: ShownAlike, stakeMicros: Micros) => Micros,
  ): Micros {
    this.#parts.scheduler.moveTo(nowMs);
    const found = stakeMicros <= 0 ? null : this.#offeredAt(event, betType, price, false);
    if (found === null) return 0;
    const { market, kind, first, last } = found;
    const limit = ({ priceKind, tick }: PricedTick): PricedTick => ({
      priceKind: COUNTERPARTS[priceKind],
      tick,
    });
    const limits = { first: limit(first), last: limit(last) };
    return act(market, limits, restingStakeMicros(first, stakeMicros, kind));
  }

  #take(market: MarketBook, limit: PricedTick, stakeMicros: Micros): Micros {
    return this.#parts.engines.everywhere(market, (engine, own) => engine.take(own, limit, stakeMicros));
  }

  #trade(market: MarketBook, limits: ShownAlike, stakeMicros: Micros, nowMs: number): Micros {
    return this.#parts.engines.everywhere(market, (engine, own) =>
      engine.trade(own, limits, stakeMicros, nowMs),
    );
  }

  /** The book of an offer, what its prices are, and where the stake of one rests; null if there is none. `opens`: a new book is opened. */
  #offeredAt(
    event: SimEventName,
    betType: string,
    price: number,
    opens: boolean,
  ): (ShownAlike & { market: MarketBook; kind: PriceKind; shownAt: PricedTick }) | null {
    const { catalogue } = this.#parts;
    const tick = tickOf(price);
    const parsed = catalogue.parse(event.sport, betType);
    if (tick === null || parsed === null) return null;
    const { sport, eventId } = event;
    const at = { sport, eventId, outcome: parsed.outcome };
    const market = opens ? catalogue.openMarket(at) : catalogue.market(at);
    if (market === null) return null;
    const kind = market.priceKind(parsed.direction);
    const shownAt = { priceKind: COUNTERPARTS[kind], tick };
    return { market, kind, shownAt, ...restingOf({ priceKind: kind, tick }) };
  }

  #live(name: SimEventName, nowMs: number): EventRecord | null {
    this.#parts.scheduler.moveTo(nowMs);
    return this.#parts.catalogue.live(name);
  }

  /** What a removal does to an order that works. A kept order goes to the tick that honours its reduced price. */
  #removeFor(order: OrderRecord, { removed, others, market, factor }: RunnerRemoval): void {
    const { lifecycle, engines } = this.#parts;
    const outcome = order.market?.outcome;
    if (outcome === undefined) return;
    if (outcome === removed) return lifecycle.finish(order, 'event');
    if (order.direction !== 'against' || market === null || factor === null) return;
    if (!others.includes(outcome)) return;
    const price = selectionPrice(order.priceKind, priceOf(order.tick));
    const reduced = ownPrice(order.priceKind, reducedPrice(market, price, [factor]));
    const tick = cancelsLays(market, factor) ? null : honouringTick(order.priceKind, reduced);
    if (tick === null) lifecycle.finish(order, 'event');
    else if (tick !== order.tick) engines.moveTo(order, tick);
  }

  #settle(name: SimEventName, result: EventResult | null, nowMs: number): void {
    this.#parts.scheduler.moveTo(nowMs);
    const event = this.#parts.catalogue.of(name);
    if (event === null) return;
    event.result = result;
    this.#parts.bets.settle(event);
    this.#end(event, result === null ? 'void' : 'settled');
  }

  /** Ends an event: clears its books. Its orders and bets stay readable. */
  #end(event: EventRecord, phase: EventPhase): void {
    const wasLive = event.phase === 'live';
    event.phase = phase;
    event.offersEpoch += 1;
    this.#parts.engines.end(event);
    if (wasLive) this.#parts.notices.eventEnded(event);
  }

  #allOffersChanged(event: EventRecord): void {
    event.offersEpoch += 1;
    this.#parts.notices.offersChanged(event);
  }
}
