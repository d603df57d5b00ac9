import type { BetType, Sport } from '../../domain/ids.ts';
import { splitBetType } from '../../domain/selection.ts';
import { mirrorGrid, type OutcomeGrid, readGrid } from './payoffs.ts';

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

  constructor(scoreSports: readonly string[]) {
    this.#scoreSports = new Set(scoreSports);
  }

  /** Returns whether anything changed. `sport` null: for every sport without a grid of its own. */
  set(sport: Sport | null, betType: BetType, grid: readonly (readonly string[])[]): boolean {
    const outcomes = readGrid(grid);
    if (outcomes === null) return false;
    const key = keyOf(sport, betType);
    if (isSame(this.#grids.get(key), outcomes)) return false;
    this.#grids.set(key, outcomes);
    return true;
  }

  /** Records that the exchange has no grid of this bet type, as far as is known. */
  setNone(sport: Sport, betType: BetType): void {
    this.#without.add(keyOf(sport, betType));
  }

  outcomes(sport: Sport, betType: BetType): OutcomeGrid | null {
    if (!this.#scoreSports.has(sport)) return null;
    return this.#lookedUp(sport, betType) ?? this.#mirrored(sport, betType);
  }

  /** Whether the exchange's lookup may bring a grid that is missing. */
  isWanted(sport: Sport, betType: BetType): boolean {
    if (!this.#scoreSports.has(sport) || this.#without.has(keyOf(sport, betType))) return false;
    return this.outcomes(sport, betType) === null;
  }

  #lookedUp(sport: Sport, betType: string): OutcomeGrid | null {
    return this.#grids.get(keyOf(sport, betType)) ?? this.#grids.get(keyOf(null, betType)) ?? null;
  }

  #mirrored(sport: Sport, betType: BetType): OutcomeGrid | null {
    const parts = splitBetType(betType);
    if (parts === null) return null;
    const other = this.#lookedUp(sport, `${parts.direction === 'for' ? 'against' : 'for'},${parts.outcome}`);
    if (other === null) return null;
    const mirror = this.#mirrors.get(other) ?? mirrorGrid(other);
    this.#mirrors.set(other, mirror);
    return mirror;
  }
}

const keyOf = (sport: Sport | null, betType: string): string => `${sport}|${betType}`;

function isSame(a: OutcomeGrid | undefined, b: OutcomeGrid): boolean {
  return a?.every((outcome, cell) => outcome === b[cell]) ?? false;
}
