import type { ExchangeTerms } from '../../read-model/status.ts';

/** A price of a selection. The complement of a price of the exchange lies between ticks: three digits show it. */
export const priceInWords = (price: number): string => String(Number(price.toFixed(3)));

/** The same in a column: two digits if they are exact or the price is long. */
export function priceInColumn(price: number): string {
  const text = price.toFixed(price < 10 ? 3 : 2);
  return price < 10 && text.endsWith('0') ? text.slice(0, -1) : text;
}

/** What an order is called and priced on the exchange, after its words; nothing if that is the same. */
export const onExchange = (terms: ExchangeTerms | undefined): string =>
  terms === undefined
    ? ''
    : ` (there ${terms.label} ${terms.stake.toFixed(2)} at ${priceInWords(terms.price)})`;
