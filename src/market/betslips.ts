import type { BetslipId } from '../domain/ids.ts';
import { samePrices } from '../domain/price-list.ts';
import type { HeldQuote, MarketBook } from './books.ts';

interface KnownBetslip {
  /** Monotonic; Infinity until the exchange reports an expiry. */
  expiresMs: number;
  /** Monotonic; when the stream last mentioned the betslip. */
  reportedMs: number;
  market: MarketBook | null;
}

/** Betslips are short-lived. After this long without a message a betslip is forgotten. */
const FORGET_AFTER_MS = 600_000;

/** Quotes arrive every two seconds. A quote that follows the last one this soon means that the betslip was still in use. */
const IN_USE_MS = 3_000;

/** Our betslips as the stream reports them: when each expires, and which market's quote depends on it. */
export class Betslips {
  readonly #known = new Map<BetslipId, KnownBetslip>();

  /** `expiresMs` is monotonic. */
  expires(id: BetslipId, expiresMs: number, nowMs: number): MarketBook | null {
    const betslip = this.#open(id, nowMs);
    betslip.expiresMs = expiresMs;
    return betslip.market;
  }

  /**
   * Replaces the market's quote if the new one is usable. Returns false if the quote only repeats the last one, which was in use
   * until now.
   */
  quoted(market: MarketBook, held: HeldQuote): boolean {
    const betslip = this.#open(held.quote.betslipId, held.receivedMs);
    betslip.market = market;
    // A quote past the expiry means that the betslip was refreshed; not every exchange reports that.
    if (held.receivedMs >= betslip.expiresMs) betslip.expiresMs = Infinity;
    const last = market.quote;
    if (held.quote.statusCode === 'success') market.quote = held;
    else if (last?.quote.betslipId === held.quote.betslipId) market.quote = null;
    return last === null || !repeats(held, last);
  }

  /** Drops the quote of a closed betslip. Returns its market, if any. */
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
    const known = this.#known.get(id) ?? { expiresMs: Infinity, reportedMs: nowMs, market: null };
    known.reportedMs = nowMs;
    this.#known.set(id, known);
    return known;
  }

  /**
   * Runs whenever a betslip is added, because not every exchange reports expiries. Few betslips are open at once and few are made
   * a second, so a full pass is cheap.
   */
  #sweep(nowMs: number): void {
    for (const [id, { expiresMs, reportedMs }] of this.#known) {
      if (nowMs - Math.min(expiresMs, reportedMs) > FORGET_AFTER_MS) this.#known.delete(id);
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
