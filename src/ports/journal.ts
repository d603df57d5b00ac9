/** A value that survives a round trip through JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Something that happened. `orders/` defines the kinds and the shape of `data` for each. */
export interface JournalEntry {
  readonly kind: string;
  /** The `request_uuid` that the entry is about, for look-ups; null when it is about none. */
  readonly uuid: string | null;
  readonly data: Json;
}

export interface JournalRecord extends JournalEntry {
  /** Ascending from 1. Gaps are only where `forget` removed records. */
  readonly seq: number;
  /** Wall-clock milliseconds of writing. */
  readonly atMs: number;
}

/** Which of the oldest records may be removed. */
export interface Forgetting {
  /** Only records before this `seq`. */
  readonly belowSeq: number;
  /** Only records before the first that was written at this wall-clock instant or later. */
  readonly writtenBeforeMs: number;
  /** The number of records to examine at most. */
  readonly most: number;
  /** Whether a record stays for good. Called once for each record that would be removed. */
  readonly keeps: (record: JournalRecord) => boolean;
}

/**
 * The append-only record of what we requested from the exchange and what it answered. Synchronous: one commit costs a
 * fraction of a millisecond, orders are at most a few a second, and nothing can run between the write and the send.
 */
export interface Journal {
  /**
   * Appends entries as one unit, durable on return: a crash afterwards loses none, a crash before loses all.
   * Throws JournalError when durability cannot be promised. Nothing may be sent then, and no later append is trusted
   * until the journal is opened again. The entries may be found there then, or not.
   */
  append(entries: readonly JournalEntry[]): void;
  /**
   * Records with `seq` above `afterSeq`, ascending. Throws JournalError on damage and names the record. A record that
   * cannot be found by its kind is damage, too.
   */
  read(afterSeq?: number): Iterable<JournalRecord>;
  /**
   * Records of one kind, ascending, without reading the others. Throws JournalError on damage among them. A damaged
   * index may hide some records here; `read` finds that damage.
   */
  ofKind(kind: string): Iterable<JournalRecord>;
  /** The last record of a kind; null when there is none. Throws JournalError when it is damaged, or hidden by damage. */
  last(kind: string): JournalRecord | null;
  /** The seq of the last durable record, 0 when empty. */
  lastSeq(): number;
  /** `forget` has examined the records up to this seq, and only those that it kept are left. 0 before that. */
  rootSeq(): number;
  /**
   * Removes the oldest records as one unit: after a crash, all of it is done or none. The other records keep their seq
   * and stay readable, and damage stays detectable. Returns the number of examined records; 0 means nothing to do.
   * Throws JournalError on damage among them, which changes nothing, and when the write fails, as `append` does.
   */
  forget(forgetting: Forgetting): number;
  close(): void;
}
