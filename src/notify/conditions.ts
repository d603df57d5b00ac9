import type { NoticeKind } from './notice.ts';

/** The state of a run, as the notifications judge it about once a second. */
export interface Conditions {
  /** Whether the start is done: the account is read, and quoting may begin. */
  readonly hasStarted: boolean;
  /** Open orders that the run before left without a clean stop. */
  readonly ordersLeftByCrash: number;
  /** Why everything is stopped; null if it is not. */
  readonly killed: string | null;
  readonly journalFailed: boolean;
  /** How the stream contradicts what `against` prices are taken for. Default, and null: it does not. */
  readonly conventionContradicted?: string | null;
  /** How long the outcome of an order has been unknown; null if no outcome is. */
  readonly oldestUnknownOrderS: number | null;
  /** How long something has been wanted while nothing was quoted; null while that is not so. */
  readonly notQuotingS: number | null;
  /** Limits of the account, by their names in the configuration, beside their use. */
  readonly limits: readonly LimitUse[];
  /** The run had a heartbeat, and no heartbeat is proven now. */
  readonly heartbeatLost: boolean;
  readonly strategies: readonly StrategyErrors[];
  readonly totals: Totals;
  /** Wall-clock instants of the causes that are known, by the kind of their trouble. Default: none is. */
  readonly sinceMs?: Readonly<Partial<Record<NoticeKind, number>>>;
}

export interface LimitUse {
  readonly name: string;
  readonly use: number;
  readonly limit: number;
}

export interface StrategyErrors {
  readonly name: string;
  /** Errors of this run. */
  readonly errors: number;
  /** Null before the first. */
  readonly last: string | null;
}

/** What the run has done since its start. Money in USDT. */
export interface Totals {
  readonly ordersPlaced: number;
  readonly ordersRefused: number;
  readonly fills: number;
  readonly stakeMatched: number;
  readonly profit: number;
}
