import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { JournalDamage } from '../domain/errors.ts';
import { COLUMNS, rowOf, type StoredRow } from './rows.ts';

const BY_KIND = `SELECT ${COLUMNS} FROM journal INDEXED BY journal_by_kind WHERE kind = ?`;

/**
 * Finds records by their kind, through an index. The chain of sums covers the records but not the index. A flipped bit in
 * the index may hide a record, so `last` also searches without it.
 */
export class KindIndex {
  readonly #ofKind: StatementSync;
  readonly #last: StatementSync;
  readonly #above: StatementSync;
  readonly #seqs: StatementSync;

  constructor(db: DatabaseSync) {
    this.#ofKind = db.prepare(`${BY_KIND} ORDER BY seq`);
    this.#last = db.prepare(`${BY_KIND} ORDER BY seq DESC LIMIT 1`);
    this.#above = db.prepare('SELECT seq FROM journal NOT INDEXED WHERE seq > ? AND kind = ? LIMIT 1');
    this.#seqs = db.prepare(
      'SELECT seq FROM journal INDEXED BY journal_by_kind WHERE kind = ? AND seq BETWEEN ? AND ?',
    );
  }

  /** The records that the index shows, ascending. Only a read of the whole journal finds hidden ones. */
  ofKind(kind: string): readonly StoredRow[] {
    return this.#ofKind.all(kind).map((columns) => ofThisKind(rowOf(columns), kind));
  }

  /**
   * The last record of a kind; null when there is none. Reads all records above it, or the whole table when there is none:
   * a tenth of a second for a million. Throws JournalDamage when the index hides a record.
   */
  last(kind: string): StoredRow | null {
    const columns = this.#last.get(kind);
    const row = columns === undefined ? null : ofThisKind(rowOf(columns), kind);
    const hidden = this.#above.get(row?.seq ?? 0, kind);
    if (hidden !== undefined) throw hiddenRecord(Number(hidden['seq']));
    return row;
  }

  /** The first of some consecutive rows that the index hides, null when it shows them all. */
  hiddenAmong(rows: readonly StoredRow[]): number | null {
    const from = rows[0]?.seq ?? 0;
    const to = rows.at(-1)?.seq ?? 0;
    const kinds = new Set(rows.map((row) => row.kind));
    const shown = new Map(Array.from(kinds, (kind) => [kind, this.#seqsOf(kind, from, to)]));
    return rows.find(({ kind, seq }) => shown.get(kind)?.has(seq) !== true)?.seq ?? null;
  }

  #seqsOf(kind: string, from: number, to: number): ReadonlySet<unknown> {
    return new Set(Array.from(this.#seqs.iterate(kind, from, to), ({ seq }) => seq));
  }
}

export const hiddenRecord = (seq: number): JournalDamage =>
  new JournalDamage('journal record is missing in the index over kinds', { seq });

/** A damaged index may lead to a record of another kind. */
function ofThisKind(row: StoredRow, kind: string): StoredRow {
  if (row.kind !== kind) throw hiddenRecord(row.seq);
  return row;
}
