/**
 * What the dashboard is sent. Amounts in USDT, prices decimal and of the selection (a lay price `against` it), stakes at these prices;
 * stakes that are added up over open orders likewise, while `turnover`, limits and what the exchange reports count its own. Instants are in wall-clock milliseconds of the daemon. Instants instead of
 * ages: a piece that does not change is not sent again, and the page lets ages grow by itself.
 */
import type { EventKey, SelectionId } from '../../domain/ids.ts';
import type { Direction } from '../../domain/selection.ts';
import type { FillRange } from '../fill-range.ts';
import type {
  AccountStatus,
  BetslipCapStatus,
  Budgets,
  ExchangeTerms,
  FillRow,
  LimitUse,
  OrderRow,
  ProfitReport,
  ProfitWords,
  QuotingStatus,
  ReconciliationStatus,
  Status,
  StrategyOff,
  StrategyStatus,
} from '../status.ts';

/** A message of the stream. */
export interface LiveMessage {
  /** When the daemon made it. */
  readonly atMs: number;
  /** When the last frame of the exchange's stream arrived; null before the first. */
  readonly frameAtMs: number | null;
  /** Whether it holds everything: then nothing else remains. */
  readonly isFirst: boolean;
  /** Pieces by their names. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** Names of pieces that are no more. */
  readonly gone?: readonly string[];
}

/** A part of the state. Pages get it again only when its value changed. */
export interface Piece {
  readonly name: string;
  /** Only pages that show this event get it; null: all do. */
  readonly event: EventKey | null;
  readonly value: unknown;
}

export interface LiveState {
  readonly atMs: number;
  readonly frameAtMs: number | null;
  readonly pieces: readonly Piece[];
}

/** The names of pieces. */
export const PIECES = {
  run: 'run',
  money: 'money',
  quoting: 'quoting',
  strategies: 'strategies',
  alerts: 'alerts',
  fill: (betId: number | '') => `fill ${betId}`,
  refused: (requestUuid: string) => `refused ${requestUuid}`,
  event: (key: string) => `event ${key}`,
  selection: (id: string) => `selection ${id}`,
  payoffs: (key: string) => `payoffs ${key}`,
} as const;

export interface LiveRun extends Pick<
  Status,
  'mode' | 'state' | 'version' | 'runId' | 'strategy' | 'stream' | 'stopping' | 'blocked'
> {
  readonly startedMs: number;
  /** The state of the whole account in force, who set it and why; the author is null if nobody did. */
  readonly trading: LiveTrading;
  /** When the exchange cancels every order unless it hears from the daemon before; null without a heartbeat. */
  readonly heartbeatUntilMs: number | null;
  readonly heartbeatS: number;
  readonly strategiesOff: readonly StrategyOff[];
}

/** A trouble in force. */
export interface LiveAlert {
  readonly kind: string;
  /** `page`: it wakes a person. */
  readonly severity: 'page' | 'warning' | 'info';
  readonly title: string;
  /** What is wrong, and what to do. */
  readonly text: string;
  /** Who has seen it; null while nobody has. */
  readonly seenBy: string | null;
}

export interface LiveTrading {
  readonly state: 'active' | 'reducing' | 'halted' | 'killed';
  readonly by: string | null;
  readonly why: string | null;
  readonly sinceMs: number | null;
  /** How long a state other than `active` is kept: over restarts, or for this run, whose journal is in memory. `nowhere`: no place took a kill. */
  readonly kept: 'over restarts' | 'for this run' | 'nowhere';
}

/** A trading state of an event, a selection or a strategy, narrower than that of the account. */
export interface LiveRestriction {
  readonly state: 'reducing' | 'halted';
  readonly by: string;
  readonly why: string;
  /** When it ends by itself; null: it does not. */
  readonly untilMs: number | null;
}

/** What a person wants of an event beside its trading state. */
export interface LiveAdjustment {
  /** `leave`: neither quoted nor closed. `stake`: stakes times the amount. `widen`: the amount of ticks further from fair. */
  readonly what: 'leave' | 'stake' | 'widen';
  readonly amount: number;
  readonly by: string;
  readonly why: string;
  readonly sinceMs: number;
  /** When it ends by itself; null: it does not. */
  readonly untilMs: number | null;
}

export interface LiveMoney {
  readonly run: ProfitWords;
  readonly today: ProfitWords | null;
  /** Selections with open bets whose fair price is not known: `expected` counts these bets as worth nothing, but no event as less than its least. */
  readonly withoutFair: number;
  readonly markouts: ProfitReport['markouts'];
  readonly sources: ProfitReport['sources'];
  readonly account: Omit<AccountStatus, 'ageS'>;
  readonly turnover: number;
  /** The exchange's commission on the net winnings of an event, from 0 to 1. */
  readonly commissionRate: number;
  readonly limits: readonly LimitUse[];
  readonly reconciliation: ReconciliationStatus | null;
  /** What the same orders come to under every fill model. Only a run on paper tells. */
  readonly paperFills?: FillRange;
}

export interface LiveQuoting extends Pick<QuotingStatus, 'wanted' | 'quoted' | 'twoSided' | 'readiness'> {
  /** Since when something has been wanted while nothing was quoted; null while that is not so. */
  readonly notQuotingSinceMs: number | null;
  readonly ordersOpen: number;
  /** Of all open orders, at the prices of their selections. */
  readonly openStake: number;
  /** Since when the outcome of an order has been unknown, the longest; null if no outcome is. */
  readonly unknownSinceMs: number | null;
  readonly ordersPlaced: number;
  readonly ordersRefused: number;
  readonly fills: number;
  readonly budgets: Budgets;
  readonly betslipCap: BetslipCapStatus;
}

export interface LiveStrategies {
  readonly strategies: readonly Omit<StrategyStatus, 'lastError'>[];
}

/** An event, quoted or with something held or open on it. */
export interface LiveEvent {
  readonly key: EventKey;
  readonly name: string;
  readonly sport: string;
  /** Null for an event that the exchange does not describe. */
  readonly competition: string | null;
  readonly startMs: number | null;
  readonly inRunning: boolean;
  /** Period and minutes, in the exchange's own words; null before the start. */
  readonly clock: { readonly period: string; readonly minutes: number | null } | null;
  readonly score: readonly [home: number, away: number] | null;
  /** Since when it has been so; null if the score is not known. */
  readonly scoreSinceMs: number | null;
  readonly redCards: readonly [home: number, away: number] | null;
  readonly suspended: boolean | null;
  /** Null while the event trades as the account does. */
  readonly restriction: LiveRestriction | null;
  readonly adjustments: readonly LiveAdjustment[];
  readonly quoted: boolean;
  readonly owner: string | null;
  readonly throws: string | null;
  /** The first quote that the host refuses, with its rule and its time; null if it refuses none. */
  readonly refused: string | null;
  readonly selections: number;
  /** Selections that are wanted quoted, and of these the ones that are. */
  readonly wanted: number;
  readonly met: number;
  /** What most of the others wait for, as the group of reasons; null while all are quoted. */
  readonly waits: string | null;
  readonly ordersOpen: number;
  /** Stake of open orders that may still be matched, at the prices of their selections. */
  readonly openStake: number;
  /** The least profit over the outcomes, every open order counted as matched where that is worse. */
  readonly worst: number;
  /** The same of the matched bets alone: what a hedge looks at. */
  readonly worstMatched: number;
  readonly profit: ProfitWords | null;
  /** Selections with open bets whose fair price is not known: `profit.expected` is then no valuation. */
  readonly withoutFair: number;
}

export interface LiveSelection {
  readonly id: SelectionId;
  readonly name: string;
  readonly ifWin: number;
  readonly ifLose: number;
  /** The fair probability; null when not known. */
  readonly fair: number | null;
  /** Prices that takers of each direction get, the best first, without our own stake; null if they are not fresh. */
  readonly market: Readonly<Record<Direction, readonly Level[] | null>>;
  readonly quotes: readonly LiveQuote[];
  /** Null while the selection trades as the account does. */
  readonly restriction: LiveRestriction | null;
  /** Quotes that persons want here, with an order or without. */
  readonly byHand: readonly LiveHandQuote[];
  /** Why a wanted or refused quote is not open; null if none is missing. */
  readonly missing: string | null;
}

/** A quote that a person wants. */
export interface LiveHandQuote {
  readonly id: string;
  readonly direction: Direction;
  /** Of the selection, like the stakes. */
  readonly price: number;
  readonly stake: number;
  readonly filled: number;
  readonly by: string;
  readonly why: string;
  /** When it ends by itself; null: it does not. */
  readonly untilMs: number | null;
}

export type Level = readonly [price: number, stake: number];

/** An order of ours that may still be matched. */
export interface LiveQuote {
  readonly id: string;
  readonly direction: Direction;
  /** Of the selection, exact, so it may lie between two ticks; stakes likewise. */
  readonly price: number;
  readonly stake: number;
  /** What the order is called and priced on the exchange, where that differs. */
  readonly exchange?: ExchangeTerms;
  readonly unfilled: number;
  /** Stake of others at better prices, and at ours: at most this much is matched before us. Null if prices are not fresh. */
  readonly ahead: number | null;
  readonly sinceMs: number;
  /** The quote of a person whose order it is; absent for a quote of the strategy. */
  readonly byHand?: string;
  /** False until the exchange has confirmed it. */
  readonly isConfirmed: boolean;
}

/** What the matched bets of an event pay in each final score. */
export interface LivePayoffs {
  /** Rows of home goals, columns of away goals; null for a score that can no longer be. */
  readonly cells: readonly (readonly (number | null)[])[];
  /** Sum of what bets pay that no score decides, at their worst; 0 if all are in the grid. */
  readonly besides: number;
}

export type LiveFill = Pick<
  FillRow,
  | 'betId'
  | 'event'
  | 'selectionId'
  | 'direction'
  | 'price'
  | 'stake'
  | 'exchange'
  | 'role'
  | 'atMs'
  | 'strategy'
> & {
  readonly eventKey: EventKey;
  readonly name: string;
  /** What it gained within 10 s, as a share of its stake; null while not known. */
  readonly markout10: number | null;
};

/** An order that the exchange refused to create. */
export type LiveRefused = Pick<
  OrderRow,
  'requestUuid' | 'event' | 'direction' | 'price' | 'stake' | 'exchange' | 'atMs' | 'strategy' | 'selectionId'
> & { readonly eventKey: EventKey; readonly name: string };
