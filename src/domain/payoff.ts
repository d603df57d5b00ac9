import type { Direction } from './selection.ts';

/** Final scores are 0..19 on each side: the grid that the exchange's bet-type lookup and positions use. */
export const GRID_SIZE = 20;

/**
 * The result of a `for` bet in one final state: the fractions of the stake that are won (times price - 1) and lost.
 * Win {1,0}, loss {0,1}, push or void {0,0}, half win {.5,0}, half loss {0,.5}, split {.5,.5}.
 *
 * @example
 * const halfWin: Settlement = { won: 0.5, lost: 0 };
 */
export interface Settlement {
  readonly won: number;
  readonly lost: number;
}

/**
 * The whole stake wins.
 *
 * @example
 * WIN; // { won: 1, lost: 0 }
 */
export const WIN: Settlement = { won: 1, lost: 0 };
/**
 * The whole stake loses.
 *
 * @example
 * LOSS; // { won: 0, lost: 1 }
 */
export const LOSS: Settlement = { won: 0, lost: 1 };
/**
 * The stake is returned.
 *
 * @example
 * PUSH; // { won: 0, lost: 0 }
 */
export const PUSH: Settlement = { won: 0, lost: 0 };
export const HALF_WIN: Settlement = { won: 0.5, lost: 0 };
export const HALF_LOSS: Settlement = { won: 0, lost: 0.5 };
export const SPLIT: Settlement = { won: 0.5, lost: 0.5 };

/** The exchange's codes of the bet-type lookup and of settled legs (published facts). */
export const SETTLEMENT_CODES: ReadonlyMap<string, Settlement> = new Map([
  ['w', WIN],
  ['hw', HALF_WIN],
  ['v/w', HALF_WIN],
  ['p', PUSH],
  ['v', PUSH],
  ['hl', HALF_LOSS],
  ['l/v', HALF_LOSS],
  ['l', LOSS],
  ['l/w', SPLIT],
]);

/**
 * How each final score settles a selection's `for` side: the shares of the stake that win and that lose, row by row
 * (index home × 20 + away).
 *
 * @example
 * const drawGrid: SettlementGrid = settlementGrid((home, away) => (home === away ? WIN : LOSS));
 * drawGrid.won[0]; // 1
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

/**
 * The grid of a rule over final scores.
 *
 * @example
 * const homeWins = settlementGrid((home, away) => (home > away ? WIN : LOSS));
 * homeWins.won[1 * 20 + 0]; // 1
 * homeWins.won[0 * 20 + 1]; // 0
 */
export function settlementGrid(rule: (home: number, away: number) => Settlement): SettlementGrid {
  const cells = Array.from({ length: GRID_SIZE ** 2 }, (_, at) =>
    rule(Math.floor(at / GRID_SIZE), at % GRID_SIZE),
  );
  return { won: cells.map((cell) => cell.won), lost: cells.map((cell) => cell.lost) };
}
