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
