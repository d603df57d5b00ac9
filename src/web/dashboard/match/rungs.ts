import { price as priceText } from '../numbers.ts';
import { ticksBetween } from './close-out.ts';
import type { LiveQuote, LiveSelection } from '../../../read-model/live/message.ts';

/** A price with everything that stands at it. */
export interface Rung {
  readonly price: number;
  /** Stake that takers can back with, and lay with; 0 for none. */
  readonly toBack: number;
  readonly toLay: number;
  readonly against: readonly LiveQuote[];
  readonly for: readonly LiveQuote[];
}

/**
 * The prices of the market and of our quotes, and every tick of the ladder between them, the highest first. Prices that read the same share a rung: the exact complement of a price
 * of the exchange may lie a hair from another.
 */
export function rungsOf({ market, quotes }: Pick<LiveSelection, 'market' | 'quotes'>): readonly Rung[] {
  const prices = [...(market.for ?? []), ...(market.against ?? [])].map(([price]) => price);
  const known = [...prices, ...quotes.map(({ price }) => price)];
  const ticks = ticksBetween(Math.min(...known), Math.max(...known));
  const sorted = [...known, ...ticks].sort((a, b) => b - a);
  const stakeAt = (levels: (typeof market)['for'], price: number): number =>
    (levels ?? []).reduce((sum, [at, stake]) => (isSameRung(at, price) ? sum + stake : sum), 0);
  return sorted
    .filter((price, at) => at === 0 || !isSameRung(price, sorted[at - 1] as number))
    .map((price) => {
      const ours = quotes.filter((quote) => isSameRung(quote.price, price));
      return {
        price,
        toBack: stakeAt(market.for, price),
        toLay: stakeAt(market.against, price),
        against: ours.filter(({ direction }) => direction === 'against'),
        for: ours.filter(({ direction }) => direction === 'for'),
      };
    });
}

/** Whether two prices read the same. */
export const isSameRung = (a: number, b: number): boolean => priceText(a) === priceText(b);

/** How far the middle of our best quotes is from the fair price, as a share of it; null unless both sides are quoted. */
export function skewOf(quotes: readonly LiveQuote[], fairPrice: number | null): number | null {
  const against = quotes.filter(({ direction }) => direction === 'against').map(({ price }) => price);
  const forUs = quotes.filter(({ direction }) => direction === 'for').map(({ price }) => price);
  if (fairPrice === null || against.length === 0 || forUs.length === 0) return null;
  const middle = (Math.max(...against) + Math.min(...forUs)) / 2;
  return middle / fairPrice - 1;
}
