/** Profit and liability of bets in whole micros. The profits of a trade's two sides always add up to zero. */
import type { Micros } from '../../domain/money.ts';
import { profitOf, type Settlement } from '../../domain/payoff.ts';
import type { Direction } from '../../domain/selection.ts';

/** The profit of a settled bet. The profit of the other side is its exact negative. */
export function profitMicros(
  direction: Direction,
  stakeMicros: Micros,
  price: number,
  settlement: Settlement,
): Micros {
  const forProfit = Math.round(profitOf('for', stakeMicros, price, settlement));
  return direction === 'for' ? forProfit : 0 - forProfit;
}

/** The largest loss of a bet, never rounded below the loss that settlement can book. */
export function liabilityMicros(direction: Direction, stakeMicros: Micros, price: number): Micros {
  return direction === 'for'
    ? stakeMicros
    : Math.round(profitOf('for', stakeMicros, price, { won: 1, lost: 0 }));
}
