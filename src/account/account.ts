import { settlementOf } from '../domain/settlement.ts';
import { BetBook } from './bets.ts';
import type { AccountChange, AccountEvent, AccountProjection } from './changes.ts';
import { newsIn, standingIn } from './reports.ts';

/** The account's bets, for everything that reads them. */
export type BetsRead = Omit<BetBook, 'apply'>;

/** The account as the order manager and others see it: they tell it what they learn, and read its bets. */
export interface AccountPort {
  /** The bets as of the last event. */
  readonly bets: BetsRead;
  apply(event: AccountEvent): unknown;
}

interface WallClock {
  wallMs(): number;
}

/** The account's bets and results, and the states that are computed from its changes. */
export class Account implements AccountPort {
  readonly #book = new BetBook();
  /** The bets as of the last event. */
  readonly bets: BetsRead = this.#book;
  readonly #projections: AccountProjection[];
  readonly #clock: WallClock;

  /** Projections get each change in this order. */
  constructor(projections: readonly AccountProjection[], clock: WallClock) {
    this.#projections = [...projections];
    this.#clock = clock;
  }

  /** Adds a projection behind all others. It knows nothing of changes before. */
  follow(projection: AccountProjection): void {
    this.#projections.push(projection);
  }

  /** Applies an event, and what it changes to every projection. Returns the changes. */
  apply(event: AccountEvent): readonly AccountChange[] {
    const changes: AccountChange[] = [];
    const nowMs = this.#clock.wallMs();
    for (const change of this.#changesOf(event)) {
      changes.push(change);
      for (const projection of this.#projections) projection.onChange(change, nowMs);
    }
    return changes;
  }

  /** Lazily: every projection has a change before the next one is derived. */
  *#changesOf(event: AccountEvent): Generator<AccountChange> {
    switch (event.kind) {
      case 'order':
      case 'balance':
      case 'owned':
      case 'other_account':
        yield event;
        return;
      case 'foreign_order':
        yield { ...event, isSettled: settlementOf(event.order) !== null };
        return;
      case 'report':
        for (const news of newsIn(event.order, this.#book, event.atMs)) yield* this.#book.apply(news);
        return;
      case 'standings':
        for (const news of standingIn(event.order, this.#book)) yield* this.#book.apply(news);
        return;
      default:
        yield* this.#book.apply(event);
    }
  }
}
