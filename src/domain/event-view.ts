import type { Score } from './events.ts';
import type { EventId, SelectionId, Sport } from './ids.ts';
import type { Micros } from './money.ts';
import type { PriceList } from './price-list.ts';
import type { Direction } from './selection.ts';
import type { SettlementGrid } from './payoff.ts';

/** An event as a strategy sees it. Frozen for the length of the call. */
export interface EventView {
  readonly eventId: EventId;
  readonly sport: Sport;
  readonly nowMs: number;
  /** Milliseconds until the start; negative afterwards; null when not known. */
  readonly startsInMs: number | null;
  readonly inRunning: boolean;
  readonly score: Score | null;
  readonly selections: readonly SelectionView[];
  /** Our matched positions on all selections of the event, quoted or not. */
  readonly holdings?: readonly Holding[];
}

/** A matched position and how it settles. */
export interface Holding {
  readonly selectionId: SelectionId;
  readonly position: PositionView;
  /** Null until the exchange has sent it, or when no final score decides the selection. */
  readonly grid: SettlementGrid | null;
}

/** A selection of the event that the configuration's rules chose to quote. */
export interface SelectionView {
  readonly selectionId: SelectionId;
  readonly marketType: string;
  /** The opaque rest of the bet type. It distinguishes selections in logs and parameters. */
  readonly outcome: string;
  /**
   * The prices that takers get in each direction, less our own stake at each level: a fresh private quote if there is
   * one, else the public offer. Null when there is neither, or it is stale.
   */
  readonly market: Readonly<Record<Direction, MarketSide | null>>;
  /** Our matched position here. */
  readonly position: PositionView;
  /** Our open quotes here. */
  readonly quotes: readonly OwnQuote[];
  /** How each final score settles the `for` side; null while not known, or when no final score decides it. */
  readonly grid?: SettlementGrid | null;
  /** Our fills here in the last minutes, oldest first. */
  readonly recentFills?: readonly RecentFill[];
}

export interface RecentFill {
  readonly direction: Direction;
  readonly price: number;
  readonly stakeMicros: Micros;
  readonly ageMs: number;
}

export interface MarketSide {
  readonly priceList: PriceList;
  readonly source: 'quote' | 'offer';
  readonly ageMs: number;
}

export interface PositionView {
  /** Profit if the selection wins, and if it loses, of matched bets. */
  readonly ifWinMicros: Micros;
  readonly ifLoseMicros: Micros;
}

export interface OwnQuote {
  readonly direction: Direction;
  readonly tick: number;
  readonly unfilledMicros: Micros;
}
