/** A value that survives a round trip through JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** What happened, in the order manager's words (`kind` and the shape of `data` are defined in `orders/`). */
export interface JournalEntry {
  readonly kind: string;
  /** The request_uuid it is about, for look-ups; null when about none. */
  readonly uuid: string | null;
  readonly data: Json;
}

export interface JournalRecord extends JournalEntry {
  /** Ascending from 1, without gaps but for records that were let go of. */
  readonly seq: number;
  /** Wall-clock milliseconds of writing. */
  readonly atMs: number;
}

/** Which of the oldest records may go. */
export interface Forgetting {
  /** Only records before this one. */
  readonly belowSeq: number;
  /** Only records before the first that was written at this wall-clock instant or later. */
  readonly writtenBeforeMs: number;
  /** At most so many are looked at. */
  readonly most: number;
  /** Whether a record stays for good; asked once for each that would go. */
  readonly keeps: (record: JournalRecord) => boolean;
}

/**
 * The append-only memory of what we asked of the exchange and what it said. Synchronous: one commit costs a fraction of
 * a millisecond, orders are at most a few a second, and nothing can slip between the write and the send.
 */
export interface Journal {
  /**
   * Appends entries as one unit, durable on return: a crash afterwards loses none, a crash before loses all.
   * Throws JournalError when that cannot be promised; then nothing may be sent, and no later append is trusted until
   * the journal was opened anew. The entries may be found there then, or not.
   */
  append(entries: readonly JournalEntry[]): void;
  /**
   * Records with `seq` above `afterSeq`, ascending. Throws JournalError on damage, naming the record; one that cannot be found
   * by its kind is damage too.
   */
  read(afterSeq?: number): Iterable<JournalRecord>;
  /**
   * Records of one kind, ascending, without reading the others. Throws JournalError on damage among them. A damaged index may
   * hide some: `read` finds those.
   */
  ofKind(kind: string): Iterable<JournalRecord>;
  /** The last record of a kind, null when there is none. Throws JournalError when it is damaged, or hidden by damage. */
  last(kind: string): JournalRecord | null;
  /** The seq of the last durable record, 0 when empty. */
  lastSeq(): number;
  /** Records up to this seq were looked at by `forget`: only those that it kept are left. 0 before that. */
  rootSeq(): number;
  /**
   * Lets go of the oldest records, as one unit: a crash leaves all of it done or none. What stays remains readable under
   * its own seq, and damage stays detectable. Answers how many records were looked at; 0: there is nothing to do.
   * Throws JournalError at damage among them, which changes nothing, and when it cannot be written, as `append` does.
   */
  forget(forgetting: Forgetting): number;
  close(): void;
}
