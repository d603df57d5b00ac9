import { didYouMean } from '../lib/nearest.ts';

/**
 * The sports that are known; the exchange may add others (published facts, "Bet types"). A period is a sport of its own:
 * `fb_ht` is the first half of a football match.
 */
export const KNOWN_SPORTS: readonly string[] = [
  'fb',
  'fb_ht',
  'fb_corn',
  'basket',
  'tennis',
  'cricket',
  'horse',
  'esports',
  'politics',
];

/** The families of markets that are known; the exchange may add others (specification, "Offer"). */
export const KNOWN_MARKET_TYPES: readonly string[] = [
  'wdw',
  'ml',
  'dc',
  'dnb',
  'ou',
  'ah',
  'ahou',
  'cs',
  'score',
  'oe',
  'exact_total',
  'wm',
  'clean',
  'win',
  'top',
];

/** Why a code is refused, with those that are known; null if it is known. `others`: codes that the operator knows. */
export function unknownCode(
  code: string,
  known: readonly string[],
  others: readonly string[],
): string | null {
  if (known.includes(code) || others.includes(code)) return null;
  const all = [...known, ...others];
  return `${JSON.stringify(code)} is not known${didYouMean(code, all)}; known are ${all.join(', ')}. If the exchange uses it, name it in exchange.otherCodes`;
}
