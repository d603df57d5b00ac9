/** Money of bets in whole micros, such that the two sides of a trade always add up to nothing. */
import type { Micros } from '../../domain/money.ts';
import { profitOf, type Settlement } from '../../domain/payoff.ts';
import type { Direction } from '../../domain/selection.ts';

/** Profit of a settled bet; the other side's is its exact negative. */
export function profitMicros(
  direction: Direction,
  stakeMicros: Micros,
  price: number,
  settlement: Settlement,
): Micros {
  const forProfit = Math.round(profitOf('for', stakeMicros, price, settlement));
  return direction === 'for' ? forProfit : 0 - forProfit;
}

/** The most a bet can lose, never rounded below what settlement may take. */
export function liabilityMicros(direction: Direction, stakeMicros: Micros, price: number): Micros {
  return direction === 'for'
    ? stakeMicros
    : Math.round(profitOf('for', stakeMicros, price, { won: 1, lost: 0 }));
}
