/**
 * What the removal of a runner does to bets on the others. Its reduction factor says, in percent, how much likelier the others have become: prices
 * that were agreed before fall by it.
 */
import { LADDER } from './ladder.ts';

/** Markets whose bets are reduced: for one winner, and for places. */
export type ReducedMarket = 'win' | 'place';

/** By the market type on the exchange; null for markets whose bets stay as they are. */
export const reducedMarketOf = (marketType: string): ReducedMarket | null =>
  marketType === 'win' ? 'win' : marketType === 'top' ? 'place' : null;

/** Smaller factors reduce no bet on a winner. */
const LEAST_WIN_FACTOR = 2.5;
/** From these factors on, unmatched orders against the others are cancelled. */
const CANCELLING_FACTORS: Readonly<Record<ReducedMarket, number>> = { win: 2.5, place: 4 };

/**
 * The price at which a bet settles after removals. A bet on a winner keeps the share 1 − f of its price for each factor of 2.5 % or more, a bet on a
 * place the share 1 − f of its winnings for each factor. The price is not rounded, only the profit is, to a whole micro; it does not fall below the
 * lowest price of the ladder.
 *
 * @example
 * reducedPrice('win', 3, [30]); // 2.1
 * reducedPrice('place', 3, [30]); // 2.4
 */
export function reducedPrice(market: ReducedMarket, price: number, factors: readonly number[]): number {
  let kept = 1;
  for (const factor of factors)
    if (market === 'place' || factor >= LEAST_WIN_FACTOR)
      kept *= 1 - Math.min(100, Math.max(0, factor)) / 100;
  const reduced = market === 'win' ? price * kept : 1 + (price - 1) * kept;
  return Math.max(reduced, Math.min(price, LADDER[0] as number));
}

/** Whether a removal cancels unmatched orders against the other runners. Others are kept at the reduced price; orders for a runner stay as they are. */
export const cancelsLays = (market: ReducedMarket, factor: number): boolean =>
  factor >= CANCELLING_FACTORS[market];
