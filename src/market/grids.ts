import type { BetType, Sport } from '../domain/ids.ts';
import { splitBetType } from '../domain/selection.ts';
import { readSettlementGrid, type SettlementGrid } from '../domain/payoff.ts';

/**
 * How selections settle, by the exchange's lookup. A bet type means the same in every event of its sport, so one grid serves them
 * all.
 */
export class Grids {
  readonly #byOutcome = new Map<string, SettlementGrid>();

  /** `codes` is the answer to the lookup of this bet type. Returns false if it cannot be read; nothing is then stored. */
  set(sport: Sport, betType: BetType, codes: readonly (readonly string[])[]): boolean {
    const parts = splitBetType(betType);
    const grid = parts && readSettlementGrid(parts.direction, codes);
    if (parts === null || grid === null) return false;
    this.#byOutcome.set(nameOf(sport, parts.outcome), grid);
    return true;
  }

  of(sport: Sport, outcome: string): SettlementGrid | null {
    return this.#byOutcome.get(nameOf(sport, outcome)) ?? null;
  }
}

const nameOf = (sport: Sport, outcome: string): string => `${sport}|${outcome}`;
