/** Numbers as the page writes them. */
import type { ExchangeTerms } from '../../read-model/status.ts';

/** An amount with two digits, or none when it is large; the sign is a real minus. */
export const usdt = (amount: number): string => signed(amount, Math.abs(amount) >= 1_000 ? 0 : 2);

/** The same with a plus before a gain. */
export const gain = (amount: number): string => (amount > 0 ? `+${usdt(amount)}` : usdt(amount));

/** A whole amount, for narrow places. */
export const whole = (amount: number): string => signed(amount, 0);

/** The same for the narrowest: from a thousand on in thousands. */
export const short = (amount: number): string =>
  Math.abs(amount) < 999.5 ? whole(amount) : `${signed(amount / 1_000, Math.abs(amount) < 9_950 ? 1 : 0)}k`;

/** A share in percent. */
export const percent = (share: number, digits = 1): string => `${signed(share * 100, digits)} %`;

/** A decimal price. One that lies between hundredths, the complement of a price of the exchange, has three digits. */
export function price(value: number): string {
  if (value >= 100) return value.toFixed(0);
  const text = value.toFixed(3);
  return text.endsWith('0') ? text.slice(0, -1) : text;
}

/** What an order is called and priced on the exchange. */
export const there = ({ label, price: at }: ExchangeTerms): string => `${label} ${price(at)}`;

/** The same in a sentence; nothing if the exchange has the same words and price. */
export const thereToo = (terms: ExchangeTerms | undefined): string =>
  terms === undefined
    ? ''
    : ` (on the exchange ${terms.label} ${usdt(terms.stake)} at ${price(terms.price)})`;

/** The time of day in UTC. */
export const timeOfDay = (wallMs: number): string => new Date(wallMs).toISOString().slice(11, 19);

function signed(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}
