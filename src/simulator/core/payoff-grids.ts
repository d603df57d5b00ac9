import type { Micros } from '../../domain/money.ts';
import { type PriceKind, profitMicros } from '../../domain/odds.ts';
import { GRID_SIZE, LOSS, PUSH, type Settlement, WIN } from '../../domain/payoff.ts';
import type { EventResult, ParsedBetType } from '../../domain/bet-types/result.ts';

/** The largest loss of a bet in whole micros: the most that settlement can book. */
export const liabilityMicros = (kind: PriceKind, stakeMicros: Micros, price: number): Micros =>
  0 - Math.min(profitMicros(kind, stakeMicros, price, WIN), profitMicros(kind, stakeMicros, price, LOSS));

/** The number of final scores in the grid. */
export const CELLS = GRID_SIZE * GRID_SIZE;

/** The settlement of a selection in each of the 400 final scores, at `home × 20 + away`. */
export interface PayoffGrid {
  /** The distinct settlements. */
  readonly settlements: readonly Settlement[];
  /** The index in `settlements` for each final score. */
  readonly cells: Uint8Array;
}

/** The part of a bet that determines its profit in a settlement. */
export interface Payable {
  readonly priceKind: PriceKind;
  readonly stakeMicros: Micros;
  readonly price: number;
}

/** The result of a cell. The half-time score equals the final score. */
function resultOfCell(cell: number): EventResult {
  const home = Math.floor(cell / GRID_SIZE);
  const away = cell % GRID_SIZE;
  return { kind: 'score', home, away, halfTimeHome: home, halfTimeAway: away };
}

/** Adds a bet's profit in each final score to `profits`; `sign` -1 subtracts it. */
export function addPayoffs(profits: Float64Array, grid: PayoffGrid, bet: Payable, sign: 1 | -1 = 1): void {
  const { priceKind, stakeMicros, price } = bet;
  const paid = grid.settlements.map((settlement) => profitMicros(priceKind, stakeMicros, price, settlement));
  for (let cell = 0; cell < CELLS; cell++) {
    profits[cell] = (profits[cell] as number) + sign * (paid[grid.cells[cell] as number] as number);
  }
}

/** Settlements of selections over every final score. Each selection is computed once. */
export class PayoffGrids {
  readonly #grids = new Map<string, PayoffGrid | null>();

  /** The grid of a bet type, null if final scores do not decide it. */
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

function settleAll(parsed: ParsedBetType): PayoffGrid {
  const settlements: Settlement[] = [];
  const cells = Uint8Array.from({ length: CELLS }, (_, cell) => {
    const settled = parsed.settle(resultOfCell(cell)) ?? PUSH;
    const known = settlements.findIndex(({ won, lost }) => won === settled.won && lost === settled.lost);
    return known === -1 ? settlements.push(settled) - 1 : known;
  });
  return { settlements, cells };
}
