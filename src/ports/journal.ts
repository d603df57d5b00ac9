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
  /** Ascending without gaps from 1. */
  readonly seq: number;
  /** Wall-clock milliseconds of writing. */
  readonly atMs: number;
}

/**
 * The append-only memory of what we asked of the exchange and what it said. Synchronous: one commit costs a fraction of
 * a millisecond, orders are at most a few a second, and nothing can slip between the write and the send.
 */
export interface Journal {
  /**
   * Appends entries as one unit, durable on return: a crash afterwards loses none, a crash before loses all.
   * Throws JournalError when that cannot be promised; then nothing may be sent, and no later append is trusted until
   * the journal was opened anew.
   */
  append(entries: readonly JournalEntry[]): void;
  /** Records with `seq` above `afterSeq`, ascending. Throws JournalError on damage, naming the record. */
  read(afterSeq?: number): Iterable<JournalRecord>;
  /** The last record of a kind, null when there is none. Throws JournalError when it is damaged. */
  last(kind: string): JournalRecord | null;
  /** The seq of the last durable record, 0 when empty. */
  lastSeq(): number;
  close(): void;
}
