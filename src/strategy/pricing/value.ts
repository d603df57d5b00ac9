import { logOddsOf, priceOf } from '../../domain/odds.ts';
import type { QuoteIntent } from '../../domain/quote-intent.ts';

/** How often a resting quote is filled: `arrivalsPerS` at the fair price, falling by e each 1/`decay` of log-odds. */
export interface FillModel {
  readonly arrivalsPerS: number;
  readonly decay: number;
}

/** Where nothing better is known. Only the order of the values counts for what they are used for. */
export const TYPICAL_FILLS: FillModel = { arrivalsPerS: 3 / 60, decay: 40 };

/**
 * What a quote may be expected to earn per second, in micros: the expected profit of its fill at the fair probability,
 * times the expected rate of fills. Nothing for a quote without an edge.
 */
export function quoteValue(
  { direction, tick, stakeMicros }: Pick<QuoteIntent, 'direction' | 'tick' | 'stakeMicros'>,
  fairProbability: number,
  { arrivalsPerS, decay }: FillModel = TYPICAL_FILLS,
): number {
  const price = priceOf(tick);
  const returned = fairProbability * price - 1;
  const edge = direction === 'for' ? returned : -returned;
  const distance = Math.abs(logOddsOf(price) - logOddsOf(1 / fairProbability));
  return Math.max(0, edge) * stakeMicros * arrivalsPerS * Math.exp(-decay * distance);
}
