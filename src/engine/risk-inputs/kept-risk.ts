import { JournalError } from '../../domain/errors.ts';
import type { SelectionId } from '../../domain/ids.ts';
import type { Core } from '../core.ts';
import type { OrderManager } from '../../orders/api.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Logger } from '../../ports/logger.ts';
import type { SmallFile } from '../../ports/small-file.ts';
import type { KillRecord } from '../../risk/index.ts';
import { KillLatch } from '../kill/kill-latch.ts';
import { Permit } from '../kill/permit.ts';
import { BetRecords } from './bet-records.ts';
import type { MarketWatch } from './market-watch.ts';
import { type AboutBets, EMPTY_SNAPSHOT, type Remembered, RiskMemory } from './risk-memory.ts';

export interface KeptRiskOptions {
  readonly journal: Journal;
  /** The permit to trade, a file beside the journal. */
  readonly permit: SmallFile;
  /** Whether journal and permit end with this process. Default: no. */
  readonly inMemory?: boolean;
  /** The operator's kill file; null if none is configured. */
  readonly killFile: SmallFile | null;
  readonly core: Pick<Core, 'account' | 'ledger' | 'risk' | 'apply'>;
  readonly orders: Pick<OrderManager, 'status' | 'journalFailed' | 'resumeQuoting'>;
  readonly fairValues: Pick<MarketWatch, 'recall' | 'fairsHeld'>;
  /** Selections without a bet of the account whose fair probabilities are kept, too. Default: none. */
  readonly alsoValued?: () => readonly SelectionId[];
  readonly clock: Clock;
  readonly logger: Logger;
}

const SAVE_EVERY_MS = 60_000;

/** What of risk must survive a restart: a kill, trading states and results, and what bets were worth. In the journal, a kill in the permit too. */
export class KeptRisk {
  readonly bets: BetRecords;
  readonly #options: KeptRiskOptions;
  readonly #memory: RiskMemory;
  readonly #latch: KillLatch;
  /** The first housekeeping saves at once, so that even the first minute of a run loses nothing. */
  #savedMs = -Infinity;
  /** The last complete knowledge: the earlier run's until this run knows all bets. */
  #aboutBets: Omit<AboutBets, 'eventTotals'> = { places: [], winnerMarkets: [], fairs: [] };

  constructor(options: KeptRiskOptions) {
    this.#options = options;
    const { core, journal, permit, killFile, logger, clock, inMemory = false } = options;
    this.#memory = new RiskMemory(journal);
    const remember = (write: () => void): void => void this.#remember(write);
    this.bets = new BetRecords({ account: core.account, memory: this.#memory, remember });
    this.#latch = new KillLatch({
      memory: this.#memory,
      permit: new Permit(permit),
      killFile,
      logger,
      inMemory,
      wallMs: () => clock.wallMs(),
    });
  }

  /** Restores what earlier runs left. Call it before the order manager starts. */
  restore(): void {
    const { snapshot, settled, standing } = this.#recall();
    const { core, fairValues } = this.#options;
    const {
      places = [],
      winnerMarkets = [],
      fairs = [],
      eventTotals = [],
      ...known
    } = snapshot ?? EMPTY_SNAPSHOT;
    if (snapshot !== null)
      core.apply({ kind: 'restored_risk', snapshot: { ...known, places, winnerMarkets } });
    this.#aboutBets = { places, winnerMarkets, fairs };
    fairValues.recall(fairs);
    core.ledger.recallTotals(eventTotals);
    this.bets.restore({ settled, standing });
    this.#takePermit();
  }

  /** A kill that a restart would lose now; null if there is none. */
  get unlatched(): KillRecord | null {
    return this.#latch.unlatched;
  }

  /**
   * Where the present kill is kept. Every place but `IN_MEMORY` survives a restart. Null if there is no kill, or if no place took
   * it.
   */
  get latchedIn(): string | null {
    return this.#latch.place;
  }

  /** Whether trading states end with this run: its journal is in memory. */
  get isForThisRun(): boolean {
    return this.#options.inMemory === true;
  }

  get killFileExists(): boolean {
    return this.#latch.killFileExists;
  }

  /**
   * False before recovery ends, and after the journal failed: bets are then missing, and sums over the others mislead. The last
   * complete state of bets and results is kept, and the next run continues from it.
   */
  get knowsAllBets(): boolean {
    const { recovered, journalFailed } = this.#options.orders.status();
    return recovered && !journalFailed;
  }

  /**
   * Call it every second, before recovery and after. A person may have taken the permit away, as `touchline kill` does when this
   * daemon does not answer. A kill that no place has taken yet is tried again.
   */
  watchKills(): void {
    this.#latch.retry();
    const { core } = this.#options;
    const taken = core.risk.killed === null ? this.#latch.taken() : null;
    if (taken !== null) core.apply({ kind: 'kill', why: taken.reason, by: taken.by });
  }

  /** Saves once a minute. Call it about every second. */
  housekeeping(): void {
    if (this.#options.clock.monotonicMs() - this.#savedMs >= SAVE_EVERY_MS) this.save();
  }

  /** The next housekeeping saves. */
  saveSoon(): void {
    this.#savedMs = -Infinity;
  }

  /** Saves now. Returns whether the journal took it. */
  save(): boolean {
    const { fairValues, clock } = this.#options;
    const { risk, ledger } = this.#options.core;
    this.#savedMs = clock.monotonicMs();
    const { places, winnerMarkets, ...known } = risk.snapshot();
    const fairs = fairValues.fairsHeld(this.#options.alsoValued?.());
    if (this.knowsAllBets) this.#aboutBets = { places, winnerMarkets, fairs };
    // Until all bets are known, no event is revalued, so the remembered totals still hold.
    const eventTotals = ledger.judgedTotals();
    const snapshot = { ...known, ...this.#aboutBets, eventTotals };
    return this.#remember(() => this.#memory.save(snapshot));
  }

  keepKill(record: KillRecord): void {
    this.#latch.keep(record, () => this.save());
  }

  explainKill(record: KillRecord): void {
    this.#latch.explain(record, this.save());
  }

  /** A resume must survive a restart. If it cannot be saved, the kill stays. */
  keepResume({ reason, by }: KillRecord): void {
    const { core, orders } = this.#options;
    if (!this.save() || !this.#permitAgain())
      return core.apply({ kind: 'kill', why: `the resume was not written down: ${reason}`, by });
    orders.resumeQuoting();
  }

  #permitAgain(): boolean {
    try {
      this.#latch.release();
      return true;
    } catch (error) {
      this.#options.logger.error('the permit to trade cannot be written again: the kill stays', { error });
      return false;
    }
  }

  /** Restores a kill of an earlier run from permit or journal. Afterwards both hold it. */
  #takePermit(): void {
    const { core } = this.#options;
    const { risk } = core;
    const kill = this.#latch.earlier();
    if (kill === null) this.#remember(() => this.#memory.notePermit());
    else if (risk.killed === null)
      core.apply({
        kind: 'restored_risk',
        snapshot: { kill, states: [], results: [], places: [], winnerMarkets: [] },
      });
    if (risk.killed !== null) this.keepKill(risk.killed);
  }

  /** Recovery reads less of the journal and may miss this damage. Without a record of losses nothing is placed. */
  #recall(): Remembered {
    try {
      return this.#memory.load();
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      const { logger, orders } = this.#options;
      logger.error('the risk state of earlier runs cannot be read: nothing is placed', { error });
      orders.journalFailed(error);
      return { snapshot: null, settled: [], standing: new Map() };
    }
  }

  /** Returns whether the journal took it. Stopping never waits for the journal. */
  #remember(write: () => void): boolean {
    try {
      write();
      return true;
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      this.#options.logger.error('risk could not be written to the journal', { error });
      return false;
    }
  }
}
