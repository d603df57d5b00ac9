import type { EventName } from '../domain/events.ts';
import type { BetType, SelectionId } from '../domain/ids.ts';

/** What the price collar judges by: what takers can get now, without our own orders. */
export interface Reference {
  /** Best price of the `for` market, null when there is none. */
  readonly forBest: number | null;
  /** Best price of the `against` market, null when there is none. */
  readonly againstBest: number | null;
  /** Fair probability (0 to 1) of the selection by the consensus of its markets, null when not known. */
  readonly fair: number | null;
  /** Milliseconds since the market last told us so. */
  readonly ageMs: number;
}

/** What the catalogue knows of an event. */
export interface EventFacts {
  readonly competitionId: number | null;
  readonly inRunning: boolean;
  /** Wall-clock milliseconds. */
  readonly startTimeMs: number | null;
  /** The family that the exchange counts a bet type of this event to (`wdw`, `ah`, …), null when not known. */
  marketTypeOf(betType: BetType): string | null;
}

/** The competition and day in which the worst case of an event counts as well. */
export type EventPlace = EventName & Pick<EventFacts, 'competitionId' | 'startTimeMs'>;

/** The market of its event in which exactly one selection wins, as the exchange names the family (`win`). */
export interface WinnerMarket {
  readonly selectionId: SelectionId;
  readonly market: string;
}

export type ReferenceOf = (selectionId: SelectionId) => Reference | null;
export type EventFactsOf = (event: EventName) => EventFacts | null;
