import { BetBook } from './bets.ts';
import type { AccountChange, AccountEvent, AccountProjection } from './changes.ts';

/** The account's bets and results, and the states that are computed from their changes. */
export class Account {
  readonly #bets = new BetBook();
  readonly #projections: readonly AccountProjection[];

  /** Projections get each change in this order. */
  constructor(projections: readonly AccountProjection[]) {
    this.#projections = projections;
  }

  get bets(): Pick<BetBook, 'stateOf' | 'resultOf' | 'isTakenBack' | 'reportedMs'> {
    return this.#bets;
  }

  /** Applies an event to the bets, and what it changes to every projection. Returns the changes. `nowMs`: wall-clock milliseconds. */
  apply(event: AccountEvent, nowMs: number): readonly AccountChange[] {
    const changes = this.#bets.apply(event);
    for (const change of changes)
      for (const projection of this.#projections) projection.onChange(change, nowMs);
    return changes;
  }
}
