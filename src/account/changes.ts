import type { BetState } from '../domain/bet-lifecycle.ts';
import type { BetId, OrderId } from '../domain/ids.ts';
import type { Fill } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import type { OrderResult } from '../domain/settlement.ts';

/** What the exchange, or the journal, shows of the account's bets. Plain data. */
export type AccountEvent =
  /** A bet is shown matched, for the first time or again. */
  | { readonly kind: 'bet'; readonly fill: Fill }
  /** Whether a report of its order shows a bet unmatched. Its stake may be matched again. */
  | { readonly kind: 'doubt'; readonly betId: BetId; readonly isUnmatched: boolean }
  /** Whether a bet of a closed order counts; if not, the exchange voided it. */
  | { readonly kind: 'standing'; readonly betId: BetId; readonly stands: boolean }
  | ResultEvent
  /** A settled order is open again. `isRecorded`: the journal holds it. */
  | { readonly kind: 'reopened'; readonly orderId: OrderId; readonly isRecorded: boolean };

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
  /** A bet has its terms, and counts by `state` from now on. */
  | { readonly kind: 'booked'; readonly fill: Fill; readonly state: BetState }
  /** A booked bet counts otherwise. */
  | { readonly kind: 'moved'; readonly fill: Fill; readonly from: BetState; readonly to: BetState }
  | ResultChange
  | ReopenedChange;

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
}

/** A state that is computed from the account's changes. */
export interface AccountProjection {
  /** `nowMs`: wall-clock milliseconds. */
  onChange(change: AccountChange, nowMs: number): void;
}
