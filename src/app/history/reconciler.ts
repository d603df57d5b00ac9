import type { AccountPort } from '../../account/account.ts';
import { JournalError, TouchlineError } from '../../domain/errors.ts';
import { fromMicros, type Micros } from '../../domain/money.ts';
import type { Balance } from '../../domain/orders.ts';
import type { Deposit, HistoryFact, Reconciliation } from '../../history/facts.ts';
import {
  type BalanceReading,
  isExplained,
  moneyOf,
  type MoneyPoint,
  reconciled,
  winningsOf,
} from '../../history/money.ts';
import type { Ledger } from '../../ledger/index.ts';
import { reasonOf } from '../../lib/reason.ts';
import type { TradingDays } from '../../lib/trading-day.ts';
import { type Clock, repeat } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Venue } from '../../ports/venue.ts';
import type { ReconciliationStatus } from '../../read-model/status.ts';
import type { MoneyRecords, MoneyState } from './money-records.ts';

export interface ReconcilerParts {
  readonly venue: Pick<Venue, 'balance'>;
  /** Learns of each balance that is read. */
  readonly account: Pick<AccountPort, 'apply'>;
  readonly ledger: Pick<Ledger, 'profitLoss' | 'events'>;
  readonly records: MoneyRecords;
  readonly days: TradingDays;
  readonly reading: BalanceReading;
  readonly commissionRate: () => number;
  /** Why results may be missing now; null if all are known. */
  readonly notReady: () => string | null;
  /** Learns of each reconciliation and deposit. */
  readonly note: (fact: HistoryFact) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The state of a reconciliation, for people. */
export interface ReconciliationReport {
  /** Whether one is wanted and not made yet. */
  readonly pending: boolean;
  /** Why it is not made yet; null if none is wanted. */
  readonly why: string | null;
  /** The last one; null before the first. */
  readonly last: Reconciliation | null;
}

const TRY_EVERY_MS = 5_000;
/** The exchange's books must not move over so many readings before a difference counts: a balance and its results arrive apart. */
const QUIET_READINGS = 3;
/** A wanted reconciliation that is not made within this time is worth a line. */
const LATE_MS = 3_600_000;

/**
 * Compares the balance with results, commission and deposits, after the end of each trading day and on demand. Balance and results
 * reach us at different times, so a difference counts only if neither moves for a while.
 *
 * The next comparison counts from the last one that agreed. So an unexplained difference stays until somebody enters the deposit
 * that explains it, whichever comes first.
 */
export class Reconciler {
  readonly #parts: ReconcilerParts;
  readonly #residual;
  readonly #stop: () => void;
  #state: MoneyState | null;
  #depositsMicros: Micros;
  #wantedSinceMs: number | null = null;
  #why: string | null = null;
  #isLate = false;
  #isAsking = false;
  /** The last reading, and how many in a row were equal to it. */
  #seen: MoneyPoint | null = null;
  #equalReadings = 0;

  /** Reads the journal. Throws JournalError if that is not possible. */
  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
    this.#state = parts.records.state();
    const deposits = parts.records.deposits();
    this.#depositsMicros = deposits.reduce((sum, { amountMicros }) => sum + amountMicros, 0);
    for (const deposit of deposits) parts.note({ kind: 'deposit', deposit });
    if (this.#state !== null) parts.note({ kind: 'reconciliation', reconciliation: this.#state.last });
    this.#residual = parts.metrics.gauge(
      'touchline_money_residual_usdt',
      'The part of the change of the balance that results, commission and deposits do not explain',
    );
    this.#residual.set(fromMicros(this.#state?.last.residualMicros ?? 0));
    this.#stop = repeat(parts.clock, TRY_EVERY_MS, () => this.#tick());
  }

  /** The last reconciliation of any run; null before the first. */
  get last(): Reconciliation | null {
    return this.#state?.last ?? null;
  }

  report(): ReconciliationReport {
    return { pending: this.#wantedSinceMs !== null, why: this.#why, last: this.last };
  }

  /** Wants a reconciliation, and makes it at once if the balance is explained. Never rejects. */
  async request(): Promise<ReconciliationReport> {
    this.#want();
    await this.#try();
    return this.report();
  }

  /** Takes a deposit, which is durable on return. Throws JournalError. */
  deposit(deposit: Deposit): void {
    this.#parts.records.deposited(deposit);
    this.#depositsMicros += deposit.amountMicros;
    this.#parts.note({ kind: 'deposit', deposit });
    this.#want();
  }

  /** A person accepted another account: its balance is not compared with the one before. Throws JournalError. */
  restart(): void {
    this.#parts.records.restarted();
    this.#state = null;
    this.#residual.set(0);
    this.#wantedSinceMs = null;
    this.#want();
  }

  stop(): void {
    this.#stop();
  }

  #want(): void {
    if (this.#wantedSinceMs !== null) return;
    this.#wantedSinceMs = this.#parts.clock.monotonicMs();
    this.#isLate = false;
    this.#equalReadings = 0;
    this.#why = 'the balance is being read';
  }

  #tick(): void {
    const { days, clock, logger } = this.#parts;
    const today = days.numberOf(clock.wallMs());
    if (this.#state === null || days.numberOf(this.#state.last.atMs) < today) this.#want();
    if (this.#wantedSinceMs === null) return;
    if (!this.#isLate && clock.monotonicMs() - this.#wantedSinceMs >= LATE_MS) {
      this.#isLate = true;
      logger.warn('the balance could not be reconciled for an hour', { why: this.#why });
    }
    void this.#try();
  }

  async #try(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      await this.#compare();
    } catch (error) {
      if (!(error instanceof TouchlineError)) throw error;
      this.#why = reasonOf(error);
      if (error instanceof JournalError) this.#wantedSinceMs = null;
    } finally {
      this.#isAsking = false;
    }
  }

  async #compare(): Promise<void> {
    const { venue, account, notReady, reading, commissionRate } = this.#parts;
    const before = this.#settledMicros();
    const balance = await venue.balance();
    account.apply({ kind: 'balance', balance });
    const why = notReady();
    const now = this.#pointOf(balance, reading);
    if (before !== now.settledMicros) return this.#wait('results are arriving', null);
    const base = this.#state?.base ?? null;
    const made = reconciled(base, now, commissionRate(), balance.balanceMicros);
    if (base !== null && isExplained(made)) return this.#keep(made, now);
    if (why !== null) return this.#wait(why, null);
    this.#wait('the balance is read again until it does not change', now);
    if (this.#equalReadings >= QUIET_READINGS) this.#keep(made, base === null ? now : base);
  }

  #pointOf(balance: Balance, reading: BalanceReading): MoneyPoint {
    return {
      atMs: Math.round(this.#parts.clock.wallMs()),
      moneyMicros: moneyOf(balance, reading),
      settledMicros: this.#settledMicros(),
      winningsMicros: winningsOf(this.#parts.ledger.events().map(({ realisedMicros }) => realisedMicros)),
      depositsMicros: this.#depositsMicros,
    };
  }

  #settledMicros(): Micros {
    return this.#parts.ledger.profitLoss(() => null).realisedMicros;
  }

  #wait(why: string, point: MoneyPoint | null): void {
    this.#why = why;
    this.#equalReadings = point !== null && isUnmoved(this.#seen, point) ? this.#equalReadings + 1 : 1;
    if (point === null) this.#equalReadings = 0;
    this.#seen = point;
  }

  /** Journal, log, metric and history. A difference stays an alarm until it is explained. */
  #keep(made: Reconciliation, base: MoneyPoint): void {
    const { records, logger, note } = this.#parts;
    const state = { last: made, base };
    records.reconciled(state);
    this.#state = state;
    [this.#wantedSinceMs, this.#why] = [null, null];
    this.#residual.set(fromMicros(made.residualMicros));
    note({ kind: 'reconciliation', reconciliation: made });
    const fields = { ...inUsdt(made) };
    if (made.sinceMs === null) logger.info('the first balance: later ones are compared with it', fields);
    else if (isExplained(made)) logger.info('the balance agrees with results and deposits', fields);
    else logger.error('the balance differs from results and deposits', fields);
  }
}

const isUnmoved = (a: MoneyPoint | null, b: MoneyPoint): boolean =>
  a?.moneyMicros === b.moneyMicros &&
  a.settledMicros === b.settledMicros &&
  a.depositsMicros === b.depositsMicros;

/** A reconciliation for people and JSON. */
export const inUsdt = (made: Reconciliation): ReconciliationStatus => ({
  atMs: made.atMs,
  sinceMs: made.sinceMs,
  balance: fromMicros(made.balanceMicros),
  change: fromMicros(made.changeMicros),
  settled: fromMicros(made.settledMicros),
  commission: fromMicros(made.commissionMicros),
  deposits: fromMicros(made.depositsMicros),
  residual: fromMicros(made.residualMicros),
});
