import type { Tick } from '../../domain/ladder.ts';
import type { Showing } from './deciding/showings.ts';
import type { OwnOrder } from './exchange/own-order.ts';
import type { FillCause } from './exchange/selection-book.ts';

/** News of our orders from the exchange, on its way to us. */
export interface News {
  /** Null: the event is in play. */
  readonly order: OwnOrder | null;
  /** Null: the order is closed. */
  readonly fill: {
    readonly tick: Tick;
    readonly stakeMicros: number;
    readonly cause: FillCause;
    /** When it happened. */
    readonly atMs: number;
  } | null;
}

/** A showing of the market on its way to us. */
export interface Arriving {
  /** Whether the market changed since the showing before. */
  readonly isNew: boolean;
  readonly showing: Showing;
}
