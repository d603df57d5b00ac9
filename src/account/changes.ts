import { type BetState, isAtStake } from '../domain/bet-lifecycle.ts';
import type { EventName } from '../domain/events.ts';
import type { BetId, OrderId } from '../domain/ids.ts';
import type { OrderState } from '../domain/lifecycle.ts';
import type { Fill, LiveOrder } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import type { Balance, VenueBet, VenueOrder } from '../domain/orders.ts';
import type { OrderResult } from '../domain/settlement.ts';

/** News of the account: the exchange, the journal or our own requests show it. Plain data. */
export type AccountEvent =
  | OrderChange
  /** A report of an order that is not in our journal. */
  | { readonly kind: 'foreign_order'; readonly order: VenueOrder }
  /** A report of any order, on the event on which its bets count. `atMs`: wall-clock milliseconds of the report. */
  | { readonly kind: 'report'; readonly order: VenueOrder; readonly atMs: number }
  /** The same report: which of the bets count, if it shows the order closed. */
  | { readonly kind: 'standings'; readonly order: VenueOrder }
  | BetNews
  | OtherNews;

/** News of the account's bets. */
export type BetNews =
  /** A bet arrives before its order is known. */
  | { readonly kind: 'parked'; readonly bet: VenueBet }
  /** The order of parked bets is known. */
  | { readonly kind: 'unparked'; readonly orderId: OrderId }
  /** A bet is shown matched, for the first time or again. `isRecorded`: an earlier run booked it. */
  | { readonly kind: 'bet'; readonly fill: Fill; readonly isRecorded?: boolean }
  /** Whether a report of its order shows a bet unmatched. Its stake may be matched again. */
  | { readonly kind: 'doubt'; readonly betId: BetId; readonly isUnmatched: boolean }
  /** Whether a bet of a closed order counts; if not, the exchange voided it. */
  | { readonly kind: 'standing'; readonly betId: BetId; readonly stands: boolean }
  | ResultEvent
  /** A settled order is open again. `isRecorded`: the journal holds it. */
  | { readonly kind: 'reopened'; readonly orderId: OrderId; readonly isRecorded: boolean };

/** A change of an order of ours, `prepared` included, so that exposure has no gap. */
export interface OrderChange {
  readonly kind: 'order';
  readonly order: LiveOrder;
  /** The previous state; null for an order that is new to this run. */
  readonly before: OrderState | null;
}

/** News that concerns neither order nor bet. It is a change as it is. */
export type OtherNews =
  | { readonly kind: 'balance'; readonly balance: Balance }
  /** An earlier run recorded the owner of an event. It comes before the bets of that event. */
  | { readonly kind: 'owned'; readonly event: EventName; readonly owner: string }
  /** A person accepted another account for the journal. It comes before anything of that account. */
  | { readonly kind: 'other_account' };

/** An order is settled. A repetition changes nothing, a later correction replaces the earlier result. */
export interface ResultEvent {
  readonly kind: 'result';
  readonly result: OrderResult;
  /** All bets of the order were voided, and the exchange may report later that some count after all. */
  readonly isTakenBack: boolean;
  /** The report, or the record, shows bets of the order. */
  readonly hasBets: boolean;
  /** The journal holds it. */
  readonly isRecorded: boolean;
  /** Wall-clock milliseconds of the report. */
  readonly atMs: number;
}

/** What changes in the account. Projections apply changes in their order and keep no bets of their own. Plain data. */
export type AccountChange =
  | OrderChange
  /** A report of an order that is not in our journal. It counts as exposure until it is settled. */
  | { readonly kind: 'foreign_order'; readonly order: VenueOrder; readonly isSettled: boolean }
  /** A bet has its terms, and counts by `state` from now on. */
  | BookedChange
  /** A booked bet counts otherwise. */
  | MovedChange
  | ResultChange
  | ReopenedChange
  | OtherNews;

export interface MovedChange {
  readonly kind: 'moved';
  readonly fill: Fill;
  readonly from: BetState;
  readonly to: BetState;
}

export interface BookedChange {
  readonly kind: 'booked';
  readonly fill: Fill;
  readonly state: BetState;
  /** An earlier run booked it. */
  readonly isRecorded: boolean;
}

/** The result of an order counts no longer. Its bets have moved before. */
export interface ReopenedChange {
  readonly kind: 'reopened';
  readonly orderId: OrderId;
  /** The result that counted; null if none did. */
  readonly result: OrderResult | null;
  readonly bets: readonly Fill[];
  /** It comes from the journal. */
  readonly isRecorded: boolean;
}

/** The result of an order counts. Its bets move after it. */
export interface ResultChange {
  readonly kind: 'result';
  /** On the event of the order's bets, even if the exchange has moved the order since. */
  readonly result: OrderResult;
  /** The result that counted before; null for none. */
  readonly beforeMicros: Micros | null;
  readonly isTakenBack: boolean;
  /** The order has bets, as far as known. An order without any may be one that was never matched. */
  readonly hasBets: boolean;
  /** The bets that it settles now. */
  readonly bets: readonly Fill[];
  /** The journal has to hold it, and does not yet. */
  readonly isNews: boolean;
  /** It comes from the journal. */
  readonly isRecorded: boolean;
  /** Wall-clock milliseconds of the report. */
  readonly atMs: number;
}

/**
 * Whether the bet of an unsettled order counts from now on, and did not before, or the other way round; null if neither changed. Of a
 * settled bet the result counts, and of a bet in doubt the next report of its order.
 */
export function validityOf({ from, to }: MovedChange): boolean | null {
  if (isAtStake(from) && to === 'void') return false;
  return from === 'void' && isAtStake(to) ? true : null;
}

/** A state that is computed from the account's changes. */
export interface AccountProjection {
  /** `nowMs`: wall-clock milliseconds. */
  onChange(change: AccountChange, nowMs: number): void;
}
