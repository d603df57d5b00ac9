import type { DatabaseSync } from 'node:sqlite';
import { JournalDamage } from '../domain/errors.ts';
import { checkedSum, COLUMNS, rowOf, sumOf, type Link, type StoredRow } from './rows.ts';

/**
 * What retention left of the journal's beginning: the root, from whose sum the chain of the rest goes on, and the records
 * that stay for good, in a chain of their own whose end the root holds too. Kept records are few: they are read whole.
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

  /** Those above a seq, verified. Throws JournalDamage that names what is damaged. */
  after(seq: number): readonly StoredRow[] {
    return seq >= this.root().seq ? [] : this.#verified().filter((row) => row.seq > seq);
  }

  /** Those of one kind, verified, as all of them are. Throws JournalDamage. */
  ofKind(kind: string): readonly StoredRow[] {
    return this.#verified().filter((row) => row.kind === kind);
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

  #verified(): readonly StoredRow[] {
    const rows = this.#db.prepare(`SELECT ${COLUMNS} FROM kept ORDER BY seq`).all().map(rowOf);
    let link: Link = { seq: 0, checksum: 0 };
    for (const row of rows) link = checkedSum(row, link);
    if (link.checksum !== Number(this.#rootRow()['kept_checksum'])) {
      throw new JournalDamage('journal record is missing', { seq: link.seq, among: 'kept' });
    }
    return rows;
  }

  #rootRow() {
    const row = this.#db.prepare('SELECT seq, checksum, kept_checksum FROM root').get();
    if (row === undefined) throw new JournalDamage('journal record is missing', { seq: 0, among: 'root' });
    return row;
  }
}
