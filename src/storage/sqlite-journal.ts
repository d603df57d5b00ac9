import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { JournalDamage, JournalError } from '../domain/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Forgetting, JournalEntry, JournalRecord } from '../ports/journal.ts';
import { type ChainedJournal, checksumOf } from './chained-journal.ts';
import { type Connection, openToRead, openToWrite } from './connection.ts';
import { KeptRecords } from './kept-records.ts';
import { hiddenRecord, KindIndex } from './kind-index.ts';
import { checkedNext, COLUMNS, type Link, rowOf, type StoredRow, toRecord } from './rows.ts';

const INSERT = `INSERT INTO journal (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`;
const SELECT = `SELECT ${COLUMNS} FROM journal`;
/** Commits between two moves of the write-ahead log into the file, about four megabytes. */
const COMMITS_PER_MOVE = 500;
/** Rows that are looked up in the index at once. */
const ROWS_AT_ONCE = 100;
/** The file gives pages back once one in so many is free. */
const FREE_PART = 4;
/** One removal gives back at most so many pages, a megabyte, so that it stays short. */
const PAGES_AT_ONCE = 256;
const CANNOT_REMOVE = 'cannot remove old journal records';

export interface SqliteJournalOptions {
  /** The largest size of the file, in pages of 4 KiB. Default: no limit. */
  readonly maxPages?: number;
  /** Reads beside a process that writes: nothing in file and log changes, and appending fails. Default false. */
  readonly readOnly?: boolean;
  /**
   * Called for a record that the index over kinds hides. Default: reading ends there with JournalDamage, because a start may
   * not find the record. The record itself is whole.
   */
  readonly onHidden?: (seq: number) => void;
}

/**
 * The durable journal: one SQLite file in WAL mode with `synchronous=FULL`, so a commit is on the disk when it returns.
 * The tables refuse updates, and deletes of records above the root. The checksum of each record covers the record and its
 * predecessor's checksum, so a read finds a missing, doubled or altered record in the middle. SQLite's own recovery cuts
 * a torn tail.
 *
 * Throws JournalError when the file cannot be opened, is damaged in its structure, or was written by a newer version or by
 * another program; read-only also when it is of an earlier one, or holds nothing.
 */
export function openSqliteJournal(
  path: string,
  clock: Clock,
  options: SqliteJournalOptions = {},
): ChainedJournal {
  try {
    return new SqliteJournal(path, clock, options);
  } catch (error) {
    if (error instanceof JournalError) throw error;
    throw new JournalError('cannot open the journal', { path }, error);
  }
}

class SqliteJournal implements ChainedJournal {
  readonly #connection: Connection;
  readonly #db: DatabaseSync;
  readonly #clock: Clock;
  readonly #insert: StatementSync;
  readonly #kept: KeptRecords;
  readonly #kinds: KindIndex;
  readonly #onHidden: (seq: number) => void;
  #tail: Link;
  #failure: unknown = null;
  /** The first commit moves what an earlier run left in the log. */
  #commitsToMove = 1;

  constructor(path: string, clock: Clock, options: SqliteJournalOptions) {
    this.#clock = clock;
    const { maxPages, readOnly = false, onHidden = failAtHidden } = options;
    this.#onHidden = onHidden;
    this.#connection = readOnly ? openToRead(path) : openToWrite(path, maxPages);
    this.#db = this.#connection.db;
    try {
      this.#kept = new KeptRecords(this.#db);
      this.#kinds = new KindIndex(this.#db);
      this.#insert = this.#db.prepare(INSERT);
      this.#tail = this.#readTail();
    } catch (error) {
      this.#connection.close(true);
      throw error;
    }
  }

  append(entries: readonly JournalEntry[]): void {
    this.#mustWork();
    if (entries.length === 0) return;
    this.#commit('cannot append to the journal', () => {
      this.#tail = this.#write(entries);
    });
  }

  *read(afterSeq = 0): Iterable<JournalRecord> {
    try {
      yield* this.#read(afterSeq);
    } catch (error) {
      throw asJournalError(error);
    }
  }

  *ofKind(kind: string): Iterable<JournalRecord> {
    yield* this.#inSnapshot(() => {
      const rows = this.#kinds.ofKind(kind);
      return [...this.#kept.ofKind(kind).map(toRecord), ...rows.map((row) => this.#checkedAlone(row))];
    });
  }

  last(kind: string): JournalRecord | null {
    return this.#inSnapshot(() => {
      const row = this.#kinds.last(kind);
      if (row !== null) return this.#checkedAlone(row);
      const kept = this.#kept.ofKind(kind).at(-1);
      return kept === undefined ? null : toRecord(kept);
    });
  }

  lastSeq(): number {
    return this.#tail.seq;
  }

  rootSeq(): number {
    return reading(() => this.#kept.root().seq);
  }

  forget(forgetting: Forgetting): number {
    this.#mustWork();
    const removable = reading(() => this.#removable(forgetting));
    const last = removable.at(-1);
    if (last === undefined) return 0;
    const kept = removable.filter((row) => forgetting.keeps(toRecord(row)));
    this.#remove(last, kept);
    return removable.length;
  }

  checksumAt(seq: number): number | null {
    if (seq === this.#tail.seq) return this.#tail.checksum;
    return reading(() => this.#linkOf(seq)?.checksum ?? null);
  }

  distrust(error: unknown): void {
    this.#failure ??= error;
  }

  close(): void {
    if (this.#db.isOpen) this.#connection.close(this.#failure !== null);
  }

  *#read(afterSeq: number): Iterable<JournalRecord> {
    const release = this.#openSnapshot();
    try {
      const { seq: rootSeq } = this.#kept.root();
      for (const row of this.#kept.after(afterSeq)) yield toRecord(row);
      yield* this.#checked(afterSeq, rootSeq);
    } finally {
      release();
    }
  }

  /** Runs several statements on one state of the file: another process may remove records between them. */
  #inSnapshot<T>(work: () => T): T {
    return reading(() => {
      const release = this.#openSnapshot();
      try {
        return work();
      } finally {
        release();
      }
    });
  }

  /** Starts a statement. While it runs, until the release, all statements see the same state of the file. */
  #openSnapshot(): () => void {
    const statement = this.#db.prepare('SELECT id FROM root UNION ALL SELECT 0').iterate();
    statement.next();
    return () => void statement.return?.();
  }

  *#checked(afterSeq: number, rootSeq: number): Iterable<JournalRecord> {
    let link: Link | null = null;
    for (const rows of slicesOf(this.#rowsAfter(afterSeq))) {
      link ??= this.#linkAt(Math.max(afterSeq, rootSeq));
      const hiddenSeq = this.#hiddenAmong(rows);
      for (const row of rows) {
        link = checkedNext(row, link);
        if (row.seq === hiddenSeq) this.#onHidden(row.seq);
        yield toRecord(row);
      }
    }
  }

  /** An unreadable page of the index hides all its rows. */
  #hiddenAmong(rows: readonly StoredRow[]): number | null {
    try {
      return this.#kinds.hiddenAmong(rows);
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      return rows[0]?.seq ?? null;
    }
  }

  #remove(last: StoredRow, kept: readonly StoredRow[]): void {
    try {
      this.#commit(CANNOT_REMOVE, () => {
        this.#db.exec('BEGIN IMMEDIATE');
        this.#kept.moveRoot(last, kept);
        this.#db.prepare('DELETE FROM journal WHERE seq <= ?').run(last.seq);
        this.#db.exec('COMMIT');
        this.#shrink();
      });
    } catch (error) {
      throw this.#unlessWriteFailed(error);
    }
  }

  /** Gives free pages back to the disk once they are a good part of the file. Fewer are about to be written again. */
  #shrink(): void {
    const free = this.#pragma('freelist_count');
    if (free * FREE_PART < this.#pragma('page_count')) return;
    this.#db.exec(`PRAGMA incremental_vacuum(${Math.min(free, PAGES_AT_ONCE)})`);
  }

  #pragma(name: 'freelist_count' | 'page_count'): number {
    return Number(this.#db.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
  }

  /**
   * An unreadable page, for example in the index over old records, is no failed write: the transaction was rolled back, and
   * appending does not need the page.
   */
  #unlessWriteFailed(error: unknown): unknown {
    if (!isCorrupt(this.#failure) || this.#db.isTransaction) return error;
    this.#failure = null;
    return new JournalDamage(CANNOT_REMOVE, { afterSeq: this.#tail.seq }, error);
  }

  /** Runs one transaction. After a failure the journal is not used any more: how much reached the disk is not known. */
  #commit(failed: string, work: () => void): void {
    this.#mustWork();
    try {
      this.#moveLog();
      work();
    } catch (error) {
      this.#failure = error;
      this.#rollback();
      throw new JournalError(failed, { afterSeq: this.#tail.seq }, error);
    }
  }

  #mustWork(): void {
    if (this.#failure !== null) throw new JournalError('the journal failed before', {}, this.#failure);
  }

  /** Runs before the transaction, so that a file that cannot be synced is found before anything is promised. */
  #moveLog(): void {
    if (--this.#commitsToMove > 0) return;
    this.#commitsToMove = COMMITS_PER_MOVE;
    this.#db.exec('PRAGMA wal_checkpoint(PASSIVE)');
  }

  #write(entries: readonly JournalEntry[]): Link {
    const atMs = Math.round(this.#clock.wallMs());
    let tail = this.#tail;
    this.#db.exec('BEGIN IMMEDIATE');
    for (const entry of entries) tail = this.#insertOne(entry, atMs, tail);
    this.#db.exec('COMMIT');
    return tail;
  }

  #insertOne(entry: JournalEntry, atMs: number, tail: Link): Link {
    const seq = tail.seq + 1;
    const data = JSON.stringify(entry.data);
    const checksum = checksumOf({ seq, atMs, kind: entry.kind, uuid: entry.uuid, data }, tail.checksum);
    this.#insert.run(seq, atMs, entry.kind, entry.uuid, data, checksum);
    return { seq, checksum };
  }

  /** Removes every trace of a failed write. If this fails, too, the next opening rolls back. */
  #rollback(): void {
    try {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
    } catch (error) {
      this.#failure = error;
    }
  }

  /** The oldest records that may go, verified. */
  #removable({ belowSeq, writtenBeforeMs, most }: Forgetting): StoredRow[] {
    const rootSeq = this.rootSeq();
    const rows = this.#db
      .prepare(`${SELECT} WHERE seq > ? AND seq < ? ORDER BY seq LIMIT ?`)
      .all(rootSeq, belowSeq, most)
      .map(rowOf);
    const young = rows.findIndex((row) => row.at_ms >= writtenBeforeMs);
    const removable = young < 0 ? rows : rows.slice(0, young);
    let link = this.#linkAt(rootSeq);
    for (const row of removable) link = checkedNext(row, link);
    return removable;
  }

  *#rowsAfter(afterSeq: number): Iterable<StoredRow> {
    const rows = this.#db.prepare(`${SELECT} WHERE seq > ? ORDER BY seq`).iterate(afterSeq);
    for (const row of rows) yield rowOf(row);
  }

  #checkedAlone(row: StoredRow): JournalRecord {
    checkedNext(row, this.#linkAt(row.seq - 1));
    return toRecord(row);
  }

  #readTail(): Link {
    const row = this.#db.prepare('SELECT seq, checksum FROM journal ORDER BY seq DESC LIMIT 1').get();
    return row === undefined
      ? this.#kept.root()
      : { seq: Number(row['seq']), checksum: Number(row['checksum']) };
  }

  #linkAt(seq: number): Link {
    const link = this.#linkOf(seq);
    if (link === null) throw new JournalDamage('journal record is missing', { seq });
    return link;
  }

  #linkOf(seq: number): Link | null {
    const root = this.#kept.root();
    if (seq === root.seq) return root;
    const row = this.#db.prepare('SELECT checksum FROM journal WHERE seq = ?').get(seq);
    return row === undefined ? null : { seq, checksum: Number(row['checksum']) };
  }
}

function failAtHidden(seq: number): never {
  throw hiddenRecord(seq);
}

function reading<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asJournalError(error);
  }
}

/** SQLite's code for a corrupt page. The bits above it give details. */
const SQLITE_CORRUPT = 11;

const isCorrupt = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_CORRUPT;

/** An unreadable page is damage, as an unreadable record is. The journal still works where no read needs the page. */
function asJournalError(error: unknown): JournalError {
  if (error instanceof JournalError) return error;
  const message = 'cannot read the journal';
  return isCorrupt(error) ? new JournalDamage(message, {}, error) : new JournalError(message, {}, error);
}

function* slicesOf(rows: Iterable<StoredRow>): Iterable<readonly StoredRow[]> {
  let slice: StoredRow[] = [];
  for (const row of rows) {
    if (slice.push(row) < ROWS_AT_ONCE) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}
