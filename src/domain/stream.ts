import type { Score, SportEvent } from './events.ts';
import type { BetslipId, BetType, EventId, Sport } from './ids.ts';
import type { Micros } from './money.ts';
import type { Balance, VenueBet, VenueOrder } from './orders.ts';
import type { PriceList } from './price-list.ts';

/** A market's public prices. They replace the market's earlier offer as a whole. */
export interface Offer {
  readonly sport: Sport;
  readonly eventId: EventId;
  readonly betType: BetType;
  readonly marketType: string;
  readonly inRunning: boolean;
  readonly priceList: PriceList;
}

/** A betslip's private quote (`pmm`). Usable only with status `success`. */
export interface Quote {
  readonly betslipId: BetslipId;
  readonly sport: Sport;
  readonly eventId: EventId;
  readonly betType: BetType;
  readonly statusCode: string;
  readonly priceList: PriceList;
  readonly totalMicros: Micros | null;
}

/**
 * A decoded entry of a stream frame. An offer whose bytes did not change since the last frame may be delivered as
 * the identical object, so `===` is a cheap test for "unchanged".
 */
export type StreamEntry =
  | { readonly tag: 'event'; readonly event: SportEvent }
  | { readonly tag: 'remove_event'; readonly sport: Sport; readonly eventId: EventId }
  | { readonly tag: 'clear_events' }
  | { readonly tag: 'sync'; readonly sessionId: string | null }
  | { readonly tag: 'offer'; readonly offer: Offer }
  | {
      readonly tag: 'remove_offer';
      readonly sport: Sport;
      readonly eventId: EventId;
      readonly betType: BetType;
    }
  | {
      readonly tag: 'event_score';
      readonly sport: Sport;
      readonly eventId: EventId;
      readonly score: Score | null;
    }
  | {
      readonly tag: 'event_red_cards';
      readonly sport: Sport;
      readonly eventId: EventId;
      readonly redCards: Score | null;
    }
  | {
      readonly tag: 'event_time';
      readonly sport: Sport;
      readonly eventId: EventId;
      readonly time: EventTime | null;
    }
  | { readonly tag: 'pmm'; readonly quote: Quote }
  | { readonly tag: 'betslip'; readonly betslipId: BetslipId; readonly expiryMs: number | null }
  | { readonly tag: 'betslip_closed'; readonly betslipId: BetslipId; readonly closeReason: string | null }
  | { readonly tag: 'order'; readonly order: VenueOrder }
  | { readonly tag: 'bet'; readonly bet: VenueBet }
  | { readonly tag: 'balance'; readonly balance: Balance }
  | { readonly tag: 'other'; readonly name: string };

/**
 * The match clock. `period` is the exchange's own word; `minutes` are those of the period, null while it stands.
 *
 * @example
 * const isLate = (clock: EventTime | null): boolean => clock !== null && (clock.minutes ?? 0) > 85;
 * isLate(view.matchClock); // false
 */
export interface EventTime {
  readonly period: string;
  readonly minutes: number | null;
}

/** A batch as it arrived. Batches have no meaning: the exchange promises no order, grouping or uniqueness. */
export interface StreamFrame {
  readonly kind: 'frame';
  /** The number of the connection. An entry of an earlier epoch is stale. */
  readonly epoch: number;
  /** The entries did not arrive on the stream: they stand in the answer to a request. */
  readonly isAnswer?: true;
  /** The exchange's time of sending, wall-clock milliseconds. */
  readonly sentMs: number | null;
  readonly receivedMonotonicMs: number;
  readonly entries: readonly StreamEntry[];
}

/** What the answer to a request says, as a frame. It held at the monotonic instant of asking, not when the answer arrived. */
export const frameOfAnswer = (
  entries: readonly StreamEntry[],
  epoch: number,
  askedMs: number,
): StreamFrame => ({
  kind: 'frame',
  isAnswer: true,
  sentMs: null,
  epoch,
  receivedMonotonicMs: askedMs,
  entries,
});

/** An item of the stream: a change of its connection, or a frame. */
export type StreamSignal =
  | { readonly kind: 'connecting'; readonly epoch: number }
  | { readonly kind: 'open'; readonly epoch: number }
  /** `sync` arrived and the registrations of the earlier connection were sent again. */
  | { readonly kind: 'synced'; readonly epoch: number }
  | {
      readonly kind: 'closed';
      readonly epoch: number;
      readonly reason: string;
      /** Null: no further attempt follows, because the exchange refused the key. */
      readonly retryInMs: number | null;
    }
  | StreamFrame;
