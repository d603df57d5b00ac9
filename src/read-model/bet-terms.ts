import type { ExchangePrices } from '../domain/exchange-prices.ts';
import { nameOnExchange } from '../domain/exchange-prices.ts';
import type { Micros } from '../domain/money.ts';
import { priceOf, type Tick } from '../domain/ladder.ts';
import { type PriceKind, selectionPrice, selectionStakeMicros } from '../domain/odds.ts';
import { type Formats, odds } from '../lib/formats.ts';
import { usdt } from './usdt.ts';

/** What a bet is called on the exchange, and its price and stake there. */
export interface ExchangeTerms {
  /** `against`, or `lay` for a lay betslip. */
  readonly label: string;
  readonly price: number;
  readonly stake: number;
}

/** A bet at the price of its selection: odds for it, a lay price against it. */
export interface ShownTerms {
  readonly price: number;
  readonly stake: number;
  /** Only if the exchange calls or prices the bet otherwise. */
  readonly exchange?: ExchangeTerms;
}

/** What an order is called and priced on the exchange, such as `against 1.75`. */
export const labelOnExchange = ({ label, price }: ExchangeTerms): string => `${label} ${odds(price)}`;

/** The same with its stake, after the words of an order; nothing if the exchange has the same words and price. */
export const onExchange = (terms: ExchangeTerms | undefined, formats: Formats): string =>
  terms === undefined
    ? ''
    : ` (on the exchange ${terms.label} ${formats.money(terms.stake)} at ${odds(terms.price)})`;

interface Priced {
  readonly priceKind: PriceKind;
  readonly price: number;
}

/** How people see a bet whose price and stake are the exchange's own. */
export function shownTerms(
  bet: Priced & { readonly stakeMicros: Micros },
  prices: ExchangePrices,
): ShownTerms {
  const { priceKind, price, stakeMicros } = bet;
  const label = nameOnExchange(priceKind, prices);
  return {
    price: selectionPrice(priceKind, price),
    stake: shownStake(bet, stakeMicros),
    ...(label === null ? {} : { exchange: { label, price, stake: usdt(stakeMicros) } }),
  };
}

/** A part of the stake of a bet, at the price of the selection. */
export const shownStake = ({ priceKind, price }: Priced, micros: Micros): number =>
  usdt(selectionStakeMicros(priceKind, price, micros));

/** The price of an order as a bet has it. */
export const pricedOrder = <T extends { readonly priceKind: PriceKind; readonly tick: Tick }>(
  order: T,
): T & Priced => ({ ...order, price: priceOf(order.tick) });
