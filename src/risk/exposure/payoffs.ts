import type { BetType, EventId, SelectionId, Sport } from '../../domain/ids.ts';
import type { Micros } from '../../domain/money.ts';
import { liabilityMicros, type PriceKind, winMicros } from '../../domain/odds.ts';
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
import { type Direction, directionOf, opposite, splitBetType } from '../../domain/selection.ts';

/** A stake at a price on one market: matched, or possibly to be matched. */
export interface Bet {
  readonly selectionId: SelectionId;
  readonly sport: Sport;
  readonly eventId: EventId;
  readonly betType: BetType;
  readonly direction: Direction;
  readonly priceKind: PriceKind;
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

/** Profit of each outcome. Whole micros, so that adding and taking away again leaves no residue. */
export function payoffsOf({
  priceKind,
  price,
  stakeMicros,
}: Pick<Bet, 'priceKind' | 'price' | 'stakeMicros'>): Payoffs {
  const win = winMicros(priceKind, stakeMicros, price);
  const loss = 0 - liabilityMicros(priceKind, stakeMicros, price);
  const halfLoss = Math.floor(loss / 2);
  return Float64Array.of(win, Math.floor(win / 2), 0, halfLoss, loss, loss, Math.floor((win + loss) / 2));
}

/**
 * Outcome grids from the exchange's lookup, by bet type. A grid for one direction also serves the other, mirrored. Only sports
 * whose final scores fit the grid use it: elsewhere a score outside the grid would be missed.
 */
export class BetTypeGrids {
  readonly #grids = new Map<string, OutcomeGrid>();
  /** Keyed by the original grid, so that replacing the grid drops its mirror. */
  readonly #mirrors = new WeakMap<OutcomeGrid, OutcomeGrid>();
  /** Bet types for which the exchange has no grid. */
  readonly #without = new Set<string>();
  readonly #scoreSports: ReadonlySet<string>;
  /** Families whose grids are not believed yet. */
  readonly #unproven: Set<string>;

  /** `onceProven`: families, such as `ah`, whose grids count only after `prove`. */
  constructor(scoreSports: readonly string[], onceProven: readonly string[] = []) {
    [this.#scoreSports, this.#unproven] = [new Set(scoreSports), new Set(onceProven)];
  }

  /** Returns whether anything changed. `sport` null: for every sport without a grid of its own. */
  set(sport: Sport | null, betType: BetType, grid: readonly (readonly string[])[]): boolean {
    const outcomes = readGrid(grid);
    if (outcomes === null) return false;
    const key = keyOf(sport, betType);
    if (this.#grids.get(key)?.every((outcome, cell) => outcome === outcomes[cell]) === true) return false;
    this.#grids.set(key, outcomes);
    return true;
  }

  /** Records that the exchange has no grid of this bet type, as far as is known. */
  setNone(sport: Sport, betType: BetType): void {
    this.#without.add(keyOf(sport, betType));
  }

  /** The outcomes of a bet that count: none while those of its family are not proven. */
  outcomes(bet: Pick<Bet, 'sport' | 'betType' | 'direction'>): OutcomeGrid | null {
    return this.#unproven.has(familyOf(bet.betType)) ? null : this.lookedUp(bet);
  }

  /** The exchange's payoffs agree with matched bets of these types. Returns whether that is new of any. */
  prove(betTypes: readonly BetType[]): boolean {
    const families = betTypes.map(familyOf).filter((family) => this.#unproven.has(family));
    for (const family of families) this.#unproven.delete(family);
    return families.length > 0;
  }

  /** The outcomes of a bet by the exchange's lookup. The bet may take the other side of its bet type. */
  lookedUp({ sport, betType, direction }: Pick<Bet, 'sport' | 'betType' | 'direction'>): OutcomeGrid | null {
    if (!this.#scoreSports.has(sport)) return null;
    const parts = splitBetType(betType);
    if (parts === null) return this.#known(sport, betType);
    return (
      this.#known(sport, `${direction},${parts.outcome}`) ??
      this.#mirrored(sport, `${opposite(direction)},${parts.outcome}`)
    );
  }

  /** Whether the exchange's lookup may bring a grid that is missing. */
  isWanted(sport: Sport, betType: BetType): boolean {
    if (!this.#scoreSports.has(sport) || this.#without.has(keyOf(sport, betType))) return false;
    return this.lookedUp({ sport, betType, direction: directionOf(betType) ?? 'for' }) === null;
  }

  #known(sport: Sport, betType: string): OutcomeGrid | null {
    return this.#grids.get(keyOf(sport, betType)) ?? this.#grids.get(keyOf(null, betType)) ?? null;
  }

  #mirrored(sport: Sport, betType: string): OutcomeGrid | null {
    const other = this.#known(sport, betType);
    if (other === null) return null;
    const mirror = this.#mirrors.get(other) ?? mirrorGrid(other);
    this.#mirrors.set(other, mirror);
    return mirror;
  }
}

/** The first part of a bet type behind its direction. */
const familyOf = (betType: BetType): string =>
  (splitBetType(betType)?.outcome ?? betType).split(',', 1)[0] as string;

const keyOf = (sport: Sport | null, betType: string): string => `${sport}|${betType}`;
