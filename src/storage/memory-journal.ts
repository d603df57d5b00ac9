import { JournalError } from '../domain/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Journal, JournalEntry, JournalRecord } from '../ports/journal.ts';

/** A journal as long-lived as its own object; several openings may share one `MemoryStore`, as processes share a file. */
export interface MemoryStore {
  readonly records: JournalRecord[];
}

export const memoryStore = (): MemoryStore => ({ records: [] });

export interface MemoryJournalOptions {
  readonly store?: MemoryStore;
  /** Asked before each append; an error thrown here is a failed write, and damages nothing. */
  readonly beforeAppend?: (entries: readonly JournalEntry[]) => void;
}

/** A journal in memory, for simulation and tests: the contract of the durable one without the disk. */
export function createMemoryJournal(clock: Clock, options: MemoryJournalOptions = {}): Journal {
  const { records } = options.store ?? memoryStore();
  let failure: unknown = null;
  const write = (entries: readonly JournalEntry[]): void => {
    options.beforeAppend?.(entries);
    const atMs = clock.wallMs();
    for (const entry of entries) records.push({ ...structuredClone(entry), seq: records.length + 1, atMs });
  };
  return {
    append(entries) {
      if (failure !== null) throw new JournalError('the journal failed before', {}, failure);
      try {
        write(entries);
      } catch (error) {
        failure = error;
        throw new JournalError('cannot append to the journal', {}, error);
      }
    },
    *read(afterSeq = 0) {
      for (let at = afterSeq; at < records.length; at++) yield records[at] as JournalRecord;
    },
    last: (kind) => records.findLast((record) => record.kind === kind) ?? null,
    lastSeq: () => records.length,
    close: () => undefined,
  };
}
