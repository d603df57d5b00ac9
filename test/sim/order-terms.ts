import type { Settlement } from '../../src/domain/payoff.ts';

/**
 * What the judge holds orders to be, written down once more from the design and the exchange's published facts: what is
 * taken from the code that it judges would be wrong there and here alike.
 */
const OVER: readonly string[] = ['closed', 'refused', 'absent'];

/** Nothing of the order can be matched any more. */
export const isOver = (state: string): boolean => OVER.includes(state);

export type Side = 'for' | 'against';

/** The side that a bet type takes: its first token. Null for another token. */
export function sideOf(betType: string): Side | null {
  const [first] = betType.split(',', 1);
  return first === 'for' || first === 'against' ? first : null;
}

/** Stake at a price: `for` wins stake x (price - 1) or loses the stake, `against` wins the stake or loses that. */
export function profit(side: Side, stake: number, price: number, { won, lost }: Settlement): number {
  const winnings = stake * (price - 1);
  if (side === 'for') return won * winnings - lost * stake;
  return lost * stake - won * winnings;
}
