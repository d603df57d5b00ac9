import type { Journal } from '../ports/journal.ts';

/** A journal whose records hang on each other by their checksums, as it lies on a disk. */
export interface ChainedJournal extends Journal {
  /**
   * The checksum of the chain up to a record: of the last that was let go of, or of one after it. Null when there is no such record.
   * Throws JournalError when it cannot be read.
   */
  checksumAt(seq: number): number | null;
  /** Takes nothing more from now on, and leaves its files as they are when it is closed. It can be read. */
  distrust(error: unknown): void;
}
