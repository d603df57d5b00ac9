import type { Settlement } from '../../src/domain/payoff.ts';

/**
 * The judge's own definition of orders, written again from the design and the exchange's published facts. A definition
 * taken from the judged code would have the same mistakes.
 */
const OVER: readonly string[] = ['closed', 'refused', 'absent'];

/** No part of the order can be matched any more. */
export const isOver = (state: string): boolean => OVER.includes(state);

export type Side = 'for' | 'against';

/** The side that a bet type takes: its first token. Null for another token. */
export function sideOf(betType: string): Side | null {
  const [first] = betType.split(',', 1);
  return first === 'for' || first === 'against' ? first : null;
}

/**
 * The result of a stake at a price: `for` wins stake x (price - 1) or loses the stake, `against` wins the stake or
 * loses that.
 */
export function profit(side: Side, stake: number, price: number, { won, lost }: Settlement): number {
  const winnings = stake * (price - 1);
  if (side === 'for') return won * winnings - lost * stake;
  return lost * stake - won * winnings;
}
