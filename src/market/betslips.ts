import type { BetslipId } from '../domain/ids.ts';
import { samePrices } from '../domain/price-list.ts';
import type { HeldQuote, MarketBook } from './books.ts';

interface KnownBetslip {
  /** Monotonic; Infinity while the exchange has not said. */
  expiresMs: number;
  /** Monotonic; last time that anything was heard of it. */
  heardMs: number;
  market: MarketBook | null;
}

/** Betslips are short-lived; one of which nothing was heard for this long is forgotten. */
const FORGET_AFTER_MS = 600_000;

/** Quotes come every two seconds: one that follows the last one so soon found it still in use. */
const IN_USE_MS = 3_000;

/** What the stream tells of our betslips: when they lapse, and which market's quote hangs on them. */
export class Betslips {
  readonly #known = new Map<BetslipId, KnownBetslip>();

  /** `expiresMs` on the monotonic clock. */
  expires(id: BetslipId, expiresMs: number, nowMs: number): MarketBook | null {
    const betslip = this.#open(id, nowMs);
    betslip.expiresMs = expiresMs;
    return betslip.market;
  }

  /**
   * A quote replaces the market's earlier one; only a usable quote is held. Answers false when it only repeats the last
   * one, which was in use until now.
   */
  quoted(market: MarketBook, held: HeldQuote): boolean {
    const betslip = this.#open(held.quote.betslipId, held.receivedMs);
    betslip.market = market;
    // Past its end it is not quoted: it was refreshed, and not every exchange tells of that.
    if (held.receivedMs >= betslip.expiresMs) betslip.expiresMs = Infinity;
    const last = market.quote;
    if (held.quote.statusCode === 'success') market.quote = held;
    else if (last?.quote.betslipId === held.quote.betslipId) market.quote = null;
    return last === null || !repeats(held, last);
  }

  /** Drops the quote that hung on the betslip; answers its market when there was one. */
  closed(id: BetslipId): MarketBook | null {
    const market = this.#known.get(id)?.market ?? null;
    this.#known.delete(id);
    if (market?.quote?.quote.betslipId !== id) return null;
    market.quote = null;
    return market;
  }

  hasExpired(id: BetslipId, nowMs: number): boolean {
    const betslip = this.#known.get(id);
    return betslip !== undefined && nowMs >= betslip.expiresMs;
  }

  #open(id: BetslipId, nowMs: number): KnownBetslip {
    if (!this.#known.has(id)) this.#sweep(nowMs);
    const known = this.#known.get(id) ?? { expiresMs: Infinity, heardMs: nowMs, market: null };
    known.heardMs = nowMs;
    this.#known.set(id, known);
    return known;
  }

  /**
   * At each new one, whatever told of it: not every exchange tells of expiries. Few betslips are open at once and few are
   * made a second, so a full pass costs little.
   */
  #sweep(nowMs: number): void {
    for (const [id, { expiresMs, heardMs }] of this.#known) {
      if (nowMs - Math.min(expiresMs, heardMs) > FORGET_AFTER_MS) this.#known.delete(id);
    }
  }
}

function repeats(held: HeldQuote, last: HeldQuote): boolean {
  const [now, before] = [held.quote, last.quote];
  return (
    held.epoch === last.epoch &&
    held.receivedMs - last.receivedMs <= IN_USE_MS &&
    now.betslipId === before.betslipId &&
    now.statusCode === before.statusCode &&
    now.totalMicros === before.totalMicros &&
    samePrices(now.priceList, before.priceList)
  );
}
