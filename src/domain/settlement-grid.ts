import { GRID_SIZE, type Settlement, SETTLEMENT_CODES } from './payoff.ts';
import type { Direction } from './selection.ts';

/**
 * How each final score settles a selection's `for` side: the shares of the stake that win and that lose, row by row
 * (index home × 20 + away).
 */
export interface SettlementGrid {
  readonly won: readonly number[];
  readonly lost: readonly number[];
}

/**
 * Reads the exchange's `winloss_grid`, which applies to the direction of the request. Null unless the grid is 20 by 20
 * and every code is known: an unreadable grid cannot be priced.
 */
export function readSettlementGrid(
  direction: Direction,
  codes: readonly (readonly string[])[],
): SettlementGrid | null {
  if (codes.length !== GRID_SIZE || codes.some((row) => row.length !== GRID_SIZE)) return null;
  const cells = codes.flat().map((code) => SETTLEMENT_CODES.get(code));
  if (!cells.every((cell) => cell !== undefined)) return null;
  const won = cells.map((cell) => cell.won);
  const lost = cells.map((cell) => cell.lost);
  return direction === 'for' ? { won, lost } : { won: lost, lost: won };
}

/** The grid of a rule over final scores. */
export function settlementGrid(rule: (home: number, away: number) => Settlement): SettlementGrid {
  const cells = Array.from({ length: GRID_SIZE ** 2 }, (_, at) =>
    rule(Math.floor(at / GRID_SIZE), at % GRID_SIZE),
  );
  return { won: cells.map((cell) => cell.won), lost: cells.map((cell) => cell.lost) };
}
