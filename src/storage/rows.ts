import type { SQLOutputValue } from 'node:sqlite';
import { JournalDamage } from '../domain/errors.ts';
import { BoundPassed, foreignJson } from '../lib/foreign-text.ts';
import type { JournalRecord, Json } from '../ports/journal.ts';
import { checksumOf } from './chained-journal.ts';

/** A record as stored in a table. */
export interface StoredRow {
  readonly seq: number;
  readonly at_ms: number;
  readonly kind: string;
  readonly uuid: string | null;
  readonly data: string;
  readonly checksum: number;
}

/** The last record of a chain, and the sum up to it. */
export interface Link {
  readonly seq: number;
  readonly checksum: number;
}

export const COLUMNS = 'seq, at_ms, kind, uuid, data, checksum';

export function rowOf(columns: Record<string, SQLOutputValue>): StoredRow {
  return {
    seq: Number(columns['seq']),
    at_ms: Number(columns['at_ms']),
    kind: String(columns['kind']),
    uuid: columns['uuid'] === null ? null : String(columns['uuid']),
    data: String(columns['data']),
    checksum: Number(columns['checksum']),
  };
}

/** The sum that a row must have as the next of a chain. */
export function sumOf(row: StoredRow, before: Link): number {
  const fields = { seq: row.seq, atMs: row.at_ms, kind: row.kind, uuid: row.uuid, data: row.data };
  return checksumOf(fields, before.checksum);
}

/** Verifies a row as the successor of another. Throws JournalDamage that names it. */
export function checkedNext(row: StoredRow, before: Link): Link {
  if (row.seq !== before.seq + 1)
    throw new JournalDamage('journal record is missing', { seq: before.seq + 1 });
  return checkedSum(row, before);
}

/** Verifies a row of a chain whose seqs have gaps. Throws JournalDamage that names it. */
export function checkedSum(row: StoredRow, before: Link): Link {
  if (sumOf(row, before) !== row.checksum) {
    throw new JournalDamage('journal record is damaged', { seq: row.seq });
  }
  return { seq: row.seq, checksum: row.checksum };
}

export function toRecord(row: StoredRow): JournalRecord {
  const data = dataOf(row);
  return { seq: row.seq, atMs: row.at_ms, kind: row.kind, uuid: row.uuid, data };
}

function dataOf({ seq, data }: StoredRow): Json {
  try {
    return foreignJson(data) as Json;
  } catch (error) {
    if (!(error instanceof BoundPassed)) throw error;
    throw new JournalDamage(`journal record cannot be read: ${error.message}`, { seq });
  }
}
