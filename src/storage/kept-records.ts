import type { DatabaseSync } from 'node:sqlite';
import { JournalDamage } from '../domain/errors.ts';
import { checkedSum, COLUMNS, type Link, rowOf, type StoredRow, sumOf } from './rows.ts';

const SELECT = `SELECT ${COLUMNS} FROM kept WHERE seq > ? ORDER BY seq`;

/**
 * The part of the journal's beginning that retention kept. The root holds the sum from which the main chain continues. Records
 * kept for good form a chain of their own, whose last sum the root holds too. Their number grows every day.
 */
export class KeptRecords {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** The last record that retention removed, with its sum. */
  root(): Link {
    const row = this.#rootRow();
    return { seq: Number(row['seq']), checksum: Number(row['checksum']) };
  }

  /** Kept records above a seq, each verified as it is read. Throws JournalDamage that names the damaged record. */
  *after(seq: number): Iterable<StoredRow> {
    if (seq < this.root().seq) yield* this.#checked(seq);
  }

  /** Kept records of one kind, after all kept records were verified. Throws JournalDamage. */
  ofKind(kind: string): readonly StoredRow[] {
    return [...this.#checked(0)].filter((row) => row.kind === kind);
  }

  /** Moves the root to `last` and keeps the records in `kept`. Call within a transaction. */
  moveRoot(last: StoredRow, kept: readonly StoredRow[]): void {
    let sum = Number(this.#rootRow()['kept_checksum']);
    const insert = this.#db.prepare(`INSERT INTO kept (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`);
    for (const row of kept) {
      sum = sumOf(row, { seq: 0, checksum: sum });
      insert.run(row.seq, row.at_ms, row.kind, row.uuid, row.data, sum);
    }
    this.#db
      .prepare('UPDATE root SET seq = ?, checksum = ?, kept_checksum = ?')
      .run(last.seq, last.checksum, sum);
  }

  *#checked(afterSeq: number): Iterable<StoredRow> {
    let link = this.#linkAt(afterSeq);
    for (const columns of this.#db.prepare(SELECT).iterate(afterSeq)) {
      const row = rowOf(columns);
      link = checkedSum(row, link);
      yield row;
    }
    if (link.checksum !== Number(this.#rootRow()['kept_checksum'])) {
      throw new JournalDamage('journal record is missing', { seq: link.seq, among: 'kept' });
    }
  }

  /** The last kept record up to a seq. */
  #linkAt(seq: number): Link {
    const last = 'SELECT seq, checksum FROM kept WHERE seq <= ? ORDER BY seq DESC LIMIT 1';
    const row = this.#db.prepare(last).get(seq) ?? { seq: 0, checksum: 0 };
    return { seq: Number(row['seq']), checksum: Number(row['checksum']) };
  }

  #rootRow() {
    const row = this.#db.prepare('SELECT seq, checksum, kept_checksum FROM root').get();
    if (row === undefined) throw new JournalDamage('journal record is missing', { seq: 0, among: 'root' });
    return row;
  }
}
