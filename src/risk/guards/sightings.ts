import type { EventName, Score } from '../../domain/events.ts';
import type { SelectionId } from '../../domain/ids.ts';

/** An event as the market shows it now. */
export interface EventSighting extends EventName {
  readonly inRunning: boolean;
  /** Wall-clock milliseconds. */
  readonly startTimeMs: number | null;
  readonly score: Score | null;
  readonly redCards: Score | null;
  /** Every market of the event is without offers; null when that is not known. */
  readonly suspended: boolean | null;
}

/** The time since the exchange last confirmed the score of an event on which we have orders; null: it is not known. */
export interface ScoreSighting extends EventName {
  readonly inRunning: boolean;
  readonly scoreAgeMs: number | null;
}

/** Best prices for takers of one source, null where there is none. */
export interface BestPrices {
  readonly for: number | null;
  readonly against: number | null;
}

/** A selection as the market shows it now. */
export interface SelectionSighting extends EventName {
  readonly selectionId: SelectionId;
  /** Consensus probability, null when there is none. */
  readonly fair: number | null;
  readonly offers: BestPrices;
  readonly quotes: BestPrices;
}

/** The time since the last price of a selection that we quote; null: no price yet. */
export interface AgeSighting extends EventName {
  readonly selectionId: SelectionId;
  readonly ageMs: number | null;
}

export type OrderOutcome = 'accepted' | 'refused' | 'unknown';
