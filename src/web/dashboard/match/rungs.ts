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

/** The prices of the market and of our quotes, the highest first. */
export function rungsOf({ market, quotes }: Pick<LiveSelection, 'market' | 'quotes'>): readonly Rung[] {
  const prices = [...(market.for ?? []), ...(market.against ?? [])].map(([price]) => price);
  const all = new Set([...prices, ...quotes.map(({ price }) => price)]);
  const stakeAt = (levels: (typeof market)['for'], price: number): number =>
    levels?.find(([at]) => at === price)?.[1] ?? 0;
  return [...all]
    .sort((a, b) => b - a)
    .map((price) => ({
      price,
      toBack: stakeAt(market.for, price),
      toLay: stakeAt(market.against, price),
      against: quotes.filter((quote) => quote.price === price && quote.direction === 'against'),
      for: quotes.filter((quote) => quote.price === price && quote.direction === 'for'),
    }));
}

/** How far the middle of our best quotes is from the fair price, as a share of it; null unless both sides are quoted. */
export function skewOf(quotes: readonly LiveQuote[], fairPrice: number | null): number | null {
  const against = quotes.filter(({ direction }) => direction === 'against').map(({ price }) => price);
  const forUs = quotes.filter(({ direction }) => direction === 'for').map(({ price }) => price);
  if (fairPrice === null || against.length === 0 || forUs.length === 0) return null;
  const middle = (Math.max(...against) + Math.min(...forUs)) / 2;
  return middle / fairPrice - 1;
}
