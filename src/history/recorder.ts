import { HistoryError } from '../domain/errors.ts';
import { DAY_MS } from '../lib/time.ts';
import { dayName, type TradingDays } from '../lib/trading-day.ts';
import type { Clock } from '../ports/clock.ts';
import { repeat } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { DaySums, HistoryFact } from './facts.ts';
import type { History, HistoryReader } from './history.ts';

export interface RecorderParts {
  readonly history: History;
  readonly days: TradingDays;
  /** Fills and results of older days are deleted. */
  readonly retentionDays: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Facts are written together this often. */
const WRITE_EVERY_MS = 1_000;
/** Waiting facts beyond this number are dropped, the oldest first: an hour of a busy account. */
const MOST_WAITING = 100_000;
/** Samples of so long stay as close together as they were taken. */
const CLOSE_SAMPLES_MS = 2 * DAY_MS;
/** Facts that change the sums of a day. */
const COUNTED: ReadonlySet<HistoryFact['kind']> = new Set([
  'fill',
  'markout',
  'validity',
  'result',
  'reopened',
]);

/**
 * Writes facts to the history once a second, in one transaction. A failed write never reaches the caller: it is logged and counted,
 * and its facts are written again with the next.
 */
export class HistoryRecorder {
  readonly #parts: RecorderParts;
  readonly #stop: () => void;
  readonly #metrics;
  #waiting: HistoryFact[] = [];
  #isFailing = false;
  /** The sums of the current day; null until they are read, and while the history cannot be written. */
  #today: DaySums | null = null;
  #prunedDay: number | null = null;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
    const { metrics, clock } = parts;
    this.#metrics = {
      failures: metrics.counter('touchline_history_failures_total', 'Failed writes of the history'),
      dropped: metrics.counter('touchline_history_dropped_total', 'Facts that the history has lost'),
    };
    this.#metrics.failures.inc(undefined, 0);
    this.#metrics.dropped.inc(undefined, 0);
    this.#stop = repeat(clock, WRITE_EVERY_MS, () => this.flush());
    this.#readToday();
  }

  /** Takes a fact. Costs no input or output. */
  note(fact: HistoryFact): void {
    this.#waiting.push(fact);
    if (this.#waiting.length <= MOST_WAITING) return;
    this.#waiting.shift();
    this.#metrics.dropped.inc();
  }

  /**
   * The sums of the current trading day without commission, as of the last write. Costs no query. Null if they are not known because the history cannot
   * be written.
   */
  today(): DaySums | null {
    const { days, clock } = this.#parts;
    const day = days.nameOf(clock.wallMs());
    if (this.#today === null || this.#today.day === day) return this.#today;
    return this.#readToday();
  }

  /** For questions of people. It lacks at most the facts of the last second. */
  get reader(): HistoryReader {
    return this.#parts.history;
  }

  /** Writes the waiting facts. */
  flush(): void {
    const facts = this.#waiting;
    this.#pruneDaily();
    if (facts.length === 0) return;
    if (!this.#guarded(() => this.#write(facts))) return;
    this.#waiting = [];
    if (facts.some(({ kind }) => COUNTED.has(kind)) || this.#today === null) this.#readToday();
  }

  /** Writes the waiting facts and closes the history. */
  close(): void {
    this.#stop();
    this.flush();
    this.#parts.history.close();
  }

  /** A fact that the history refuses must not hold up the others. */
  #write(facts: readonly HistoryFact[]): void {
    const { history, logger } = this.#parts;
    try {
      return history.write(facts);
    } catch (error) {
      if (!(error instanceof HistoryError) || error.details['invalidFact'] !== true) throw error;
      if (facts.length > 1) return facts.forEach((fact) => this.#write([fact]));
      this.#metrics.dropped.inc();
      logger.error('the history refuses a fact, which is dropped', { kind: facts[0]?.kind, error });
    }
  }

  #readToday(): DaySums | null {
    const { history, days, clock } = this.#parts;
    const day = days.nameOf(clock.wallMs());
    const isRead = this.#guarded(() => {
      this.#today = { day, ...history.total({ from: day, to: day, commissionRate: 0 }) };
    });
    if (!isRead) this.#today = null;
    return this.#today;
  }

  #pruneDaily(): void {
    const { history, days, clock, retentionDays } = this.#parts;
    const today = days.numberOf(clock.wallMs());
    if (today === this.#prunedDay) return;
    this.#prunedDay = today;
    this.#guarded(() => {
      history.prune(dayName(today - Math.ceil(retentionDays)));
      history.thinSamples(clock.wallMs() - CLOSE_SAMPLES_MS);
    });
  }

  /** Returns whether the work was done. One line is logged when writing begins to fail, and one when it works again. */
  #guarded(work: () => void): boolean {
    const { logger } = this.#parts;
    try {
      work();
    } catch (error) {
      if (!(error instanceof HistoryError)) throw error;
      this.#metrics.failures.inc();
      this.#today = null;
      if (!this.#isFailing)
        logger.error('the history cannot be written: trading goes on, and it is tried again', { error });
      this.#isFailing = true;
      return false;
    }
    if (this.#isFailing) logger.info('the history is written again');
    this.#isFailing = false;
    return true;
  }
}
