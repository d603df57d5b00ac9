/** What statistics say of a backtest: what `--json` ends with, and what a report and a comparison show. Plain data. */
import type { Micros } from '../domain/money.ts';
import type { BacktestResult, ResearchFill, Scenario } from './result.ts';

/** An estimate with its interval over match days. Fractions of the stake, so 0.01 is one percent. */
export interface Estimate {
  /** The stake-weighted mean; null without any observation. */
  readonly mean: number | null;
  /** The 95 % interval of a block bootstrap over days; null with `reason`. */
  readonly interval: readonly [number, number] | null;
  /** Two-sided p-value of a mean of zero, by the same bootstrap; null with `reason`. */
  readonly pValue: number | null;
  /** Why there is no interval, such as `12 of 30 match days`. Null if there is one. */
  readonly reason: string | null;
  readonly fills: number;
  readonly events: number;
  readonly days: number;
}

/** The worth of fills at the mid so many seconds later. */
export interface MarkoutSummary extends Estimate {
  readonly horizonS: number;
}

/** Profit of the settled events and its distance from luck. */
export interface SettlementSummary extends Estimate {
  /** Settled profit less what the closing line expected, in its standard deviations; null without closing lines. */
  readonly sigmasFromLuck: number | null;
}

/** One scenario, summed up. Profits are micros of the account's currency. */
export interface ScenarioSummary {
  readonly scenario: Scenario;
  readonly fills: number;
  readonly stakeMicros: Micros;
  readonly profit: {
    /** Null if no event has a result. */
    readonly settledMicros: Micros | null;
    readonly markedMicros: Micros;
    readonly afterCommissionMicros: Micros | null;
  };
  /** What fills earned at once against the mid, what the mid then moved (60 s), and what settlement added. Sums to `profit`. */
  readonly split: {
    readonly spreadMicros: Micros;
    readonly adverseMicros: Micros;
    readonly settlementMicros: Micros | null;
  };
  readonly markouts: readonly MarkoutSummary[];
  readonly closingLine: Estimate;
  readonly settlement: SettlementSummary;
  readonly worstMicros: Micros;
  /** The deepest fall of marked equity from its highest point. */
  readonly drawdownMicros: Micros;
  /** Fraction of the unsuspended time in which a selection had quotes on both sides. */
  readonly twoSided: number;
  readonly budgets: { readonly orders: number; readonly betslips: number; readonly refusals: number };
}

export interface Speed {
  readonly updates: number;
  readonly updatesPerS: number;
  /** Seconds of recorded market for each second of processor time. */
  readonly marketSPerCpuS: number;
}

/** A backtest as it is kept in `--out DIR` (`backtest.json`) and shown. */
export interface BacktestReport {
  readonly result: BacktestResult;
  readonly summaries: readonly ScenarioSummary[];
  /** How often this data set was tried before, this run included. */
  readonly tries: number;
  /** Sentences for the reader: few events, profit only under `touch`, quotes on stale data, many tries. */
  readonly warnings: readonly string[];
  /** What the account's own orders got, if the data are the recording of a live session. */
  readonly real?: readonly ResearchFill[];
}
