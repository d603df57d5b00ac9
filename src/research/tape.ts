/**
 * A tape: the recorded market of one event in columns, in the order in which it happened. Imports, recordings of the exchange and
 * the modelled market all become tapes; both engines of a backtest read them.
 */
import { BOOK_CHANGE } from '../betfair/runner-book.ts';
import type { EventName, Score } from '../domain/events.ts';
import type { SelectionId } from '../domain/ids.ts';
import type { Settlement } from '../domain/payoff.ts';
import type { SourcePrice } from '../domain/source-price.ts';
import type { EventTime } from '../domain/stream.ts';

/** The meanings of an update: changes of a book, and two more. The numbers stand in caches and recordings and never change. */
export const OP = {
  ...BOOK_CHANGE,
  /** Every level of the selection is gone; the levels of an image follow. */
  clear: 4,
  /** The state of a market: `tick` is a `MARKET_STATE`, `micros` the bet delay in milliseconds. */
  state: 5,
} as const;

/** The states of a market, as the `tick` of an `OP.state` update. In play is `open` or `suspended` plus `inPlay`. */
export const MARKET_STATE = { open: 0, suspended: 1, closed: 2, inPlay: 4 } as const;

/**
 * The updates in columns, all of the same length. Instants ascend. A trade of a recording without traded volume is absent: what can
 * be said of fills is then inferred, and `EventTape.hasTrades` is false.
 */
export interface Updates {
  readonly length: number;
  /** Wall-clock milliseconds. */
  readonly atMs: Float64Array;
  /** A value of `OP`. */
  readonly op: Uint8Array;
  /** Position in `EventTape.selections`; of a state: position in `EventTape.markets`. */
  readonly of: Uint16Array;
  /** Position on the exchange's ladder of prices. */
  readonly tick: Uint16Array;
  readonly micros: Float64Array;
}

/** One market of the source, such as match odds. Commission is on its net winnings. */
export interface TapeMarket {
  /** The id at the source; for recordings of the exchange the market type. */
  readonly marketId: string;
  readonly marketType: string;
  /** The source's own rate as a fraction, such as 0.05; null where it states none. */
  readonly commissionRate: number | null;
  /** How many of its runners win: 1, or the places that it pays; null where the source does not say. */
  readonly winners: number | null;
  /** Runners that may win and are no selection of the tape. */
  readonly otherRunners: number;
  /** How takers wait in play, as the source names it, such as `PASSIVE`; empty where it does not. */
  readonly betDelayModels: readonly string[];
}

/** Of a market whose source says nothing of its runners. */
export const UNKNOWN_RUNNERS: Pick<TapeMarket, 'winners' | 'otherRunners' | 'betDelayModels'> = {
  winners: null,
  otherRunners: 0,
  betDelayModels: [],
};

/** A runner that does not take part after all. */
export interface Removal {
  readonly atMs: number;
  /** Position in `EventTape.markets`. */
  readonly market: number;
  /** Position in `EventTape.selections`; null if it was none. */
  readonly selection: number | null;
  /** By how much prices of the others are reduced, in percent; null where the source does not say. */
  readonly factor: number | null;
}

export interface TapeSelection {
  readonly selectionId: SelectionId;
  /** The bet type without its direction. */
  readonly outcome: string;
  /** Position in `EventTape.markets`. */
  readonly market: number;
  readonly name: string;
  /** How it settled for the `for` side; null if the recording has no result. */
  readonly settlement: Settlement | null;
  /** The price at which the source matched bets when play began. Absent where the recording tells none. */
  readonly startingPrice?: number;
}

/** The score and the match clock, as known from an instant on. */
export interface TapeScore {
  /** Wall-clock milliseconds. */
  readonly atMs: number;
  readonly score: Score | null;
  readonly redCards: Score | null;
  readonly clock: EventTime | null;
}

/** Before anything is told. */
export const UNTOLD: TapeScore = { atMs: -Infinity, score: null, redCards: null, clock: null };

type MaybePair = Score | null | undefined;
type MaybeClock = EventTime | null | undefined;

export const isSamePair = (a: MaybePair, b: MaybePair): boolean => a?.[0] === b?.[0] && a?.[1] === b?.[1];

export const isSameClock = (a: MaybeClock, b: MaybeClock): boolean =>
  a?.period === b?.period && a?.minutes === b?.minutes;

/** A price of a price source as it arrived. */
export interface TapeSourcePrice extends SourcePrice {
  /** When it arrived, wall-clock milliseconds. */
  readonly arrivedMs: number;
  /** The name of the source in the configuration of the recorded run. */
  readonly source: string;
}

export interface EventTape {
  readonly event: EventName;
  readonly eventName: string;
  readonly home: string | null;
  readonly away: string | null;
  readonly competitionId: number;
  readonly competitionName: string;
  /** Scheduled start, wall-clock milliseconds. */
  readonly startMs: number;
  /** When play began; null if the recording does not show it. */
  readonly inPlayMs: number | null;
  readonly markets: readonly TapeMarket[];
  readonly selections: readonly TapeSelection[];
  readonly updates: Updates;
  /** Whether trades were recorded. */
  readonly hasTrades: boolean;
  /** In the order in which they happened. */
  readonly removals: readonly Removal[];
  /** Stretches in which the recording lacks data, by their beginning. */
  readonly gaps: readonly Gap[];
  /** Each change of score or clock, instants ascending. Absent where the recording tells neither. */
  readonly scores?: readonly TapeScore[];
  /** The prices of price sources, instants ascending: of this event and of others. Absent where the recording has none. */
  readonly sourcePrices?: readonly TapeSourcePrice[];
}

/** A stretch without data, wall-clock milliseconds. */
export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
  /** The only market that lacks them, by its position; null where all do. */
  readonly market: number | null;
}

/** A gap begins or ends. */
export interface GapEdge {
  readonly atMs: number;
  readonly isBegin: boolean;
  readonly market: number | null;
}

/** The edges in the order of their instants: gaps of several markets may overlap. */
export const gapEdges = (gaps: readonly Gap[]): readonly GapEdge[] =>
  gaps
    .flatMap(({ fromMs, toMs, market }) => [
      { atMs: fromMs, isBegin: true, market },
      { atMs: toMs, isBegin: false, market },
    ])
    .sort((a, b) => a.atMs - b.atMs);
