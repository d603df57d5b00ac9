import type { MarketSide } from '../domain/event-view.ts';
import type { Betslips } from './betslips.ts';
import type { MarketBook } from './books.ts';
import type { OwnOrders } from './own-orders.ts';
import type { Freshness, HeldPrices } from './state.ts';

export interface PricesDeps {
  readonly betslips: Betslips;
  readonly own: OwnOrders;
  readonly staleAfterMs: number;
  readonly absentAfterMs: number;
}

/** The instant to judge by. `epoch` is the current connection's. */
export interface Instant {
  readonly nowMs: number;
  readonly epoch: number;
}

/**
 * Each broadcast is the event's full set of offers: what is not in it is gone. But it may come in several frames, so
 * that can be said only `absentAfterMs` after it began.
 */
export function wasLeftOut(market: MarketBook, nowMs: number, absentAfterMs: number): boolean {
  const { broadcastMs } = market.event;
  return market.sightedMs < broadcastMs && nowMs - broadcastMs > absentAfterMs;
}

/** Judges held prices: which can be used, and what they are without our own stake. */
export class Prices {
  readonly #deps: PricesDeps;

  constructor(deps: PricesDeps) {
    this.#deps = deps;
  }

  offerFreshness(market: MarketBook, at: Instant): Freshness {
    if (market.offer === null) return 'absent';
    if (market.epoch !== at.epoch) return 'earlier-epoch';
    if (at.nowMs - market.sightedMs > this.#deps.staleAfterMs) return 'stale';
    return wasLeftOut(market, at.nowMs, this.#deps.absentAfterMs) ? 'absent' : 'fresh';
  }

  quoteFreshness(market: MarketBook, at: Instant): Freshness {
    const held = market.quote;
    if (held === null) return 'absent';
    if (held.epoch !== at.epoch) return 'earlier-epoch';
    if (this.#deps.betslips.hasExpired(held.quote.betslipId, at.nowMs)) return 'expired';
    return at.nowMs - held.receivedMs > this.#deps.staleAfterMs ? 'stale' : 'fresh';
  }

  /** What takers can get, without our own stake: the private quote where a fresh one exists, else the offer. */
  side(market: MarketBook | null, at: Instant): MarketSide | null {
    if (market === null) return null;
    const { direction, offer, quote, selection } = market;
    if (direction === null || selection === null) return null;
    const { id } = selection.selection;
    if (quote !== null && this.quoteFreshness(market, at) === 'fresh') {
      const priceList = this.#deps.own.without(id, direction, quote.quote.priceList, quote.receivedMs);
      return { priceList, source: 'quote', ageMs: at.nowMs - quote.receivedMs };
    }
    if (offer === null || this.offerFreshness(market, at) !== 'fresh') return null;
    const priceList = this.#deps.own.without(id, direction, offer.priceList, market.sightedMs);
    return { priceList, source: 'offer', ageMs: at.nowMs - market.sightedMs };
  }

  heldOffer(market: MarketBook | null, at: Instant): HeldPrices | null {
    if (!market?.offer) return null;
    const { epoch, sightedMs, offer } = market;
    const freshness = this.offerFreshness(market, at);
    return { priceList: offer.priceList, ageMs: at.nowMs - sightedMs, epoch, freshness };
  }

  heldQuote(market: MarketBook | null, at: Instant): HeldPrices | null {
    if (!market?.quote) return null;
    const { epoch, receivedMs, quote } = market.quote;
    const freshness = this.quoteFreshness(market, at);
    return { priceList: quote.priceList, ageMs: at.nowMs - receivedMs, epoch, freshness };
  }
}
