/** The statistics of a backtest: `--json` ends with them, and a report and a comparison show them. Plain data. */
import type { Micros } from '../domain/money.ts';
import type { MarkKind } from '../fair/marks.ts';
import type { Scenario } from '../fills/fill-model.ts';
import type { BacktestResult, Phase, ResearchFill } from './result.ts';
import type { Refusals } from './refusals.ts';

/** An estimate with its interval over match days. Fractions of the stake, so 0.01 is one percent. */
export interface Estimate {
  /** The stake-weighted mean; null without any observation. */
  readonly mean: number | null;
  /** The sum of the worths by the sum of the risks `stake × √(price − 1)`; null without any observation. */
  readonly edge: number | null;
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

/** The worth of fills at their marks so many seconds of open time later. */
export interface MarkoutSummary extends Estimate {
  readonly horizonS: number;
  /** The shares of the risk of all fills by the kind of their mark. */
  readonly kinds: Readonly<Record<MarkKind, number>>;
}

/** Profit of the settled events and its distance from luck. */
export interface SettlementSummary extends Estimate {
  /** Settled profit less what fair values at the fills expected, in its standard deviations; null without any. */
  readonly sigmasFromLuck: number | null;
}

/** The verdict of the fills of a phase on the strategy. */
export interface Verdict {
  readonly phase: Phase;
  /**
   * `not measurable`: too much of the risk has a late mark or none. `not robust`: the sign of the mean depends on the numbers of the fair value.
   * `open`: the interval contains zero, or there is none.
   */
  readonly says: 'gains' | 'loses' | 'open' | 'not measurable' | 'not robust';
  /** Before play at the closing line, or at the mark after 60 s for a fill without one; in play at that mark. */
  readonly estimate: Estimate;
  /** The share of the risk that is judged by a mark that is late or was never recorded. */
  readonly lateShare: number;
  /** The least and the greatest mean if depth, width or hold of the fair value is halved or doubled (`FAIR_VARIANTS`); null if nobody asked. */
  readonly range: readonly [least: number, greatest: number] | null;
}

/** The cost of the bets of hedges. */
export interface HedgeSummary {
  /** Hedges that matched anything. */
  readonly count: number;
  readonly stakeMicros: Micros;
  /** The worth of their fills at the fair values just before them: below 0 by what the hedges cost. Fills without a fair value do not count. */
  readonly worthMicros: Micros;
}

/** Profit, counted in three ways: of what was settled, of this and open bets, and as if nothing had been settled. */
export interface ProfitSummary {
  /** Null if no event has a result. */
  readonly settledMicros: Micros | null;
  readonly afterCommissionMicros: Micros | null;
  /** Events with bets, with and without a result. */
  readonly events: number;
  /** The events with bets that have no result, and the worth of these bets at the last fair values. */
  readonly open: {
    readonly events: number;
    readonly fills: number;
    readonly markedMicros: Micros;
  };
  /** Settled profit after commission and the worth of the open bets: the end of the equity. */
  readonly withOpenMicros: Micros;
  /** All bets at the last fair values, as if no event had a result. */
  readonly markedMicros: Micros;
}

/** One scenario, summed up. Profits are micros of the account's currency. */
export interface ScenarioSummary {
  readonly scenario: Scenario;
  readonly fills: number;
  readonly stakeMicros: Micros;
  /**
   * The part of the stake that the rule for recorded trades leaves unfilled, of what would be filled if trades moved queues by their whole
   * size (`fills/traded-falls.ts`).
   */
  readonly decidedByRule: number;
  readonly profit: ProfitSummary;
  /** One for each phase that has fills. */
  readonly verdicts: readonly Verdict[];
  /**
   * Of fills with a result, all of them or none: what they earned at once against fair, what fair did to them in 60 s of open time
   * and from then until the last fair value before the result, and what the result added. Sums to their settled profit.
   */
  readonly split: {
    readonly spreadMicros: Micros;
    readonly adverseMicros: Micros;
    readonly inventoryMicros: Micros;
    readonly settlementMicros: Micros | null;
  };
  readonly markouts: readonly MarkoutSummary[];
  readonly closingLine: Estimate;
  /** Of fills before play, where starting prices were recorded. */
  readonly startingPrice: Estimate;
  readonly settlement: SettlementSummary;
  /** The edge, of risk, that commission takes at most: a smaller one may lose. Null without a fill. */
  readonly breakEvenEdge: number | null;
  readonly hedges: HedgeSummary;
  readonly worstMicros: Micros;
  /** The deepest fall of marked equity from its highest point. */
  readonly drawdownMicros: Micros;
  /** Fraction of the unsuspended time in which a selection had quotes on both sides. */
  readonly twoSided: number;
  readonly budgets: { readonly orders: number; readonly betslips: number; readonly refusals: Refusals };
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
  /** The fills of the account's own orders, if the data are the recording of a live session. */
  readonly real?: readonly ResearchFill[];
}
