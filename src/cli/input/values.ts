import { InvalidArgumentError } from 'commander';
import * as ids from '../../domain/ids.ts';
import { KNOWN_MARKET_TYPES, KNOWN_SPORTS, unknownCode } from '../../domain/codes.ts';
import { TouchlineError } from '../../domain/errors.ts';
import { fromMicros } from '../../domain/money.ts';
import { isLay, type PriceKind } from '../../domain/odds.ts';

/** Formats of the exchange's values on the command line and in reports. */

/** A whole number. Throws commander's InvalidArgumentError. */
export function parseOrderId(text: string): ReturnType<typeof ids.orderId> {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < 1) {
    throw new InvalidArgumentError('expected an order id, a whole number');
  }
  return ids.orderId(value);
}

/** A code such as `fb`. Throws commander's InvalidArgumentError. */
export function parseSport(text: string): ReturnType<typeof ids.sport> {
  if (!/^[a-z0-9_]+$/.test(text))
    throw new InvalidArgumentError('expected a sport code such as fb or tennis');
  return ids.sport(text);
}

/** Throws TouchlineError `usage` that names the known codes if one of the option's is not among them. */
export function checkCodes(
  option: '--sport' | '--market-type',
  codes: readonly string[] = [],
  others: readonly string[],
): void {
  const known = option === '--sport' ? KNOWN_SPORTS : KNOWN_MARKET_TYPES;
  for (const code of codes) {
    const fault = unknownCode(code, known, others);
    if (fault !== null) throw new TouchlineError('usage', `${option}: ${fault}`);
  }
}

/** Gathers a repeated option or argument. */
export const several =
  <T>(parse: (text: string) => T) =>
  (text: string, earlier: readonly T[] = []): readonly T[] => [...earlier, parse(text)];

/** What a price of the exchange is; null if that is not known. */
export const priceIs = (kind: PriceKind | undefined): string | null =>
  kind === undefined ? null : isLay(kind) ? 'lay price' : 'odds';

/** Decimal USDT of micros. */
export const usdt = (micros: number | null): number | null => (micros === null ? null : fromMicros(micros));

/** ISO 8601 to the second. */
export const instant = (ms: number | null): string | null =>
  ms === null ? null : `${new Date(ms).toISOString().slice(0, 19)}Z`;
