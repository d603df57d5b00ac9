/** The outcome of a backtest: what both engines return, and statistics, reports and `--json` read. Plain data. */
import type { EventName } from '../domain/events.ts';
import type { SelectionId } from '../domain/ids.ts';
import type { Micros } from '../domain/money.ts';
import type { Tick } from '../domain/ladder.ts';
import type { Direction } from '../domain/selection.ts';
import type { NoLine } from '../fair/closing-line.ts';
import type { Scenario } from '../fills/fill-model.ts';
import type { MarkKind } from '../fair/marks.ts';
import type { Refusals } from './refusals.ts';

/** Fills before play and in play are judged apart. */
export const PHASES = ['before play', 'in play'] as const;

export type Phase = (typeof PHASES)[number];

export const phaseOf = (inPlay: boolean): Phase => (inPlay ? 'in play' : 'before play');

/** The worth of the judged fills of a phase, and their stake. */
export type WorthByPhase = Readonly<Record<Phase, { readonly worth: Micros; readonly stake: Micros }>>;

/** A fill of a backtest with everything that explains it. Profits are in micros of the account's currency. */
export interface ResearchFill {
  readonly event: EventName;
  readonly selectionId: SelectionId;
  /** Id of the market at the source. */
  readonly marketId: string;
  readonly direction: Direction;
  readonly tick: Tick;
  readonly stakeMicros: Micros;
  /** Wall-clock milliseconds. */
  readonly atMs: number;
  /** Milliseconds until the scheduled start; negative after it. */
  readonly startsInMs: number;
  readonly inPlay: boolean;
  /** When the order began to rest. */
  readonly restedFromMs: number;
  /** Stake ahead of the order when it began to rest. */
  readonly queueAheadMicros: Micros;
  /** Stake that traded at this price or better between then and the fill. */
  readonly tradedMicros: Micros;
  /** The cause of the fill. */
  readonly cause: 'trade' | 'book-crossed' | 'taken';
  /** The hedge whose bet was filled; null for a quote and a take of the strategy's own. */
  readonly hedge: string | null;
  /** The fair value as a probability just before the fill, and what the fill was worth at it; null without one. */
  readonly fairAtFill: number | null;
  readonly worthMicros: Micros | null;
  /** At each of MARK_HORIZONS_S, in that order: the kind of mark, its fair value, and the worth; of a result what it paid. */
  readonly markKinds: readonly MarkKind[];
  readonly fairLater: readonly (number | null)[];
  readonly markMicros: readonly (Micros | null)[];
  /** The closing line as a probability and the worth at it; null with the reason. */
  readonly fairAtClose: number | null;
  readonly closingMicros: Micros | null;
  readonly noClosing: NoLine | null;
  /** Worth at the starting price; null where none was recorded, and for fills in play. */
  readonly startingMicros: Micros | null;
  /** Worth at the closing line, or else at the last fair value of the recording after the fill; null without both. */
  readonly lastMicros: Micros | null;
  /** Whether nothing tells how likely the stake is to be returned: then worths count the stake as if it was not. */
  readonly perUnpushed: boolean;
  /** Age of the data that the quote rested on. */
  readonly dataAgeMs: number;
  /** Settled profit before commission; null without a result. */
  readonly settledMicros: Micros | null;
}

/** A sample of an account over time. */
export interface EquityPoint {
  readonly atMs: number;
  /** Settled profit after commission, so far. */
  readonly settledMicros: Micros;
  /** Settled plus open bets at the last fair values. */
  readonly markedMicros: Micros;
  /** The least over all outcomes of what is held and open. */
  readonly worstMicros: Micros;
  /** Sum of contracts held, for minus against. */
  readonly inventoryMicros: Micros;
}

/** The doings of one strategy on one event. */
export interface EventOutcome {
  readonly event: EventName;
  readonly eventName: string;
  /** The match day in UTC, such as `2026-01-03`: statistics are over days. */
  readonly day: string;
  readonly startMs: number;
  readonly fills: number;
  readonly stakeMicros: Micros;
  /** Before and after commission on each market's net winnings; null without a result. */
  readonly settledMicros: Micros | null;
  readonly afterCommissionMicros: Micros | null;
  /** Open bets at the last fair values. */
  readonly markedMicros: Micros;
  /** Sum of each fill's worth at the closing line. */
  readonly closingMicros: Micros;
  /** Fills and stake that had a closing line. */
  readonly closedFills: number;
  readonly closedStakeMicros: Micros;
  /** Of fills with a fair value and a result: settled profit less what the fair values expected, and its standard deviation. */
  readonly surpriseMicros: Micros;
  readonly deviationMicros: number;
  /** The most that commission would take on average, if no fill had an edge. */
  readonly chanceCommissionMicros: number;
  /** Time in which any selection had quotes on both sides, and the unsuspended time, in ms, summed over the selections. */
  readonly twoSidedMs: number;
  readonly openMs: number;
  readonly orders: number;
  readonly betslips: number;
  readonly refusals: Refusals;
  readonly worstMicros: Micros;
  /** Stake that orders would have got besides if recorded trades moved queues by their whole size (`fills/traded-falls.ts`). */
  readonly besidesMicros: Micros;
  /** By each of `FAIR_VARIANTS` what the fills are worth to the verdict; empty if nobody asked. */
  readonly byVariant: readonly WorthByPhase[];
}

/** One scenario of a run. */
export interface ScenarioResult {
  readonly scenario: Scenario;
  readonly fills: readonly ResearchFill[];
  readonly events: readonly EventOutcome[];
  readonly equity: readonly EquityPoint[];
}

/** The extent of the data. */
export interface Coverage {
  readonly sources: readonly string[];
  readonly events: number;
  readonly selections: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly updates: number;
  readonly trades: number;
  readonly gapMs: number;
  /** Things a reader must know, such as inferred trades. */
  readonly remarks: readonly string[];
  /** SHA-256 over the tapes: names the data set in the ledger of runs. */
  readonly dataHash: string;
}

/** The head of a result, by which files of it are known. A reader refuses another version. */
export const RESULT_HEAD = { format: 'touchline-backtest', version: 3 } as const;

type ResultHead = typeof RESULT_HEAD;

/** A whole backtest. The same input gives the same value, `speed` excepted. */
export interface BacktestResult extends ResultHead {
  readonly strategy: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** `session`: the orders of a recorded session. */
  readonly engine: 'fast' | 'full' | 'session';
  readonly seed: number;
  readonly latencyMs: number;
  readonly commission: number | 'recorded';
  readonly coverage: Coverage;
  readonly scenarios: readonly ScenarioResult[];
}
