import { BetBook } from './bets.ts';
import type { AccountChange, AccountEvent, AccountProjection } from './changes.ts';

/** The account's bets, for everything that reads them. */
export type BetsRead = Omit<BetBook, 'apply'>;

/** The account's bets and results, and the states that are computed from their changes. */
export class Account {
  readonly #book = new BetBook();
  /** The bets as of the last event. */
  readonly bets: BetsRead = this.#book;
  readonly #projections: AccountProjection[];

  /** Projections get each change in this order. */
  constructor(projections: readonly AccountProjection[]) {
    this.#projections = [...projections];
  }

  /** Adds a projection behind all others. It knows nothing of changes before. */
  follow(projection: AccountProjection): void {
    this.#projections.push(projection);
  }

  /** Applies an event to the bets, and what it changes to every projection. Returns the changes. `nowMs`: wall-clock milliseconds. */
  apply(event: AccountEvent, nowMs: number): readonly AccountChange[] {
    const changes = this.#book.apply(event);
    for (const change of changes)
      for (const projection of this.#projections) projection.onChange(change, nowMs);
    return changes;
  }
}
