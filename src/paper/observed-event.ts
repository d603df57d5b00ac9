/** An event of the real exchange, as a paper run observes it and repeats it on the embedded one. */
import type { EventName, SportEvent } from '../domain/events.ts';
import type { BetType } from '../domain/ids.ts';
import { isLay, kindsOf, type PriceConvention } from '../domain/odds.ts';
import { levelsOf, type PriceLevel, samePrices } from '../domain/price-list.ts';
import type { Offer } from '../domain/stream.ts';
import { DAY_MS } from '../lib/time.ts';
import { bothSidesOf, directionOf } from '../domain/selection.ts';
import { type InferredTrade, partlyChanged, tradesBetween } from './inferred-trades.ts';
import type { Market, SimEvent } from '../simulator/core/api.ts';

/** The background participant that holds the real stake. */
export const REAL_STAKE = 'real';

/** Offers of one event within this time belong to one broadcast. A market that the broadcast leaves out has no stake any more. */
export const BROADCAST_MS = 1_500;

interface ShownOffer {
  readonly offer: Offer;
  /** When it was last seen. Most offers are seen again as they were. */
  sightedMs: number;
  /** The prices whose stake has changed in part since it came. */
  readonly partly: ReadonlySet<number>;
}

/** A taker that took all of a price may have wanted more. Orders there get this part of what it took; `npm run worlds` measures it. */
const MORE_WANTED = 0.25;

const NO_PRICES: ReadonlySet<number> = new Set();

/** What all observed events share. */
export interface Observation {
  /** What `against` prices are. */
  convention: PriceConvention;
}

export class ObservedEvent {
  readonly name: EventName;
  readonly #observation: Observation;
  readonly #shown = new Map<BetType, ShownOffer>();
  /** The bet types that an account has asked for. Real stake is in their books alone: most offers are never bet on. */
  readonly #asked = new Set<BetType>();
  #about: SportEvent | null = null;
  #isOnExchange = false;
  #isSuspended = false;
  #resumedMs = -Infinity;
  #isInPlay = false;
  #broadcastMs = -Infinity;
  /** The snapshot of the stream in which the exchange last named the event. */
  snapshot = 0;
  isWatched = false;

  constructor(name: EventName, observation: Observation) {
    [this.name, this.#observation] = [{ sport: name.sport, eventId: name.eventId }, observation];
  }

  describe(about: SportEvent, market: Market, nowMs: number): void {
    this.#about = about;
    if (about.irStatus === 'in_running') this.#isInPlay = true;
    if (this.#isOnExchange || this.isWatched) this.#put(market, nowMs);
  }

  /** Our client wants the event's prices from now on. */
  watch(market: Market, nowMs: number): void {
    this.isWatched = true;
    this.#put(market, nowMs);
  }

  /** An account asks for a bet type: its book, which is that of both directions, holds the real stake from now on. */
  ask(betType: BetType, market: Market, nowMs: number): void {
    if (this.#asked.has(betType)) return;
    for (const each of bothSidesOf(betType)) {
      this.#asked.add(each);
      const offer = this.#shown.get(each)?.offer;
      if (offer !== undefined) this.#change(offer, undefined, market, nowMs);
    }
  }

  /** No more prices come. Orders stay, and nothing is matched against prices that nobody sees any more. */
  suspend(market: Market, nowMs: number): void {
    if (!this.#isOnExchange || this.#isSuspended) return;
    this.#isSuspended = true;
    this.#broadcastMs = -Infinity;
    market.setSuspended(this.name, true, nowMs);
  }

  /** Returns whether a new broadcast begins. */
  offer(offer: Offer, market: Market, nowMs: number): boolean {
    if (offer.inRunning) this.#goInPlay(market, nowMs);
    this.#resume(market, nowMs);
    const known = this.#shown.get(offer.betType);
    if (known?.offer === offer) known.sightedMs = nowMs;
    else {
      const isAsked = this.#asked.has(offer.betType);
      const partly = isAsked ? partlyOf(known, offer) : NO_PRICES;
      this.#shown.set(offer.betType, { offer, sightedMs: nowMs, partly });
      if (isAsked) this.#follow(known, offer, market, nowMs);
    }
    if (nowMs - this.#broadcastMs <= BROADCAST_MS) return false;
    this.#broadcastMs = nowMs;
    return true;
  }

  /** The broadcast that began then is complete: takes away what it left out. */
  dropLeftOut(beganMs: number, market: Market, nowMs: number): void {
    if (beganMs !== this.#broadcastMs) return;
    for (const { offer, sightedMs } of this.#shown.values())
      if (sightedMs < beganMs) this.removeOffer(offer.betType, market, nowMs);
  }

  removeOffer(betType: BetType, market: Market, nowMs: number): void {
    const known = this.#shown.get(betType)?.offer;
    this.#shown.delete(betType);
    if (known !== undefined) this.#change({ ...known, priceList: [] }, known, market, nowMs);
  }

  /** The event is over for the exchange, or left its list. */
  remove(market: Market, nowMs: number): void {
    if (this.#isOnExchange) market.removeEvent(this.name, nowMs);
    this.#isOnExchange = false;
    this.#isSuspended = false;
    this.#shown.clear();
  }

  /** Takes all real stake away, or puts it back: its prices are about to mean something else, or do so now. */
  withdrawAll(market: Market, nowMs: number): void {
    for (const { offer } of this.#shown.values())
      this.#change({ ...offer, priceList: [] }, offer, market, nowMs);
  }

  restoreAll(market: Market, nowMs: number): void {
    for (const { offer } of this.#shown.values()) this.#change(offer, undefined, market, nowMs);
  }

  /** The offers that the exchange shows now. */
  *offers(): Iterable<Offer> {
    for (const { offer } of this.#shown.values()) yield offer;
  }

  #change(offer: Offer, known: Offer | undefined, market: Market, nowMs: number): void {
    if (!this.#isOnExchange || !this.#asked.has(offer.betType)) return;
    if (known !== undefined && samePrices(known.priceList, offer.priceList)) return;
    const levels = levelsOf(offer.priceList);
    const prices = new Set(levels.map(({ price }) => price));
    // What is gone goes first: an order must not be matched by stake that moved.
    for (const { price } of levelsOf(known?.priceList ?? []))
      if (!prices.has(price)) this.#set(offer, { price, minMicros: null, maxMicros: 0 }, market, nowMs);
    for (const level of levels) this.#set(offer, level, market, nowMs);
  }

  /** Prices come again. First the old ones count once more, so that an order is matched at its own price by those that cross it. */
  #resume(market: Market, nowMs: number): void {
    if (!this.#isSuspended || !this.#isOnExchange) return;
    this.#isSuspended = false;
    this.#resumedMs = nowMs;
    market.setSuspended(this.name, false, nowMs);
  }

  /** Trades what the new list shows as traded, and makes the real stake what it shows. */
  #follow(known: ShownOffer | undefined, offer: Offer, market: Market, nowMs: number): void {
    const trades = this.#tradesOf(known, offer);
    for (const trade of trades) market.tradeOffer(this.name, offer.betType, trade, nowMs);
    this.#change(offer, known?.offer, market, nowMs);
    const stakeMicros = Math.round(MORE_WANTED * trades.reduce((sum, trade) => sum + trade.stakeMicros, 0));
    for (const { price, isAll } of trades)
      if (isAll) market.takeOffer(this.name, offer.betType, { price, stakeMicros }, nowMs);
  }

  /** What happened while nobody looked was no single trade. A market that is gone was withdrawn, as at a suspension. */
  #tradesOf(known: ShownOffer | undefined, { betType, priceList }: Offer): readonly InferredTrade[] {
    const direction = directionOf(betType);
    if (known === undefined || known.sightedMs < this.#resumedMs || direction === null) return [];
    const seen = { list: known.offer.priceList, partly: known.partly };
    return tradesBetween(seen, priceList, isLay(kindsOf(this.#observation.convention)[direction]));
  }

  #set({ betType }: Offer, { price, minMicros, maxMicros }: PriceLevel, market: Market, nowMs: number): void {
    const level = { price, stakeMicros: maxMicros, minBetMicros: minMicros ?? 0 };
    market.setOffer(REAL_STAKE, this.name, betType, level, nowMs);
  }

  #put(market: Market, nowMs: number): void {
    if (this.#about === null) return;
    market.putEvent(simEventOf(this.#about, nowMs), nowMs);
    if (this.#isInPlay) market.goInRunning(this.name, nowMs);
    if (this.#isOnExchange) return;
    this.#isOnExchange = true;
    this.restoreAll(market, nowMs);
  }

  #goInPlay(market: Market, nowMs: number): void {
    if (this.#isInPlay) return;
    this.#isInPlay = true;
    if (this.#isOnExchange) market.goInRunning(this.name, nowMs);
  }
}

function partlyOf(known: ShownOffer | undefined, { priceList }: Offer): ReadonlySet<number> {
  if (known === undefined) return NO_PRICES;
  const { offer, partly } = known;
  return offer.priceList === priceList ? partly : partlyChanged({ list: offer.priceList, partly }, priceList);
}

/** The parts of a described event that the embedded exchange needs and the stream may leave out have plain values. */
function simEventOf(event: SportEvent & { readonly endTimeMs?: number | null }, nowMs: number): SimEvent {
  const isOutright = event.eventType === 'multirunner';
  const [, homeId = '0', awayId = '0'] = event.eventId.split(',');
  const startTimeMs = event.startTimeMs ?? nowMs;
  return {
    sport: event.sport,
    eventId: event.eventId,
    eventName: event.eventName,
    eventType: isOutright ? 'multirunner' : 'normal',
    competitionId: event.competitionId ?? 0,
    competitionName: event.competitionName,
    competitionCountry: event.competitionCountry,
    home: event.home,
    away: event.away,
    homeId: Number(homeId) || 0,
    awayId: Number(awayId) || 0,
    teams: event.teams,
    startTimeMs,
    endTimeMs: event.endTimeMs ?? (isOutright ? startTimeMs + DAY_MS : null),
  };
}
