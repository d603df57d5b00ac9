import type { DatabaseSync } from 'node:sqlite';
import { JournalDamage } from '../domain/errors.ts';
import { checkedSum, COLUMNS, type Link, rowOf, type StoredRow, sumOf } from './rows.ts';

const SELECT = `SELECT ${COLUMNS} FROM kept WHERE seq > ? ORDER BY seq`;

/**
 * What retention left of the journal's beginning: the root, from whose sum the chain of the rest goes on, and the records
 * that stay for good, in a chain of their own whose end the root holds too. There are more of them with each day.
 */
export class KeptRecords {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** The last record that was let go of, with its sum. */
  root(): Link {
    const row = this.#rootRow();
    return { seq: Number(row['seq']), checksum: Number(row['checksum']) };
  }

  /** Those above a seq, each verified when it is its turn. Throws JournalDamage that names what is damaged. */
  *after(seq: number): Iterable<StoredRow> {
    if (seq < this.root().seq) yield* this.#checked(seq);
  }

  /** Those of one kind, verified, as all of them are. Throws JournalDamage. */
  ofKind(kind: string): readonly StoredRow[] {
    return [...this.#checked(0)].filter((row) => row.kind === kind);
  }

  /** Within a transaction: everything up to `last` goes, but for `kept`. */
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

  /** The last one up to a seq. */
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
