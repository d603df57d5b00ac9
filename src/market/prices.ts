import type { MarketSide } from '../domain/event-view.ts';
import type { BetslipId } from '../domain/ids.ts';
import type { Micros } from '../domain/money.ts';
import { type ExchangePrices, offerKinds } from '../domain/exchange-prices.ts';
import { midProbability, type PriceKind } from '../domain/odds.ts';
import { bestPrice, type PriceList } from '../domain/price-list.ts';
import { DIRECTIONS } from '../domain/selection.ts';
import type { Betslips } from './betslips.ts';
import {
  type EventBook,
  type HeldQuote,
  inSelectionPrices,
  type MarketBook,
  type SelectionBook,
  type Sighting,
} from './books.ts';
import type { OwnStakes, ShownPrices } from './own-stake.ts';
import type { Freshness, HeldPrices } from './state.ts';

/** The present meaning of the exchange's prices: it may change once it is proven. */
export interface PriceMeaning {
  readonly current: ExchangePrices;
  /** Whether a betslip of ours is a `lay` one: its quotes name the `for` bet type and are for takers against it. */
  isLay(betslip: BetslipId): boolean;
}

const SOURCES: readonly MarketSide['source'][] = ['offer', 'quote'];

/** The instant to judge by. `epoch` is the current connection. */
export interface Instant {
  readonly nowMs: number;
  readonly epoch: number;
}

/**
 * Quotes are refreshed every two seconds or so while their betslip is open. A quote this far behind the offers belongs to a
 * closed or frozen betslip.
 */
const QUOTE_BEHIND_MS = 5_000;

/**
 * Whether the last complete broadcast omitted the market, which means that it is gone. A broadcast carries the event's full set
 * of offers, possibly in several frames. It counts as complete `absentAfterMs` after it began; until then the one before decides.
 */
export function wasLeftOut(market: MarketBook, nowMs: number, absentAfterMs: number): boolean {
  return market.sighting.atMs < wholeBroadcastMs(market.selection.event, nowMs, absentAfterMs);
}

/** When the last complete broadcast began. */
function wholeBroadcastMs(event: EventBook, nowMs: number, absentAfterMs: number): number {
  const { broadcastMs, wholeBroadcastMs: before } = event;
  return nowMs - broadcastMs > absentAfterMs ? broadcastMs : before;
}

/**
 * Judges which held prices are usable, and what they are without our own stake. The exchange's lists become prices of the selection
 * here: everything behind knows no others.
 */
export class Prices {
  readonly #betslips: Betslips;
  readonly #own: OwnStakes;
  readonly #meaning: PriceMeaning;
  readonly #staleAfterMs: number;
  readonly #absentAfterMs: number;

  constructor(
    betslips: Betslips,
    own: OwnStakes,
    meaning: PriceMeaning,
    staleAfterMs: number,
    absentAfterMs: number,
  ) {
    [this.#betslips, this.#own, this.#meaning] = [betslips, own, meaning];
    [this.#staleAfterMs, this.#absentAfterMs] = [staleAfterMs, absentAfterMs];
  }

  offerFreshness(market: MarketBook, at: Instant): Freshness {
    // Check this first: a market that was left out is gone, however recently it was seen.
    if (market.offer === null || wasLeftOut(market, at.nowMs, this.#absentAfterMs)) return 'absent';
    if (market.sighting.epoch !== at.epoch) return 'earlier-epoch';
    return at.nowMs - market.sighting.atMs > this.#staleAfterMs ? 'stale' : 'fresh';
  }

  /** Whether every offer of the event is fresh that was seen at a sighting or later. */
  areFresh(event: EventBook, { atMs, epoch }: Sighting, { nowMs, epoch: now }: Instant): boolean {
    const wholeMs = wholeBroadcastMs(event, nowMs, this.#absentAfterMs);
    return epoch === now && atMs >= wholeMs && nowMs - atMs <= this.#staleAfterMs;
  }

  quoteFreshness(market: MarketBook, at: Instant): Freshness {
    const held = market.quote;
    if (held === null || this.#isMisread(held)) return 'absent';
    if (held.epoch !== at.epoch) return 'earlier-epoch';
    if (this.#betslips.hasExpired(held.quote.betslipId, at.nowMs)) return 'expired';
    return at.nowMs - held.receivedMs > this.#staleAfterMs ? 'stale' : 'fresh';
  }

  /**
   * The prices available to takers, without our own stake. A fresh private quote that keeps up with the offers wins; else the
   * offer.
   */
  side(market: MarketBook | null, at: Instant): MarketSide | null {
    const shown = market && this.#shown(market, at);
    if (!shown) return null;
    const { source, sightedMs } = shown;
    return { priceList: this.#own.others(shown).slice(), source, ageMs: at.nowMs - sightedMs };
  }

  /** The prices of one source without our own stake; null if they are not fresh. */
  ofSource(market: MarketBook | null, source: MarketSide['source'], at: Instant): PriceList | null {
    const shown = this.#shownBy(market, source, at);
    return shown && this.#own.others(shown).slice();
  }

  /** Judges anew which part of the shown stake is ours. Call it when a selection changed on which we have orders. */
  judgeOwnShare(selection: SelectionBook, at: Instant): void {
    for (const direction of DIRECTIONS)
      for (const source of SOURCES) {
        const shown = this.#shownBy(selection[direction], source, at);
        if (shown !== null) this.#own.judge(shown);
      }
  }

  /** The offer without our own stake, if it is younger than the held private quote; else null. */
  youngerOffer(market: MarketBook | null, at: Instant): PriceList | null {
    if (!market?.quote || market.sighting.atMs <= market.quote.receivedMs) return null;
    return this.ofSource(market, 'offer', at);
  }

  /** Total stake of all levels without our own; null if there are no fresh prices. */
  liquidityMicros(market: MarketBook, at: Instant): Micros | null {
    const shown = this.#shown(market, at);
    return shown && this.#own.liquidityMicros(shown);
  }

  /**
   * The middle of both best prices without our own stake, as a probability; null unless both are there and fresh. Reading it
   * changes nothing.
   */
  mid(selection: SelectionBook, at: Instant): number | null {
    const forBest = this.best(selection.for, at);
    // A view asks for the mid of every held selection, so a missing side is found first.
    return forBest === null ? null : midProbability(forBest, this.best(selection.against, at));
  }

  /** The age of the youngest fresh prices of a market, of either source; Infinity if none are fresh. */
  freshAgeMs(market: MarketBook | null, at: Instant): number {
    if (market === null) return Infinity;
    const offerMs = this.offerFreshness(market, at) === 'fresh' ? at.nowMs - market.sighting.atMs : Infinity;
    if (market.quote === null || this.quoteFreshness(market, at) !== 'fresh') return offerMs;
    return Math.min(offerMs, at.nowMs - market.quote.receivedMs);
  }

  /** The best price of a market without our own stake; null if there are no fresh prices. */
  best(market: MarketBook | null, at: Instant): number | null {
    if (market === null) return null;
    const { offer, quote, direction, selection } = market;
    // The usual case, without the objects of the other one.
    if (offer !== null && quote === null && !this.#own.follows(selection.id))
      return this.offerFreshness(market, at) === 'fresh'
        ? bestPrice(direction, this.#listOf(market, offer.priceList))
        : null;
    const shown = this.#shown(market, at);
    return shown && bestPrice(direction, this.#own.others(shown));
  }

  /** The prices of one source; null if they are not fresh. */
  #shownBy(market: MarketBook | null, source: MarketSide['source'], at: Instant): ShownPrices | null {
    const held = source === 'offer' ? this.heldOffer(market, at) : this.heldQuote(market, at);
    if (market === null || held?.freshness !== 'fresh') return null;
    const { selection, direction, sighting, quote } = market;
    const { priceList } = held;
    const isQuote = source === 'quote' && quote !== null;
    const sightedMs = isQuote ? quote.receivedMs : sighting.atMs;
    const kind = isQuote ? this.#quoteKind(market, quote) : this.#offerKind(market);
    return { id: selection.id, direction, source, kind, priceList, sightedMs };
  }

  #shown(market: MarketBook, at: Instant): ShownPrices | null {
    const { direction, offer, quote, sighting } = market;
    const { id } = market.selection;
    const sightedMs = sighting.atMs;
    const isOffered = offer !== null && this.offerFreshness(market, at) === 'fresh';
    if (quote !== null && this.quoteFreshness(market, at) === 'fresh') {
      const { receivedMs } = quote;
      const shownMs = isOffered
        ? sightedMs
        : this.#isGoneSince(market, receivedMs, at)
          ? at.nowMs
          : -Infinity;
      if (shownMs - receivedMs <= QUOTE_BEHIND_MS) {
        const kind = this.#quoteKind(market, quote);
        const priceList = inSelectionPrices(quote, kind, quote.quote.priceList);
        return { id, direction, kind, priceList, source: 'quote', sightedMs: receivedMs };
      }
    }
    if (!isOffered) return null;
    const priceList = this.#listOf(market, offer.priceList);
    return { id, direction, kind: this.#offerKind(market), priceList, source: 'offer', sightedMs };
  }

  /** The quote came before the answer that made its betslip known as a `lay` one, so its prices were taken for others. */
  #isMisread({ quote, layKind }: HeldQuote): boolean {
    return layKind === null && this.#meaning.isLay(quote.betslipId);
  }

  #offerKind({ direction }: MarketBook): PriceKind {
    return offerKinds(this.#meaning.current)[direction];
  }

  #quoteKind(market: MarketBook, { layKind }: HeldQuote): PriceKind {
    return layKind ?? this.#offerKind(market);
  }

  /** The offer's list in prices of the selection. */
  #listOf(market: MarketBook, list: PriceList): PriceList {
    return inSelectionPrices(market, this.#offerKind(market), list);
  }

  /** Whether the offer was removed or left out after that instant and not seen since. */
  #isGoneSince(market: MarketBook, sinceMs: number, { nowMs }: Instant): boolean {
    const absentAfterMs = this.#absentAfterMs;
    if (market.offer === null) return market.sighting.atMs > sinceMs;
    const isLeftOut = wasLeftOut(market, nowMs, absentAfterMs);
    return isLeftOut && wholeBroadcastMs(market.selection.event, nowMs, absentAfterMs) > sinceMs;
  }

  heldOffer(market: MarketBook | null, at: Instant): HeldPrices | null {
    if (!market?.offer) return null;
    const { sighting, offer } = market;
    const freshness = this.offerFreshness(market, at);
    const priceList = this.#listOf(market, offer.priceList);
    return { priceList, ageMs: at.nowMs - sighting.atMs, epoch: sighting.epoch, freshness };
  }

  heldQuote(market: MarketBook | null, at: Instant): HeldPrices | null {
    if (!market?.quote) return null;
    const { epoch, receivedMs, quote } = market.quote;
    const freshness = this.quoteFreshness(market, at);
    const kind = this.#quoteKind(market, market.quote);
    const priceList = inSelectionPrices(market.quote, kind, quote.priceList);
    return { priceList, ageMs: at.nowMs - receivedMs, epoch, freshness };
  }
}
