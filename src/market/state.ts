import type { Score, SportEvent } from '../domain/events.ts';
import type { BetType, SelectionId } from '../domain/ids.ts';
import type { LiveOrder } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import type { PriceList } from '../domain/price-list.ts';
import type { Direction, Selection } from '../domain/selection.ts';
import type { EventTime } from '../domain/stream.ts';

/** One event as the exchange describes it, with what is known of its play. */
export interface EventState {
  readonly event: SportEvent;
  /** Described on the current connection. False between a reconnect and the new description. */
  readonly current: boolean;
  /** By the event's status, its clock or the offers' own flag: each can lag, so any one is enough. */
  readonly inRunning: boolean;
  /** Null: not known. */
  readonly score: Score | null;
  readonly redCards: Score | null;
  readonly time: EventTime | null;
  /** True when every market that the event had is gone or empty; null while that cannot be told. */
  readonly suspended: boolean | null;
}

/** Why held prices can or cannot be used. */
export type Freshness =
  | 'fresh'
  /** Not seen for longer than the staleness limit. */
  | 'stale'
  /** Last seen on an earlier connection. */
  | 'earlier-epoch'
  /** Its event was broadcast again without it, or the exchange removed it. */
  | 'absent'
  /** The betslip that the quote belongs to has lapsed. */
  | 'expired';

/** Prices as the exchange sent them, our own stake included. */
export interface HeldPrices {
  readonly priceList: PriceList;
  readonly ageMs: number;
  readonly epoch: number;
  readonly freshness: Freshness;
}

/** All that is known of a selection, for people and for checks; strategies see `SelectionView`. */
export interface SelectionState {
  readonly selection: Selection;
  readonly marketType: string;
  /** Null for a direction whose bet type the exchange never named: there it cannot be quoted. */
  readonly betTypes: Readonly<Record<Direction, BetType | null>>;
  readonly offers: Readonly<Record<Direction, HeldPrices | null>>;
  /** When the exchange took an offer away and told of none since; null where that is not so. */
  readonly takenAway: Readonly<Record<Direction, Pick<HeldPrices, 'ageMs' | 'epoch'> | null>>;
  readonly quotes: Readonly<Record<Direction, HeldPrices | null>>;
  /** Ours that may still be matched. */
  readonly orders: readonly LiveOrder[];
}

/** A selection as the choice of what to quote sees it. */
export interface Candidate {
  readonly selectionId: SelectionId;
  readonly marketType: string;
  /** Both bet types are known, so both sides can be quoted. */
  readonly quotable: boolean;
  /**
   * Stake that takers of a direction can get, all levels together, without our own; 0 where the market is gone, null
   * where what is held is too old to tell.
   */
  liquidityMicros(direction: Direction): Micros | null;
}
