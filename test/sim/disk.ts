import { LIMITS } from '../../src/app/journal/limits-memory.ts';
import { JournalError } from '../../src/domain/errors.ts';
import { SETTLED, SNAPSHOT } from '../../src/engine/risk-inputs/risk-memory.ts';
import { CHECKPOINT } from '../../src/orders/journal/checkpoint.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { JournalEntry, JournalRecord } from '../../src/ports/journal.ts';
import type { ChainedJournal } from '../../src/storage/chained-journal.ts';
import type { AccountLock } from '../../src/storage/files/lock.ts';
import { createMemoryJournal, memoryStore } from '../../src/storage/memory-journal.ts';
import type { Damaged } from './plan.ts';

/** The hooks by which one opening of the journal reports. */
export interface DiskHooks {
  /** Entries are written and not yet synced, which is a place to die. Throws when the process died there. */
  onWritten(): void;
  /** Entries are durable. */
  onAppended(entries: readonly JournalEntry[]): void;
  /** The append failed, as planned. */
  onRefused(): void;
}

export interface DiskOptions {
  /** A mistake: an append returns before its sync, which comes this much later. Default 0: in time. */
  readonly syncsLateMs?: number;
  /** A mistake: every process that requests the account's lock gets it. */
  readonly unlocked?: boolean;
}

/**
 * The disk under the journal, with the guarantees of the port and no more. Written entries are volatile until synced. A
 * crash in between keeps or loses them, one append at a time. A failed append may be there afterwards. A record may
 * turn out to be damaged.
 */
export class SimDisk {
  readonly store = memoryStore();
  /** The next append fails: `lost`, or `kept` when the next opening finds its entries all the same. */
  failsNext: 'lost' | 'kept' | null = null;
  /** Seq of the record that can no longer be read. */
  damagedSeq: number | null = null;
  /** A reader has met the damage since the journal was last opened. */
  damageMet = false;
  /** The process that has the account. */
  #holder: { readonly alive: boolean } | null = null;
  readonly #clock: Clock;
  readonly #options: DiskOptions;
  /** Appends not yet synced, by the seq of their last record. */
  #unsynced: number[] = [];
  /** The first record of each kind. */
  readonly #starts = new Map<number, number>();

  constructor(clock: Clock, options: DiskOptions = {}) {
    this.#clock = clock;
    this.#options = options;
  }

  /**
   * The lock, as operating systems give it: it ends with the process. Throws JournalError when another process has it.
   */
  lock(process: { readonly alive: boolean }): AccountLock {
    if (this.#holder?.alive === true && this.#options.unlocked !== true)
      throw new JournalError('the account is in use', { pid: 'another' });
    const earlierOwner = this.#holder === null ? 'unknown' : 'dead';
    this.#holder = process;
    return { earlierOwner, trades: () => undefined, release: () => void (this.#holder = null) };
  }

  open(hooks: DiskHooks): ChainedJournal {
    const journal = createMemoryJournal(this.#clock, { store: this.store });
    let failure: unknown = null;
    this.damageMet = false;
    return {
      ...journal,
      append: (entries) => {
        if (failure !== null) throw new JournalError('the journal failed before', {}, failure);
        const { failsNext } = this;
        this.failsNext = null;
        if (failsNext !== 'lost') journal.append(entries);
        if (failsNext === null) return this.#sync(entries, hooks);
        failure = new Error('database or disk is full');
        hooks.onRefused();
        throw new JournalError('cannot append to the journal', {}, failure);
      },
      read: (afterSeq) => this.#readable(journal.read(afterSeq)),
      ofKind: (kind) => this.#readable(journal.ofKind(kind)),
      last: (kind) => this.#whole(journal.last(kind)),
      checksumAt: (seq) => {
        this.#whole(this.store.records[seq - this.store.rootSeq - 1] ?? null);
        return journal.checksumAt(seq);
      },
      distrust: (error) => void (failure ??= error),
    };
  }

  /**
   * The machine stops. This part of the unsynced entries survives, oldest first. Returns the number of lost records.
   */
  crash(survives: number): number {
    const before = this.#lastSeq();
    const going = this.#unsynced.slice(Math.round(this.#unsynced.length * survives));
    const firstGone = going[0] === undefined ? before + 1 : this.#firstOf(going[0]);
    this.store.records.length = firstGone - 1 - this.store.rootSeq;
    this.#unsynced = [];
    this.#starts.clear();
    return before - this.#lastSeq();
  }

  /** A record that the next start must read becomes unreadable. */
  damage(of: Damaged): void {
    this.damagedSeq = this.#readByKind(of)?.seq ?? this.#middleSeq();
  }

  repair(): void {
    this.damagedSeq = null;
  }

  #readByKind(of: Damaged): JournalRecord | undefined {
    const { records } = this.store;
    if (of === 'results') return records.find(({ kind }) => kind === SETTLED);
    if (of === 'losses') return records.findLast(({ kind }) => kind === SNAPSHOT);
    return of === 'limits' ? records.findLast(({ kind }) => kind === LIMITS) : undefined;
  }

  /** The record lies between the last checkpoint, which may be damaged itself, and the end. */
  #middleSeq(): number {
    const { records, rootSeq } = this.store;
    const fromSeq = records.findLast(({ kind }) => kind === CHECKPOINT)?.seq ?? rootSeq;
    return Math.min(this.#lastSeq(), Math.max(fromSeq + 1, Math.ceil((fromSeq + this.#lastSeq()) / 2)));
  }

  #sync(entries: readonly JournalEntry[], hooks: DiskHooks): void {
    const seq = this.#lastSeq();
    this.#unsynced.push(seq);
    this.#starts.set(seq, seq - entries.length + 1);
    hooks.onWritten();
    const { syncsLateMs = 0 } = this.#options;
    if (syncsLateMs === 0) this.#synced(seq);
    else this.#clock.after(syncsLateMs, () => this.#synced(seq));
    hooks.onAppended(entries);
  }

  /** Everything before is on the disk as well. */
  #synced(seq: number): void {
    this.#unsynced = this.#unsynced.filter((each) => each > seq);
    this.#starts.delete(seq);
  }

  #firstOf(seq: number): number {
    return this.#starts.get(seq) ?? seq;
  }

  #lastSeq(): number {
    return this.store.rootSeq + this.store.records.length;
  }

  *#readable(records: Iterable<JournalRecord>): Iterable<JournalRecord> {
    for (const record of records) yield this.#whole(record);
  }

  /** Throws JournalError at damage. */
  #whole<R extends JournalRecord | null>(record: R): R {
    if (record?.seq !== this.damagedSeq) return record;
    this.damageMet = true;
    throw new JournalError('journal record is damaged', { seq: record.seq });
  }
}
