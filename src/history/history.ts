import type { EventName } from '../domain/events.ts';
import type { Micros } from '../domain/money.ts';
import type {
  DaySums,
  Deposit,
  EventSums,
  FillRow,
  HistoryAlert,
  HistoryFact,
  HistorySums,
  NearMiss,
  ProfitRow,
  Reconciliation,
  RunRow,
  Sample,
  StrategySums,
} from './facts.ts';

/** Trading days by name, both included. Default: all. */
export interface DayRange {
  readonly from?: string;
  readonly to?: string;
}

/** What a query needs beside its range. */
export interface Terms extends DayRange {
  /** The part of an event's net winnings that the exchange takes. */
  readonly commissionRate: number;
}

export interface FillQuery {
  /** Wall-clock milliseconds, included. Default: all. */
  readonly fromMs?: number;
  /** Wall-clock milliseconds, not included. Default: all. */
  readonly toMs?: number;
  readonly limit: number;
}

export interface SampleQuery {
  /** Wall-clock milliseconds, included. */
  readonly fromMs: number;
  /** Wall-clock milliseconds, not included. */
  readonly toMs: number;
  readonly points: number;
}

/** Reads of the history. They throw HistoryError if the file cannot be read. */
export interface HistoryReader {
  /** The sums of a range of days. */
  total(terms: Terms): HistorySums;
  /** The newest day first. */
  byDay(terms: Terms): readonly DaySums[];
  /** The event with the latest start first. Days whose details were deleted are not included. */
  byEvent(terms: Terms): readonly EventSums[];
  byStrategy(terms: Terms): readonly StrategySums[];
  /** The newest first. */
  fills(query: FillQuery): readonly FillRow[];
  /** Of paper runs, the newest first. */
  nearMisses(query: FillQuery): readonly NearMiss[];
  /** The newest first. */
  alerts(query: FillQuery): readonly HistoryAlert[];
  /** The newest first. */
  runs(limit: number): readonly RunRow[];
  /** The newest first. */
  reconciliations(limit: number): readonly Reconciliation[];
  /** The newest first. */
  deposits(limit: number): readonly Deposit[];
  /** At most `points` samples of a span, evenly over it, the oldest first. */
  samples(query: SampleQuery): readonly Sample[];
  /**
   * Readings of profits within a span, of each strategy and event at most `points`, the oldest first. Of many events, those that were furthest
   * from 0.
   */
  profits(query: SampleQuery): readonly ProfitRow[];
  /** Returns the last description of a chosen event by the exchange; null if that is not kept. */
  described(event: EventName): DescribedEvent | null;
  /** The last balance reading; null before the first. */
  lastBalance(): BalanceReading | null;
  close(): void;
}

export interface DescribedEvent {
  readonly title: string;
  /** Wall-clock milliseconds; null if it was not announced. */
  readonly startMs: number | null;
}

export interface BalanceReading {
  readonly atMs: number;
  readonly balanceMicros: Micros;
  readonly openStakeMicros: Micros;
  readonly smartCreditMicros: Micros | null;
}

/**
 * What an account earned and why, for people. It holds nothing that trading needs: the journal is the truth, and the history is
 * written after it.
 */
export interface History extends HistoryReader {
  /** Writes facts as one unit. Throws HistoryError, with `invalidFact` if a fact is at fault; nothing is written then. */
  write(facts: readonly HistoryFact[]): void;
  /**
   * Deletes fills and results of the days before this one, as one unit. The sums of their days stay for good. Later reports of what
   * was deleted change nothing. Throws HistoryError.
   */
  prune(beforeDay: string): void;
  /** Keeps of the samples and of the readings of profits before an instant one in five minutes. Throws HistoryError. */
  thinSamples(beforeMs: number): void;
}
