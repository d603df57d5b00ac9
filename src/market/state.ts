import type { Score, SportEvent } from '../domain/events.ts';
import type { BetType, SelectionId } from '../domain/ids.ts';
import type { LiveOrder } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import type { PriceList } from '../domain/price-list.ts';
import type { Direction, Selection } from '../domain/selection.ts';
import type { EventTime } from '../domain/stream.ts';

/** One event as the exchange describes it, with the state of play. */
export interface EventState {
  readonly event: SportEvent;
  /** The exchange has described it on the current connection. False between a reconnect and the new description. */
  readonly current: boolean;
  /** By the event's status, its clock or the offers' own flag. Each can lag, so any of them is enough. */
  readonly inRunning: boolean;
  /** Null: not known. */
  readonly score: Score | null;
  /** Since the exchange last reported score, cards or clock; null while the score is not known. */
  readonly scoreAgeMs: number | null;
  readonly redCards: Score | null;
  readonly time: EventTime | null;
  /** True if every market of the event is gone or empty; null while that is not known. */
  readonly suspended: boolean | null;
}

/** Whether held prices are usable, and if not, why. */
export type Freshness =
  | 'fresh'
  /** Not seen for longer than the staleness limit. */
  | 'stale'
  /** Last seen on an earlier connection. */
  | 'earlier-epoch'
  /** A later broadcast of its event omitted it, or the exchange removed it. */
  | 'absent'
  /** The quote's betslip has expired. */
  | 'expired';

/** Prices of the selection, as the exchange sent them or their exact complements, our own stake included. */
export interface HeldPrices {
  readonly priceList: PriceList;
  readonly ageMs: number;
  readonly epoch: number;
  readonly freshness: Freshness;
}

/** Everything known of a selection, for people and for checks. Strategies see `SelectionView`. */
export interface SelectionState {
  readonly selection: Selection;
  readonly marketType: string;
  /** Null for a direction whose bet type the exchange never named; it cannot be quoted. */
  readonly betTypes: Readonly<Record<Direction, BetType | null>>;
  readonly offers: Readonly<Record<Direction, HeldPrices | null>>;
  /** When the exchange removed an offer without a new one since; null otherwise. */
  readonly takenAway: Readonly<Record<Direction, Pick<HeldPrices, 'ageMs' | 'epoch'> | null>>;
  readonly quotes: Readonly<Record<Direction, HeldPrices | null>>;
  /** Our orders that may still be matched. */
  readonly orders: readonly LiveOrder[];
}

/** A selection as the universe's choice sees it. */
export interface Candidate {
  readonly selectionId: SelectionId;
  readonly marketType: string;
  /** Both bet types are known, so both sides can be quoted. */
  readonly quotable: boolean;
  /**
   * Total stake available to takers of a direction, without our own. 0 if the market is gone; null if the held prices are too
   * old.
   */
  liquidityMicros(direction: Direction): Micros | null;
}
