import { JournalError } from '../domain/errors.ts';
import { foldAll, foldJournal } from '../orders/checkpoint.ts';
import { entryOf } from '../orders/records.ts';
import type { Clock } from '../ports/clock.ts';
import type { Journal, JournalRecord } from '../ports/journal.ts';
import type { KillRecord } from '../risk/index.ts';
import { openSqliteJournal } from '../storage/sqlite-journal.ts';
import { mustExist, openForCommand } from './open-journal.ts';
import { killIn, SNAPSHOT } from './risk-desk/risk-memory.ts';

export interface JournalReport {
  readonly records: number;
  /** Up to this one records were let go of, those aside that stay for good. */
  readonly rootSeq: number;
  readonly runs: number;
  /** Orders that are not known to be over, by state. */
  readonly standing: Readonly<Record<string, number>>;
  readonly fills: number;
  /** Why the order manager has latched itself off. */
  readonly latched: string | null;
  /** The kill that the journal holds; permit and kill file may hold another. */
  readonly killed: KillRecord | null;
  /** The first record that is damaged or missing, null when all is well. */
  readonly damage: { readonly message: string; readonly seq: unknown } | null;
}

/** Reads every record and checks its sum. Throws ConfigError when there is no such journal. */
export function verifyJournal(path: string, clock: Clock): JournalReport {
  return readJournal(path, clock, (journal) => {
    const found: Found = { killed: null, damage: null };
    const state = foldAll(journal, untilDamage(journal, found));
    const standing: Record<string, number> = {};
    for (const { state: each } of state.orders.values()) {
      if (!OVER.includes(each)) standing[each] = (standing[each] ?? 0) + 1;
    }
    const { runs, latched } = state;
    const { records } = state;
    const rootSeq = journal.rootSeq();
    return { records, rootSeq, runs, standing, fills: state.fills.size, latched, ...found };
  });
}

const OVER: readonly string[] = ['closed', 'refused', 'absent'];

/** What the fold does not tell. */
type Found = { -readonly [K in 'killed' | 'damage']: JournalReport[K] };

/** The records before the first that is damaged. Notes the kill that the last of them tells of, and the damage. */
function* untilDamage(journal: Journal, found: Found): Iterable<JournalRecord> {
  try {
    for (const record of journal.read()) {
      if (record.kind === SNAPSHOT) found.killed = killIn(record);
      yield record;
    }
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    found.damage = { message: error.message, seq: error.details['seq'] ?? null };
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
  const held = openForCommand(path, clock);
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
