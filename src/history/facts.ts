import type { Participants } from '../domain/selection-name.ts';
import type { EventName } from '../domain/events.ts';
import type { FillCause } from '../domain/fill-cause.ts';
import type { BetId, EventId, OrderId, SelectionId, Sport } from '../domain/ids.ts';
import type { Fill } from '../domain/live-order.ts';
import type { SimulatedFill } from '../domain/simulated-fill.ts';
import type { Micros } from '../domain/money.ts';
import type { Balance } from '../domain/orders.ts';
import type { HorizonS } from '../ledger/index.ts';

/** A matched bet. Written once for each bet id. */
export interface HistoryFill extends Pick<
  Fill,
  | 'betId'
  | 'orderId'
  | 'sport'
  | 'eventId'
  | 'selectionId'
  | 'direction'
  | 'priceKind'
  | 'price'
  | 'stakeMicros'
  | 'role'
  | 'atMs'
> {
  /** The strategy that owns the event; null for an order that is not ours. */
  readonly strategy: string | null;
  /** The fair probability of the selection at the fill; null if it was not known. */
  readonly fair: number | null;
}

/** A fill of a paper run, of the account or under another fill model. */
export type HistoryPaperFill = Pick<
  SimulatedFill,
  | 'betId'
  | 'orderId'
  | 'sport'
  | 'eventId'
  | 'selectionId'
  | 'direction'
  | 'priceKind'
  | 'price'
  | 'stakeMicros'
  | 'atMs'
  | 'model'
  | 'cause'
>;

/** An order that `touch` filled further than `queue`: takers came to its price, and others were before it. */
export interface NearMiss extends Pick<HistoryPaperFill, 'orderId' | 'direction' | 'priceKind' | 'price'> {
  readonly sport: Sport;
  readonly eventId: EventId;
  readonly selectionId: SelectionId;
  readonly title: string | null;
  readonly who?: Participants;
  readonly day: string;
  /** When `touch` first filled it. */
  readonly atMs: number;
  /** What `touch` filled beyond `queue`. */
  readonly missedMicros: Micros;
  /** Why `touch` filled it. */
  readonly cause: FillCause;
}

/** The result of an order as the exchange reports it, before commission. A later result of the same order replaces it. */
export interface HistoryResult extends EventName {
  readonly orderId: OrderId;
  readonly profitMicros: Micros;
  /** Wall-clock milliseconds of the first report. A correction does not move it. */
  readonly atMs: number;
  /** The last fair probability before the result; null if it is not known. */
  readonly lastFair: number | null;
}

/** The start of a run of the daemon. */
export interface RunStart {
  readonly runId: string;
  readonly version: string;
  readonly mode: string;
  readonly atMs: number;
}

/** Money that a person moved into the account, or out of it (negative). */
export interface Deposit {
  readonly id: string;
  /** Wall-clock milliseconds at which it was entered. */
  readonly atMs: number;
  readonly amountMicros: Micros;
  readonly note: string;
  readonly by: string;
}

/** The comparison of the exchange's balance with the results, deposits and commission since the last one that agreed. */
export interface Reconciliation {
  readonly atMs: number;
  /** Wall-clock milliseconds of the comparison from which this one counts; null for the first. */
  readonly sinceMs: number | null;
  readonly balanceMicros: Micros;
  readonly changeMicros: Micros;
  readonly settledMicros: Micros;
  readonly commissionMicros: Micros;
  readonly depositsMicros: Micros;
  /** The part of the change that nothing explains. */
  readonly residualMicros: Micros;
}

/** An alert that was in force, and when. A later report of the same one replaces it. */
export interface HistoryAlert {
  readonly kind: string;
  /** `page`: it was to wake a person. */
  readonly severity: 'page' | 'warning' | 'info';
  readonly title: string;
  /** What was wrong when it began, and what to do. */
  readonly text: string;
  readonly atMs: number;
  /** Null while it is in force, and if its run ended before it did. */
  readonly untilMs: number | null;
}

/** How the account and the quotes stood at one instant. Amounts in micros. */
export interface Sample {
  readonly atMs: number;
  /** Profit of the run, after commission: settled, and with the open bets at their fair worth. */
  readonly settledMicros: Micros;
  readonly expectedMicros: Micros;
  /** The worst case of the account, at most 0. */
  readonly worstMicros: Micros;
  /** The sum of the losses that each bet and order could bring by itself. */
  readonly grossMicros: Micros;
  readonly openStakeMicros: Micros;
  readonly ordersOpen: number;
  /** Numbers of selections. */
  readonly wanted: number;
  readonly quoted: number;
  readonly twoSided: number;
}

/** The profit of a strategy or an event at one instant. */
export interface ProfitReading {
  readonly atMs: number;
  readonly of: 'strategy' | 'event';
  /** The strategy's name, or the event's key. */
  readonly name: string;
  /** After commission, with the open bets at their fair worth. */
  readonly profitMicros: Micros;
}

/** A fact that the history keeps. Each may be reported again: the second time changes nothing. */
export type HistoryFact =
  | { readonly kind: 'fill'; readonly fill: HistoryFill }
  | { readonly kind: 'paper_fill'; readonly fill: HistoryPaperFill }
  /** The worth of a fill some seconds later. */
  | {
      readonly kind: 'markout';
      readonly betId: BetId;
      readonly horizonS: HorizonS;
      readonly micros: Micros;
    }
  /** Whether the bet of an unsettled order counts; if not, the exchange voided it. */
  | { readonly kind: 'validity'; readonly betId: BetId; readonly stands: boolean }
  | { readonly kind: 'result'; readonly result: HistoryResult }
  /** A settled order is open again. */
  | { readonly kind: 'reopened'; readonly orderId: OrderId }
  | {
      readonly kind: 'event';
      readonly event: EventName;
      readonly title: string;
      readonly startMs: number | null;
      /** The teams, which name the selections. */
      readonly who?: Participants;
    }
  | { readonly kind: 'run_started'; readonly run: RunStart }
  | {
      readonly kind: 'run_seen';
      readonly runId: string;
      readonly atMs: number;
      readonly profitMicros: Micros;
    }
  | {
      readonly kind: 'run_ended';
      readonly runId: string;
      readonly atMs: number;
      readonly profitMicros: Micros;
    }
  | { readonly kind: 'balance'; readonly balance: Balance; readonly atMs: number }
  | { readonly kind: 'reconciliation'; readonly reconciliation: Reconciliation }
  | { readonly kind: 'deposit'; readonly deposit: Deposit }
  | { readonly kind: 'sample'; readonly sample: Sample }
  | { readonly kind: 'profit'; readonly profit: ProfitReading }
  | { readonly kind: 'alert'; readonly alert: HistoryAlert };

/** A fill as the history shows it. */
export interface FillRow extends HistoryFill {
  /** The title of the event; null if the history does not know it. */
  readonly title: string | null;
  /** The teams of the event; absent if only its title is known. */
  readonly who?: Participants;
  /** The trading day, `YYYY-MM-DD`. */
  readonly day: string;
  readonly voided: boolean;
  /** Why it was filled; null if nobody told: a real exchange does not. */
  readonly cause: FillCause | null;
  /** The worth of the fill after so many seconds; null if it was not observed. */
  readonly markouts: Readonly<Record<HorizonS, Micros | null>>;
}

/** A reading of a profit as the history shows it. */
export interface ProfitRow extends ProfitReading {
  /** The title of the event; null for a strategy, and if the history does not know it. */
  readonly title: string | null;
}

/** A run as the history shows it. */
export interface RunRow {
  readonly runId: string;
  readonly version: string;
  readonly mode: string;
  readonly startMs: number;
  /** Null while it runs. For a run that did not end cleanly: the last sign of life. */
  readonly endMs: number | null;
  readonly how: 'running' | 'clean' | 'not clean';
  /** Profit of the settled bets, before commission, as of the last sign of life. */
  readonly profitMicros: Micros;
}

/** Sums of fills and results. Amounts in micros. */
export interface HistorySums {
  /** Matched bets, without voided ones. */
  readonly bets: number;
  readonly stakeMicros: Micros;
  /** Settled orders. */
  readonly orders: number;
  /** Profit of the settled orders, before commission. It is the sum of the four sources. */
  readonly settledMicros: Micros;
  /** The part of it that commission is taken from: the net profit of each event on a day, where it is positive. */
  readonly winningsMicros: Micros;
  readonly commissionMicros: Micros;
  readonly spreadMicros: Micros;
  readonly moveMicros: Micros;
  readonly settlementMicros: Micros;
  readonly unattributedMicros: Micros;
  readonly markouts: readonly HistoryMarkout[];
}

/** The worth of fills some seconds later, and their stake. */
export interface HistoryMarkout {
  readonly horizonS: HorizonS;
  readonly fills: number;
  readonly micros: Micros;
  readonly stakeMicros: Micros;
}

export interface DaySums extends HistorySums {
  readonly day: string;
}

export interface StrategySums extends HistorySums {
  /** Null for orders that are not ours. */
  readonly strategy: string | null;
}

export interface EventSums extends HistorySums {
  readonly sport: Sport;
  readonly eventId: EventId;
  readonly title: string | null;
  readonly startMs: number | null;
  readonly strategy: string | null;
  /** The profit of the bets without a result, by the last reading of a run. Null if there is none, or no such bet. */
  readonly openMicros: Micros | null;
}
