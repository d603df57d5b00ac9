import { JournalError } from '../domain/errors.ts';
import { foldAll, foldJournal } from '../orders/checkpoint.ts';
import { entryOf } from '../orders/records.ts';
import type { Clock } from '../ports/clock.ts';
import type { Journal, JournalRecord } from '../ports/journal.ts';
import { openSqliteJournal } from '../storage/sqlite-journal.ts';
import { mustExist, openJournal } from './open-journal.ts';

export interface JournalReport {
  readonly records: number;
  /** Up to this one records were let go of, those aside that stay for good. */
  readonly rootSeq: number;
  readonly runs: number;
  /** Orders that are not known to be over, by state. */
  readonly standing: Readonly<Record<string, number>>;
  readonly fills: number;
  readonly latched: string | null;
  /** The first record that is damaged or missing, null when all is well. */
  readonly damage: { readonly message: string; readonly seq: unknown } | null;
}

/** Reads every record and checks its sum. Throws ConfigError when there is no such journal. */
export function verifyJournal(path: string, clock: Clock): JournalReport {
  return readJournal(path, clock, (journal) => {
    let damage: JournalReport['damage'] = null;
    const state = foldAll(
      journal,
      untilDamage(journal, (found) => (damage = found)),
    );
    const standing: Record<string, number> = {};
    for (const { state: each } of state.orders.values()) {
      if (!OVER.includes(each)) standing[each] = (standing[each] ?? 0) + 1;
    }
    const { runs, latched } = state;
    const { records } = state;
    return { records, rootSeq: journal.rootSeq(), runs, standing, fills: state.fills.size, latched, damage };
  });
}

const OVER: readonly string[] = ['closed', 'refused', 'absent'];

type Damage = NonNullable<JournalReport['damage']>;

/** The records before the first that is damaged, which is told. */
function* untilDamage(journal: Journal, onDamage: (damage: Damage) => void): Iterable<JournalRecord> {
  try {
    yield* journal.read();
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    onDamage({ message: error.message, seq: error.details['seq'] ?? null });
  }
}

/** Each record as one line of JSON, oldest first, read as they are taken. Throws JournalError at damage. */
export function* exportJournal(path: string, clock: Clock): Iterable<string> {
  mustExist(path);
  const journal = opened(path, clock);
  try {
    for (const { seq, atMs, kind, uuid, data } of journal.read()) {
      yield JSON.stringify({ seq, at: new Date(atMs).toISOString(), kind, uuid, data });
    }
  } finally {
    journal.close();
  }
}

/**
 * Releases the latch that stopped quoting, recording why. Answers what was latched, null when nothing was. Begins no
 * journal: throws ConfigError where there is none, JournalError at an empty file; TouchlineError `locked` while a daemon
 * holds the account.
 */
export function releaseLatch(path: string, clock: Clock, reason: string): string | null {
  mustExist(path);
  const held = openJournal(path, clock);
  try {
    const { latched } = foldJournal(held.journal);
    if (latched !== null) held.journal.append([entryOf({ kind: 'latch_released', reason })]);
    return latched;
  } finally {
    held.release();
  }
}

/**
 * Reads a journal that another process may write, and changes nothing. Throws ConfigError when there is none, JournalError
 * that names the file when it cannot be read.
 */
export function readJournal<T>(path: string, clock: Clock, work: (journal: Journal) => T): T {
  mustExist(path);
  const journal = opened(path, clock);
  try {
    return work(journal);
  } finally {
    journal.close();
  }
}

/** Throws JournalError that names the file and what is wrong with it. */
function opened(path: string, clock: Clock): Journal {
  try {
    return openSqliteJournal(path, clock, { readOnly: true });
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    throw new JournalError(`${path}: ${error.message}${cause}`, error.details, error);
  }
}
