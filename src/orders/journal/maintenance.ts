import { JournalDamage, JournalError } from '../../domain/errors.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { JournalRecord } from '../../ports/journal.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Counter } from '../../ports/metrics.ts';
import type { OrderManagerDeps } from '../api.ts';
import type { OrderOptions } from '../options.ts';
import { CHECKPOINT } from './checkpoint.ts';
import type { JournalWriter } from './journal-writer.ts';
import { FACT_KINDS } from './records.ts';

const AGAIN_AFTER_MS = DAY_MS;
/** Records verified in one sweep, about a millisecond of work. */
const VERIFIED_AT_ONCE = 100;

/**
 * Verifies the whole journal while the daemon runs, in small slices, after the start and then once a day.
 * Recovery reads from the last checkpoint on. Damage before it affects no trading, but people must know of it.
 */
export class Verification {
  readonly #context: JournalContext;
  readonly #onDamage: (error: unknown) => void;
  /** Sequence number verified so far; null while no verification is under way. */
  #verifiedSeq: number | null = null;
  #records = 0;
  #nextMs = -Infinity;

  constructor(context: JournalContext, onDamage: (error: unknown) => void) {
    this.#context = context;
    this.#onDamage = onDamage;
  }

  /** Monotonic instant of the next verification; -Infinity while one is under way. */
  get dueMs(): number {
    return this.#verifiedSeq === null ? this.#nextMs : -Infinity;
  }

  sweep(): void {
    const now = this.#context.deps.clock.monotonicMs();
    if (now < this.#nextMs || this.#context.journalWriter.failed) return;
    try {
      if (this.#slice()) return;
      this.#context.log.info('the journal is whole', { records: this.#records });
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      this.#onDamage(error);
    }
    this.#verifiedSeq = null;
    this.#records = 0;
    this.#nextMs = now + AGAIN_AFTER_MS;
  }

  /** Verifies one slice. Returns whether there is more to verify. */
  #slice(): boolean {
    let left = VERIFIED_AT_ONCE;
    // The record at `#verifiedSeq` may have been deleted by retention. Later records that are kept for good
    // still precede the journal's root.
    for (const { seq } of this.#context.deps.journal.read(this.#verifiedSeq ?? 0)) {
      this.#verifiedSeq = seq;
      this.#records++;
      if (--left === 0) return true;
    }
    return false;
  }
}

const LOOK_EVERY_MS = 3_600_000;
const SLICE_EVERY_MS = 1_000;
const REMOVED_AT_ONCE = 500;

/**
 * Deletes records older than the retention, in small slices. Only records before a checkpoint are deleted,
 * because reading begins there: it holds live and unknown orders, heartbeats, the cursor, the latch and the
 * day's betslips. Records of other parts stay, unless only the last of their kind matters.
 */
export class Retention {
  readonly #context: JournalContext;
  readonly #onDamage: (error: unknown) => void;
  #nextMs = -Infinity;
  /** Records from this wall-clock instant on stay; null while no deletion is under way. */
  #limitMs: number | null = null;
  #gone = 0;

  constructor(context: JournalContext, onDamage: (error: unknown) => void) {
    this.#context = context;
    this.#onDamage = onDamage;
  }

  get dueMs(): number {
    return this.#context.options.journal.retentionMs === null ? Infinity : this.#nextMs;
  }

  /** Deletes at most one slice. */
  sweep(): void {
    const now = this.#context.deps.clock.monotonicMs();
    const { retentionMs } = this.#context.options.journal;
    if (retentionMs === null || now < this.#nextMs || this.#context.journalWriter.failed) return;
    if (this.#limitMs === null) this.#begin(this.#context.deps.clock.wallMs() - retentionMs);
    const more = this.#limitMs !== null && this.#slice(this.#limitMs);
    if (!more) this.#end();
    this.#nextMs = now + (more ? SLICE_EVERY_MS : LOOK_EVERY_MS);
  }

  /**
   * Begins if there is any record to delete. A checkpoint of a busy account has megabytes, so a fresh one is written only if records
   * to delete come after the last one.
   */
  #begin(limitMs: number): void {
    const oldest = this.#oldest();
    if (oldest === null || oldest.atMs >= limitMs) return;
    const { deps, journalWriter } = this.#context;
    const last = this.#guarded(() => deps.journal.last(CHECKPOINT), null);
    if (last === null || last.atMs < limitMs) journalWriter.checkpoint();
    this.#limitMs = limitMs;
  }

  #oldest(): JournalRecord | null {
    const { journal } = this.#context.deps;
    return this.#guarded(() => {
      const [oldest = null] = journal.read(journal.rootSeq());
      return oldest;
    }, null);
  }

  /** Deletes one slice. Returns whether there may be more. */
  #slice(writtenBeforeMs: number): boolean {
    const { journalWriter, deps } = this.#context;
    if (journalWriter.failed) return false;
    const forgetting = { belowSeq: journalWriter.checkpointSeq, writtenBeforeMs, most: REMOVED_AT_ONCE };
    const keeps = (record: JournalRecord): boolean => this.#keeps(record);
    const count = this.#guarded(() => deps.journal.forget({ ...forgetting, keeps }), 0);
    this.#gone += count;
    return count > 0;
  }

  #end(): void {
    if (this.#gone > 0) this.#context.log.info('old journal records were deleted', { records: this.#gone });
    this.#gone = 0;
    this.#limitMs = null;
  }

  #keeps({ kind, seq }: JournalRecord): boolean {
    if (kind === CHECKPOINT || FACT_KINDS.has(kind)) return false;
    const { journal, onlyLastMatters = [] } = this.#context.deps;
    return !onlyLastMatters.includes(kind) || journal.last(kind)?.seq === seq;
  }

  /** Reports damage and keeps all records. Any other error means that the journal cannot be written. */
  #guarded<T>(work: () => T, otherwise: T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof JournalDamage) this.#onDamage(error);
      else this.#context.journalWriter.fail(error);
      return otherwise;
    }
  }
}

/** The dependencies of the journal's maintenance. */
export interface JournalContext {
  readonly deps: Pick<OrderManagerDeps, 'clock' | 'journal' | 'onlyLastMatters'>;
  readonly options: Pick<OrderOptions, 'journal'>;
  readonly journalWriter: JournalWriter;
  readonly log: Logger;
  readonly metrics: { readonly alarms: Counter<'kind'> };
}

/** Maintains the journal while the daemon runs: verifies all of it, and deletes old records. */
export class JournalMaintenance {
  readonly #context: JournalContext;
  readonly #retention: Retention;
  readonly #verification: Verification;

  constructor(context: JournalContext) {
    this.#context = context;
    const onDamage = (error: unknown): void => this.#damaged(error);
    this.#retention = new Retention(context, onDamage);
    this.#verification = new Verification(context, onDamage);
  }

  get dueMs(): number {
    return Math.min(this.#retention.dueMs, this.#verification.dueMs);
  }

  sweep(): void {
    this.#retention.sweep();
    this.#verification.sweep();
  }

  /**
   * Reports damage. Everything that trading depends on was verified at the start, so damage elsewhere is left
   * to people.
   */
  #damaged(error: unknown): void {
    this.#context.metrics.alarms.inc({ kind: 'journal_damage' });
    this.#context.log.error('the journal is damaged where recovery did not read', { error });
  }
}
