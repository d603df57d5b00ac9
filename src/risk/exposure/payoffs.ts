import type { BetType, EventId, SelectionId, Sport } from '../../domain/ids.ts';
import { type Micros, oppositeStakeMicros, winMicros } from '../../domain/money.ts';
import {
  GRID_SIZE,
  HALF_LOSS,
  HALF_WIN,
  LOSS,
  PUSH,
  type Settlement,
  SETTLEMENT_CODES,
  SPLIT,
  WIN,
} from '../../domain/payoff.ts';
import type { Direction } from '../../domain/selection.ts';

/** A stake at a price on one market: matched, or possibly to be matched. */
export interface Bet {
  readonly selectionId: SelectionId;
  readonly sport: Sport;
  readonly eventId: EventId;
  readonly betType: BetType;
  readonly direction: Direction;
  readonly price: number;
  readonly stakeMicros: Micros;
}

/** Final scores of the grid, row by row: index home × 20 + away. */
export const CELL_COUNT = GRID_SIZE * GRID_SIZE;

/** The result of a bettor's stake in one final state. The numbers index `Payoffs`. */
export const OUTCOME = { win: 0, halfWin: 1, push: 2, halfLoss: 3, loss: 4, unknown: 5, split: 6 } as const;

/** One outcome per cell of the score grid, as seen by the bettor. */
export type OutcomeGrid = Uint8Array;

/** Profit in whole micros per outcome, rounded against us. An unknown outcome is a loss. */
export type Payoffs = Float64Array;

const OUTCOMES: ReadonlyMap<Settlement | undefined, number> = new Map([
  [WIN, OUTCOME.win],
  [HALF_WIN, OUTCOME.halfWin],
  [PUSH, OUTCOME.push],
  [HALF_LOSS, OUTCOME.halfLoss],
  [LOSS, OUTCOME.loss],
  [SPLIT, OUTCOME.split],
]);

/** The mirror of each outcome: the outcome in the other direction of the same selection. */
const MIRROR = [
  OUTCOME.loss,
  OUTCOME.halfLoss,
  OUTCOME.push,
  OUTCOME.halfWin,
  OUTCOME.win,
  OUTCOME.unknown,
  OUTCOME.split,
] as const;

/** Reads the exchange's grid; null unless it is 20 by 20. Codes that are not known count as a loss. */
export function readGrid(grid: readonly (readonly string[])[]): OutcomeGrid | null {
  if (grid.length !== GRID_SIZE || grid.some((row) => row.length !== GRID_SIZE)) return null;
  return Uint8Array.from(grid.flat(), (code) => OUTCOMES.get(SETTLEMENT_CODES.get(code)) ?? OUTCOME.unknown);
}

/** The grid of the same selection in the other direction. An unknown outcome stays unknown: a loss for both. */
export function mirrorGrid(grid: OutcomeGrid): OutcomeGrid {
  return grid.map((outcome) => MIRROR[outcome] ?? OUTCOME.unknown);
}

/** The most that a bet can lose, rounded up to a whole micro. */
export function liabilityMicros(direction: Direction, stakeMicros: Micros, price: number): Micros {
  return direction === 'for' ? stakeMicros : oppositeStakeMicros(stakeMicros, price);
}

/** Profit of each outcome. Whole micros, so that adding and taking away again leaves no residue. */
export function payoffsOf(bet: Pick<Bet, 'direction' | 'price' | 'stakeMicros'>): Payoffs {
  const win = bet.direction === 'for' ? winMicros(bet.stakeMicros, bet.price) : bet.stakeMicros;
  const loss = 0 - liabilityMicros(bet.direction, bet.stakeMicros, bet.price);
  const halfLoss = Math.floor(loss / 2);
  return Float64Array.of(win, Math.floor(win / 2), 0, halfLoss, loss, loss, Math.floor((win + loss) / 2));
}
