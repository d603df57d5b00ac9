import type { ExchangePrices } from '../../domain/exchange-prices.ts';
import { priceOf } from '../../domain/ladder.ts';
import type { Micros } from '../../domain/money.ts';
import type { AdjustmentRecord } from '../../engine/by-hand/adjustments.ts';
import type { HandQuote } from '../../engine/by-hand/hand-quotes.ts';
import { shownStake, shownTerms } from '../bet-terms.ts';
import type { LiveAdjustment, LiveHandQuote } from './message.ts';

/** What a person wants of an event, for people and programs. */
export function shownAdjustment(record: AdjustmentRecord): LiveAdjustment {
  const { what, by, why, atMs } = record;
  const untilMs = record.untilMs === null ? null : Math.round(record.untilMs);
  return { what, amount: amountOf(record), by, why, sinceMs: Math.round(atMs), untilMs };
}

function amountOf(record: AdjustmentRecord): number {
  if (record.what === 'stake') return record.factor;
  return record.what === 'widen' ? record.ticks : 1;
}

/** A quote of a person, at the price of its selection. */
export function shownHandQuote(
  quote: HandQuote,
  filledMicros: Micros,
  prices: ExchangePrices,
): LiveHandQuote {
  const { id, direction, by, why, untilMs } = quote;
  const priced = { ...quote, price: priceOf(quote.tick) };
  const { price, stake } = shownTerms(priced, prices);
  const filled = shownStake(priced, filledMicros);
  return {
    id,
    direction,
    price,
    stake,
    filled,
    by,
    why,
    untilMs: untilMs === null ? null : Math.round(untilMs),
  };
}
