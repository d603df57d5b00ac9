import { crc32 } from 'node:zlib';
import type { JournalError } from '../domain/errors.ts';
import type { Journal } from '../ports/journal.ts';

/** A journal whose records are chained by their checksums. */
export interface ChainedJournal extends Journal {
  /**
   * The checksum of the chain up to a record: the last record that retention removed, or a later one. Null when there is no
   * such record. Throws JournalError when it cannot be read.
   */
  checksumAt(seq: number): number | null;
  /** Accepts no more records, and leaves its files as they are when it is closed. Reading still works. */
  distrust(error: unknown): void;
}

/** A record as stored; `data` is its JSON text. */
export interface StoredFields {
  readonly seq: number;
  readonly atMs: number;
  readonly kind: string;
  readonly uuid: string | null;
  readonly data: string;
}

/** CRC-32 of a record, chained to its predecessor's, so that order and completeness are covered too. */
export function checksumOf(fields: StoredFields, previous: number): number {
  return crc32(
    `${fields.seq}\n${fields.atMs}\n${fields.kind}\n${fields.uuid ?? ''}\n${fields.data}`,
    previous,
  );
}

/** Replaces a journal that cannot be opened: every read and write throws the error. */
export function lostJournal(error: JournalError): ChainedJournal {
  const fail = (): never => {
    throw error;
  };
  return {
    append: fail,
    read: fail,
    ofKind: fail,
    last: fail,
    forget: fail,
    checksumAt: fail,
    lastSeq: () => 0,
    rootSeq: () => 0,
    distrust: () => undefined,
    close: () => undefined,
  };
}
