import { GRID_SIZE, PUSH, type Settlement } from '../../domain/payoff.ts';
import type { EventResult, ParsedBetType } from './api.ts';

/** Outcome of a selection in each of the 400 final scores, at `home × 20 + away`. */
export type PayoffGrid = readonly Settlement[];

/** The result that a cell of the grid stands for; both halves carry the same score. */
export function resultOfCell(cell: number): EventResult {
  const home = Math.floor(cell / GRID_SIZE);
  const away = cell % GRID_SIZE;
  return { kind: 'score', home, away, halfTimeHome: home, halfTimeAway: away };
}

/** Settles selections over every final score, each selection once. */
export class PayoffGrids {
  readonly #grids = new Map<string, PayoffGrid | null>();

  /** Null when final scores do not decide the bet type. */
  of(sport: string, parsed: ParsedBetType): PayoffGrid | null {
    const key = `${sport}|${parsed.outcome}`;
    let grid = this.#grids.get(key);
    if (grid === undefined) {
      grid = parsed.onGrid ? settleAll(parsed) : null;
      this.#grids.set(key, grid);
    }
    return grid;
  }
}

const settleAll = (parsed: ParsedBetType): PayoffGrid =>
  Array.from({ length: GRID_SIZE * GRID_SIZE }, (_, cell) => parsed.settle(resultOfCell(cell)) ?? PUSH);
