import { filter, takeUntil } from 'rxjs';
import { HistoryError, JournalError, TouchlineError } from '../../domain/errors.ts';
import type { Micros } from '../../domain/money.ts';
import { SETTLED_MS } from '../../domain/order-listing.ts';
import type { StreamSignal } from '../../domain/stream.ts';
import type { HistoryRecorder } from '../../history/recorder.ts';
import type { BalanceReading } from '../../history/money.ts';
import type {
  DaySums,
  HistoryAlert,
  HistoryMarkout,
  ProfitReading,
  RunStart,
  Sample,
} from '../../history/facts.ts';
import type { HistoryReader } from '../../history/history.ts';
import type { TradingDays } from '../../lib/trading-day.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { ReconciliationStatus } from '../../read-model/status.ts';
import type { Engine, EngineParts } from '../../engine/engine.ts';
import { HistoryFeed } from './history-feed.ts';
import { MoneyRecords } from './money-records.ts';
import { inUsdt, Reconciler, type ReconciliationReport } from './reconciler.ts';

export interface AccountHistoryParts {
  readonly recorder: HistoryRecorder;
  readonly run: RunStart;
  readonly days: TradingDays;
  readonly reading: BalanceReading;
  readonly commissionRate: () => number;
  /** Whether the exchange takes it from the balance. The embedded exchange of a paper account takes none. */
  readonly isCommissionTaken: boolean;
  /** How often the account's updates are read behind the stream. */
  readonly dropCopyEveryMs: number;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** History, reconciliation and deposits of an account while a daemon runs. */
export class AccountHistory {
  readonly feed: HistoryFeed;
  /** The mark-outs of the fills of earlier runs. */
  readonly earlierMarkouts: readonly HistoryMarkout[];
  readonly #parts: AccountHistoryParts;
  #reconciler: Reconciler | null = null;
  /** Monotonic instant at which the stream was last synced; null while it is not. */
  #syncedMs: number | null = null;

  constructor(parts: AccountHistoryParts) {
    this.#parts = parts;
    this.earlierMarkouts = markoutsIn(this.reader);
    this.feed = new HistoryFeed(parts.recorder, parts.run, parts.clock);
  }

  /** Call it once, before any fill is reported. A journal that cannot be read leaves the account without reconciliation. */
  follow(
    { venue, orders, core }: Pick<EngineParts, 'venue' | 'orders' | 'core'>,
    engine: Pick<Engine, 'look$' | 'signal$' | 'end$'>,
    journal: Journal,
    onFatal: (error: unknown) => void,
  ): void {
    const { market, ledger, strategies, account } = core;
    this.feed.follow({
      look$: engine.look$,
      account$: core.change$,
      fairValues: core.fairValues,
      market,
      ledger,
      strategies,
      onFatal,
      onOtherAccount: () => this.#reconciler?.restart(),
    });
    engine.signal$
      .pipe(
        filter(({ kind }) => kind !== 'frame'),
        takeUntil(engine.end$),
      )
      .subscribe({ next: ({ kind }) => this.#onConnection(kind), error: onFatal });
    const { logger, recorder, commissionRate, isCommissionTaken } = this.#parts;
    try {
      this.#reconciler = new Reconciler({
        ...this.#parts,
        commissionRate: isCommissionTaken ? commissionRate : () => 0,
        venue,
        ledger,
        account,
        records: new MoneyRecords(journal),
        note: (fact) => recorder.note(fact),
        notReady: () => this.#notReady(orders),
      });
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      logger.error('reconciliations and deposits cannot be read from the journal', { error });
    }
  }

  /** The sums of the current trading day, without a query; null while they are not known. */
  today(): DaySums | null {
    const sums = this.#parts.recorder.today();
    if (sums === null) return null;
    const commissionMicros = Math.ceil(sums.winningsMicros * this.#parts.commissionRate());
    return { ...sums, commissionMicros };
  }

  /** The last reconciliation, in USDT; null before the first. */
  get reconciliation(): ReconciliationStatus | null {
    const last = this.#reconciler?.last ?? null;
    return last === null ? null : inUsdt(last);
  }

  report(): ReturnType<typeof shown> {
    return shown(this.#reconciler?.report() ?? NOT_POSSIBLE);
  }

  /** Asks for a reconciliation. The answer has it, or tells why it takes longer. */
  async reconcile(): Promise<ReturnType<typeof shown>> {
    return shown((await this.#reconciler?.request()) ?? NOT_POSSIBLE);
  }

  /** Enters a deposit, or a withdrawal (negative). Throws TouchlineError if it cannot be written. */
  deposit(amountMicros: Micros, note: string, by: string): void {
    const { ids, clock } = this.#parts;
    if (this.#reconciler === null)
      throw new TouchlineError('journal', 'the journal cannot be read: no deposit can be entered');
    const atMs = Math.round(clock.wallMs());
    this.#reconciler.deposit({ id: ids.uuid(), atMs, amountMicros, note, by });
  }

  /** Keeps how things stand now. */
  sample(sample: Sample): void {
    this.#parts.recorder.note({ kind: 'sample', sample });
  }

  /** Keeps what strategies and events have brought. */
  profits(readings: readonly ProfitReading[]): void {
    for (const profit of readings) this.#parts.recorder.note({ kind: 'profit', profit });
  }

  /** Keeps an alert that began or ended. Somebody may ask for it at once. */
  alert(alert: HistoryAlert): void {
    this.#parts.recorder.note({ kind: 'alert', alert });
    this.#parts.recorder.flush();
  }

  /** Answers questions of people; throws HistoryError. */
  get reader(): HistoryReader {
    return this.#parts.recorder.reader;
  }

  /** The run ended as it should. */
  ended(): void {
    this.feed.ended();
  }

  stop(): void {
    this.#reconciler?.stop();
  }

  #onConnection(kind: StreamSignal['kind']): void {
    this.#syncedMs = kind === 'synced' ? this.#parts.clock.monotonicMs() : null;
  }

  /** Results from before the stream was synced are found by reading updates, whose last minute the exchange does not give. */
  #notReady(orders: EngineParts['orders']): string | null {
    const { recovered, journalFailed } = orders.status();
    if (journalFailed) return 'the journal failed';
    if (!recovered || this.#syncedMs === null) return 'the stream is not synced';
    const completeMs = SETTLED_MS + 2 * this.#parts.dropCopyEveryMs;
    const isComplete = this.#parts.clock.monotonicMs() - this.#syncedMs >= completeMs;
    return isComplete ? null : 'results from before the stream was synced may still arrive';
  }
}

const NOT_POSSIBLE: ReconciliationReport = { pending: false, why: 'the journal cannot be read', last: null };

/** The report in USDT. */
const shown = ({ pending, why, last }: ReconciliationReport) => ({
  pending,
  why,
  last: last === null ? null : inUsdt(last),
});

/** None of a history that cannot be read: it is for people alone. */
function markoutsIn(reader: HistoryReader): readonly HistoryMarkout[] {
  try {
    return reader.total({ commissionRate: 0 }).markouts.filter(({ fills }) => fills > 0);
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
    return [];
  }
}
