import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { JournalError } from '../domain/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Journal, JournalEntry, JournalRecord, Json } from '../ports/journal.ts';
import { checksumOf } from './checksum.ts';
import { migrate } from './migrations.ts';

interface Row {
  readonly seq: number;
  readonly at_ms: number;
  readonly kind: string;
  readonly uuid: string | null;
  readonly data: string;
  readonly checksum: number;
}

interface Tail {
  readonly seq: number;
  readonly checksum: number;
}

const INSERT = 'INSERT INTO journal (seq, at_ms, kind, uuid, data, checksum) VALUES (?, ?, ?, ?, ?, ?)';
const SELECT = 'SELECT seq, at_ms, kind, uuid, data, checksum FROM journal';

export interface SqliteJournalOptions {
  /** The file may not grow beyond so many pages of 4 KiB: a quota. Default none. */
  readonly maxPages?: number;
}

/**
 * The durable journal: one SQLite file in WAL mode with `synchronous=FULL`, so a commit is on the disk when it returns.
 * The tables refuse updates and deletes. Each record carries a checksum over itself and its predecessor's, so a missing,
 * doubled or altered record in the middle is found when reading. A torn tail is cut by SQLite's own recovery.
 *
 * Throws JournalError when the file cannot be opened, is damaged in its structure, or was written by a newer version.
 */
export function openSqliteJournal(path: string, clock: Clock, options: SqliteJournalOptions = {}): Journal {
  try {
    return new SqliteJournal(path, clock, options);
  } catch (error) {
    if (error instanceof JournalError) throw error;
    throw new JournalError('cannot open the journal', { path }, error);
  }
}

class SqliteJournal implements Journal {
  readonly #db: DatabaseSync;
  readonly #clock: Clock;
  readonly #insert: StatementSync;
  #tail: Tail;
  #failure: unknown = null;

  constructor(path: string, clock: Clock, options: SqliteJournalOptions) {
    this.#clock = clock;
    this.#db = new DatabaseSync(path);
    this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 2000');
    migrate(this.#db);
    if (options.maxPages !== undefined) this.#db.exec(`PRAGMA max_page_count = ${options.maxPages}`);
    this.#insert = this.#db.prepare(INSERT);
    this.#tail = this.#readTail();
  }

  append(entries: readonly JournalEntry[]): void {
    if (this.#failure !== null) throw new JournalError('the journal failed before', {}, this.#failure);
    if (entries.length === 0) return;
    try {
      this.#tail = this.#write(entries);
    } catch (error) {
      this.#failure = error;
      this.#rollback();
      throw new JournalError('cannot append to the journal', { afterSeq: this.#tail.seq }, error);
    }
  }

  *read(afterSeq = 0): Iterable<JournalRecord> {
    let before = this.#tailAt(afterSeq);
    for (const row of this.#rowsAfter(afterSeq)) {
      before = checked(row, before);
      yield toRecord(row);
    }
  }

  last(kind: string): JournalRecord | null {
    const row = this.#db.prepare(`${SELECT} WHERE kind = ? ORDER BY seq DESC LIMIT 1`).get(kind);
    if (row === undefined) return null;
    const found = rowOf(row);
    checked(found, this.#tailAt(found.seq - 1));
    return toRecord(found);
  }

  lastSeq(): number {
    return this.#tail.seq;
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }

  #write(entries: readonly JournalEntry[]): Tail {
    const atMs = Math.round(this.#clock.wallMs());
    let tail = this.#tail;
    this.#db.exec('BEGIN IMMEDIATE');
    for (const entry of entries) tail = this.#insertOne(entry, atMs, tail);
    this.#db.exec('COMMIT');
    return tail;
  }

  #insertOne(entry: JournalEntry, atMs: number, tail: Tail): Tail {
    const seq = tail.seq + 1;
    const data = JSON.stringify(entry.data);
    const checksum = checksumOf({ seq, atMs, kind: entry.kind, uuid: entry.uuid, data }, tail.checksum);
    this.#insert.run(seq, atMs, entry.kind, entry.uuid, data, checksum);
    return { seq, checksum };
  }

  /** After a failed write nothing of it may stay; when even this fails, the next opening rolls back. */
  #rollback(): void {
    try {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
    } catch (error) {
      this.#failure = error;
    }
  }

  *#rowsAfter(afterSeq: number): Iterable<Row> {
    try {
      const rows = this.#db.prepare(`${SELECT} WHERE seq > ? ORDER BY seq`).iterate(afterSeq);
      for (const row of rows) yield rowOf(row);
    } catch (error) {
      if (error instanceof JournalError) throw error;
      throw new JournalError('cannot read the journal', { afterSeq }, error);
    }
  }

  #readTail(): Tail {
    const row = this.#db.prepare('SELECT seq, checksum FROM journal ORDER BY seq DESC LIMIT 1').get();
    return row === undefined
      ? { seq: 0, checksum: 0 }
      : { seq: Number(row['seq']), checksum: Number(row['checksum']) };
  }

  #tailAt(seq: number): Tail {
    if (seq === 0) return { seq: 0, checksum: 0 };
    const row = this.#db.prepare('SELECT checksum FROM journal WHERE seq = ?').get(seq);
    if (row === undefined) throw new JournalError('journal record is missing', { seq });
    return { seq, checksum: Number(row['checksum']) };
  }
}

function rowOf(columns: Record<string, SQLOutputValue>): Row {
  return {
    seq: Number(columns['seq']),
    at_ms: Number(columns['at_ms']),
    kind: String(columns['kind']),
    uuid: columns['uuid'] === null ? null : String(columns['uuid']),
    data: String(columns['data']),
    checksum: Number(columns['checksum']),
  };
}

/** Verifies a row as the successor of another. Throws JournalError that names it. */
function checked(row: Row, before: Tail): Tail {
  if (row.seq !== before.seq + 1)
    throw new JournalError('journal record is missing', { seq: before.seq + 1 });
  const fields = { seq: row.seq, atMs: row.at_ms, kind: row.kind, uuid: row.uuid, data: row.data };
  if (checksumOf(fields, before.checksum) !== row.checksum) {
    throw new JournalError('journal record is damaged', { seq: row.seq });
  }
  return { seq: row.seq, checksum: row.checksum };
}

function toRecord(row: Row): JournalRecord {
  const data = JSON.parse(row.data) as Json;
  return { seq: row.seq, atMs: row.at_ms, kind: row.kind, uuid: row.uuid, data };
}
