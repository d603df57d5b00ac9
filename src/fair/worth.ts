/** The worth of bets at a fair value. */
import type { Micros } from '../domain/money.ts';
import { contractsMicros } from '../domain/odds.ts';
import type { Direction } from '../domain/selection.ts';

/** The terms of a bet on a selection. */
export interface Terms {
  readonly direction: Direction;
  readonly price: number;
  readonly stakeMicros: Micros;
}

/** The probability of log-odds. */
export const probabilityAt = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/**
 * The expected profit of a bet before commission in whole micros: `stake · ρ · (p q − 1)` for, and its negative against. `q` is the
 * probability that the selection wins if the stake is not returned, `ρ` the share of the stake that is not.
 */
export function worthMicros({ direction, price, stakeMicros }: Terms, q: number, unpushed = 1): Micros {
  const forMicros = Math.round(stakeMicros * unpushed * (price * q - 1));
  return direction === 'for' ? forMicros : 0 - forMicros;
}

/** The standard deviation of a bet at a fair price, `stake · √(p − 1)`: the same for both of its sides. */
export const riskMicros = (stakeMicros: Micros, price: number): number => stakeMicros * Math.sqrt(price - 1);

/** Contracts of a bet: positive if it gains when the selection wins. */
export function signedContracts({ direction, price, stakeMicros }: Terms): number {
  const micros = contractsMicros(stakeMicros, price);
  return direction === 'for' ? micros : 0 - micros;
}

/**
 * The share of a stake on an outcome that is not expected to be returned, by the probability of a draw. Null where the match odds
 * do not tell it: then worth is per unpushed stake.
 */
export function unpushedShare(outcome: string, draw: number | null): number | null {
  const pushes = drawShare(outcome);
  if (pushes === null) return null;
  if (pushes === 0) return 1;
  return draw === null ? null : 1 - pushes * draw;
}

/** The share of the stake that is returned after a draw, if a draw alone returns any; null if other scores do. */
function drawShare(outcome: string): number | null {
  const [family, first, second] = outcome.split(',');
  if (family === 'dnb') return 1;
  const isTotal = family === 'ahover' || family === 'ahunder';
  if (family !== 'ah' && !isTotal) return 0;
  const quarters = Math.abs(Number(isTotal ? first : second));
  // Half a goal cannot be left over.
  if (quarters % 4 === 2) return 0;
  if (isTotal || quarters > 1) return null;
  return quarters === 0 ? 1 : 0.5;
}
