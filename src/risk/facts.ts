import type { EventName, Score } from '../domain/events.ts';
import type { BetType, SelectionId } from '../domain/ids.ts';

/** The prices that takers can get now, without our own orders. The price collar judges by them. */
export interface Reference {
  /** Best price of the `for` market, null when there is none. */
  readonly forBest: number | null;
  /** Best price of the `against` market, null when there is none. */
  readonly againstBest: number | null;
  /** Fair probability (0 to 1) of the selection by the consensus of its markets, null when not known. */
  readonly fair: number | null;
  /** Milliseconds since the market last reported these prices. */
  readonly ageMs: number;
}

/** The catalogue's facts of an event. */
export interface EventFacts {
  readonly competitionId: number | null;
  readonly inRunning: boolean;
  /** Null: not known. */
  readonly score: Score | null;
  /** Since the exchange last confirmed the score; null while it is not known. */
  readonly scoreAgeMs: number | null;
  /** Wall-clock milliseconds. */
  readonly startTimeMs: number | null;
  /** The exchange's market family of a bet type of this event (`wdw`, `ah`, …), null when not known. */
  marketTypeOf(betType: BetType): string | null;
}

/** The competition and the day in which the worst case of an event also counts. */
export type EventPlace = EventName & Pick<EventFacts, 'competitionId' | 'startTimeMs'>;

/** The market of its event in which exactly one selection wins, as the exchange names the family (`win`). */
export interface WinnerMarket {
  readonly selectionId: SelectionId;
  readonly market: string;
}

export type ReferenceOf = (selectionId: SelectionId) => Reference | null;
export type EventFactsOf = (event: EventName) => EventFacts | null;
