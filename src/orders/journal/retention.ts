import { JournalDamage } from '../../domain/errors.ts';
import type { JournalRecord } from '../../ports/journal.ts';
import { CHECKPOINT } from './checkpoint.ts';
import type { Desk } from '../state/context.ts';
import { FACT_KINDS } from './records.ts';

const LOOK_EVERY_MS = 3_600_000;
const SLICE_EVERY_MS = 1_000;
const SLICE_RECORDS = 500;

/**
 * Lets go of records older than the retention, some at a time. Only of what lies before a checkpoint, since reading begins
 * there: live and unknown orders, heartbeats, the cursor, the latch and the day's betslips are in it. Records of others
 * stay, unless it is known that the last of their kind is enough.
 */
export class Retention {
  readonly #desk: Desk;
  readonly #onDamage: (error: unknown) => void;
  #nextMs = -Infinity;
  /** Records from this instant on stay; null while nothing is being let go of. */
  #limitMs: number | null = null;
  #gone = 0;

  constructor(desk: Desk, onDamage: (error: unknown) => void) {
    this.#desk = desk;
    this.#onDamage = onDamage;
  }

  get dueMs(): number {
    return this.#desk.options.journal.retentionMs === null ? Infinity : this.#nextMs;
  }

  /** Does what is due, one slice at most. */
  sweep(): void {
    const now = this.#desk.deps.clock.monotonicMs();
    const { retentionMs } = this.#desk.options.journal;
    if (retentionMs === null || now < this.#nextMs || this.#desk.scribe.failed) return;
    if (this.#limitMs === null) this.#begin(this.#desk.deps.clock.wallMs() - retentionMs);
    const more = this.#limitMs !== null && this.#slice(this.#limitMs);
    if (!more) this.#end();
    this.#nextMs = now + (more ? SLICE_EVERY_MS : LOOK_EVERY_MS);
  }

  /** A fresh checkpoint, when there is anything to let go of. */
  #begin(limitMs: number): void {
    const oldest = this.#oldest();
    if (oldest === null || oldest.atMs >= limitMs) return;
    this.#desk.scribe.checkpoint();
    this.#limitMs = limitMs;
  }

  #oldest(): JournalRecord | null {
    const { journal } = this.#desk.deps;
    return this.#guarded(() => {
      const [oldest = null] = journal.read(journal.rootSeq());
      return oldest;
    }, null);
  }

  /** Whether there is more to do. */
  #slice(writtenBeforeMs: number): boolean {
    const { scribe, deps } = this.#desk;
    if (scribe.failed) return false;
    const forgetting = { belowSeq: scribe.checkpointSeq, writtenBeforeMs, most: SLICE_RECORDS };
    const keeps = (record: JournalRecord): boolean => this.#keeps(record);
    const count = this.#guarded(() => deps.journal.forget({ ...forgetting, keeps }), 0);
    this.#gone += count;
    return count > 0;
  }

  #end(): void {
    if (this.#gone > 0) this.#desk.log.info('old journal records were let go of', { records: this.#gone });
    this.#gone = 0;
    this.#limitMs = null;
  }

  #keeps({ kind, seq }: JournalRecord): boolean {
    if (kind === CHECKPOINT || FACT_KINDS.has(kind)) return false;
    const { journal, onlyLastMatters = [] } = this.#desk.deps;
    return !onlyLastMatters.includes(kind) || journal.last(kind)?.seq === seq;
  }

  /** Damage keeps everything as it is, and is told; anything else means that the journal cannot be written. */
  #guarded<T>(work: () => T, otherwise: T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof JournalDamage) this.#onDamage(error);
      else this.#desk.scribe.fail(error);
      return otherwise;
    }
  }
}
