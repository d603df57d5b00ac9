import { logOddsOf, priceOf } from '../../domain/odds.ts';
import type { QuoteIntent } from '../../domain/quote-intent.ts';

/** Rate of fills of a resting quote: `arrivalsPerS` at the fair price, divided by e for each 1/`decay` of log-odds. */
export interface FillModel {
  readonly arrivalsPerS: number;
  readonly decay: number;
}

/** The default model. Values are only compared with each other, so their order matters, not their size. */
export const TYPICAL_FILLS: FillModel = { arrivalsPerS: 3 / 60, decay: 40 };

/**
 * The expected profit of a quote per second, in micros: the expected profit of its fill at the fair probability, times
 * the expected rate of fills. 0 for a quote without an edge.
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
