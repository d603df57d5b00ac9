import { JournalError } from '../domain/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Forgetting, JournalEntry, JournalRecord, Json } from '../ports/journal.ts';
import { type ChainedJournal, checksumOf } from './chained-journal.ts';

/** The records of a journal in memory. Several journals may share one store, as processes share a file. */
export interface MemoryStore {
  /** Records above the root, ascending. */
  readonly records: JournalRecord[];
  /** Records that retention kept. */
  readonly kept: JournalRecord[];
  rootSeq: number;
  rootChecksum: number;
  /** Checksums of the chain, as far as they were needed. */
  readonly checksums: WeakMap<JournalRecord, number>;
}

export const memoryStore = (): MemoryStore => ({
  records: [],
  kept: [],
  rootSeq: 0,
  rootChecksum: 0,
  checksums: new WeakMap(),
});

export interface MemoryJournalOptions {
  readonly store?: MemoryStore;
  /** Called before each append. An error thrown here fails the write and damages nothing. */
  readonly beforeAppend?: (entries: readonly JournalEntry[]) => void;
}

/** A journal in memory, for simulation and tests: the durable journal's contract, without a disk. */
export function createMemoryJournal(clock: Clock, options: MemoryJournalOptions = {}): ChainedJournal {
  const { store = memoryStore(), beforeAppend } = options;
  const { records, kept } = store;
  const lastSeq = (): number => store.rootSeq + records.length;
  let failure: unknown = null;
  return {
    append(entries) {
      if (failure !== null) throw new JournalError('the journal failed before', {}, failure);
      try {
        beforeAppend?.(entries);
      } catch (error) {
        failure = error;
        throw new JournalError('cannot append to the journal', {}, error);
      }
      const atMs = clock.wallMs();
      for (const entry of entries)
        records.push({ ...entry, data: copyOf(entry.data), seq: lastSeq() + 1, atMs });
    },
    *read(afterSeq = 0) {
      yield* kept.filter((record) => record.seq > afterSeq);
      for (let at = Math.max(0, afterSeq - store.rootSeq); at < records.length; at++) {
        yield records[at] as JournalRecord;
      }
    },
    *ofKind(kind) {
      yield* [...kept, ...records].filter((record) => record.kind === kind);
    },
    last: (kind) =>
      records.findLast((record) => record.kind === kind) ??
      kept.findLast((record) => record.kind === kind) ??
      null,
    lastSeq,
    rootSeq: () => store.rootSeq,
    forget: (forgetting) => forget(store, forgetting),
    checksumAt: (seq) => checksumAt(store, seq),
    distrust: (error) => void (failure ??= error),
    close: () => undefined,
  };
}

/** Copies plain data. A structured clone takes many times longer. */
function copyOf(data: Json): Json {
  if (typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) return (data as readonly Json[]).map(copyOf);
  const copy: Record<string, Json> = {};
  for (const [key, member] of Object.entries(data)) copy[key] = copyOf(member as Json);
  return copy;
}

function forget(store: MemoryStore, { belowSeq, writtenBeforeMs, most, keeps }: Forgetting): number {
  const { records, kept } = store;
  const staying = records.findIndex(({ seq, atMs }) => seq >= belowSeq || atMs >= writtenBeforeMs);
  const going = records.slice(0, Math.min(most, staying < 0 ? records.length : staying));
  store.rootChecksum = checksumAt(store, store.rootSeq + going.length) ?? 0;
  kept.push(...going.filter((record) => keeps(record)));
  records.splice(0, going.length);
  store.rootSeq += going.length;
  return going.length;
}

/** Continues the chain from the last record whose checksum was asked for. */
function checksumAt({ records, rootSeq, rootChecksum, checksums }: MemoryStore, seq: number): number | null {
  if (seq < rootSeq || seq > rootSeq + records.length) return null;
  const asked = records.slice(0, seq - rootSeq);
  const known = asked.findLastIndex((record) => checksums.has(record));
  const last = asked[known];
  let checksum = last === undefined ? rootChecksum : (checksums.get(last) ?? 0);
  for (const record of asked.slice(known + 1)) {
    checksum = checksumOf({ ...record, data: JSON.stringify(record.data) }, checksum);
    checksums.set(record, checksum);
  }
  return checksum;
}
