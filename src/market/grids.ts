import type { BetType, Sport } from '../domain/ids.ts';
import { splitBetType } from '../domain/selection.ts';
import { readSettlementGrid, type SettlementGrid } from '../domain/payoff.ts';

/**
 * How selections settle, by the exchange's lookup. A bet type means the same in every event of its sport, so one grid serves them
 * all.
 */
export class Grids {
  /** By sport, then outcome: views ask so often that building a key of both would cost more than the rest of the question. */
  readonly #bySport = new Map<Sport, Map<string, SettlementGrid>>();

  /** `codes` is the answer to the lookup of this bet type. Returns false if it cannot be read; nothing is then stored. */
  set(sport: Sport, betType: BetType, codes: readonly (readonly string[])[]): boolean {
    const parts = splitBetType(betType);
    const grid = parts && readSettlementGrid(parts.direction, codes);
    if (parts === null || grid === null) return false;
    const ofSport = this.#bySport.get(sport) ?? new Map<string, SettlementGrid>();
    this.#bySport.set(sport, ofSport.set(parts.outcome, grid));
    return true;
  }

  of(sport: Sport, outcome: string): SettlementGrid | null {
    return this.#bySport.get(sport)?.get(outcome) ?? null;
  }
}
