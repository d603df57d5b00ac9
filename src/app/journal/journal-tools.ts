import { JournalError } from '../../domain/errors.ts';
import type { InstallationId } from '../../domain/installation.ts';
import { killIn, SNAPSHOT } from '../../engine/risk-inputs/risk-memory.ts';
import { foldAll, foldJournal } from '../../orders/journal/checkpoint.ts';
import type { FoldedState } from '../../orders/journal/fold.ts';
import { entryOf } from '../../orders/journal/records.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Journal, JournalRecord } from '../../ports/journal.ts';
import type { KillRecord } from '../../risk/index.ts';
import type { ChainedJournal } from '../../storage/chained-journal.ts';
import { installationIn } from '../../storage/installation-record.ts';
import { damageByMark, type MarkReading, readMark } from '../../storage/journal-mark.ts';
import { hiddenRecord } from '../../storage/kind-index.ts';
import { openSqliteJournal, type SqliteJournalOptions } from '../../storage/sqlite-journal.ts';
import { markBeside, mustExist } from './account-files.ts';
import { openForCommand } from './open-journal.ts';

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
  /** How far the journal has reached by its mark; null when no mark tells. */
  readonly mark: { readonly seq: number; readonly at: string } | null;
  /** Why no mark tells, null when one does. */
  readonly markProblem: string | null;
  /** Records after the mark: were they lost, nothing would tell. Null without a mark. */
  readonly notCovered: number | null;
  /** The first record that is damaged or missing, null when all are whole. */
  readonly damage: Found | null;
  /** The first record that the index over kinds hides, null when it hides none. The record itself is whole. */
  readonly index: Found | null;
}

interface Found {
  readonly message: string;
  readonly seq: unknown;
}

/**
 * Reads every record, checks its sum, and compares the end with the journal's mark. Throws ConfigError when there is no such
 * journal, JournalDamage when its mark tells that there was one.
 */
export function verifyJournal(path: string, clock: Clock): JournalReport {
  mustExist(path);
  // Before the journal, which another process may be writing: the mark must not be the younger of both.
  const reading = readMark(markBeside(path));
  const found: Findings = { killed: null, installation: null, damage: null, index: null };
  const onHidden = (seq: number): void => void (found.index ??= foundIn(hiddenRecord(seq)));
  return readJournal(
    path,
    clock,
    (journal) => {
      const state = foldAll(journal, untilDamage(journal, found));
      const { runs, latched, records, fills } = state;
      found.damage ??= damageAtMark(journal, reading, found.installation);
      const { killed, damage, index } = found;
      const standing = standingIn(state);
      const facts = {
        records,
        rootSeq: journal.rootSeq(),
        runs,
        standing,
        fills: fills.size,
        latched,
        killed,
      };
      return { ...facts, ...markFacts(reading, journal.lastSeq()), damage, index };
    },
    { onHidden },
  );
}

const OVER: readonly string[] = ['closed', 'refused', 'absent'];

function standingIn({ orders }: FoldedState): Readonly<Record<string, number>> {
  const standing: Record<string, number> = {};
  for (const { state } of orders.values())
    if (!OVER.includes(state)) standing[state] = (standing[state] ?? 0) + 1;
  return standing;
}

/** What the fold does not tell. */
interface Findings {
  killed: KillRecord | null;
  installation: InstallationId | null;
  damage: Found | null;
  index: Found | null;
}

const foundIn = ({ message, details }: JournalError): Found => ({ message, seq: details['seq'] ?? null });

/** The records before the first that is damaged. Notes what they tell, and the damage. */
function* untilDamage(journal: Journal, found: Findings): Iterable<JournalRecord> {
  try {
    for (const record of journal.read()) {
      if (record.kind === SNAPSHOT) found.killed = killIn(record);
      found.installation ??= installationIn([record]);
      yield record;
    }
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    found.damage = foundIn(error);
  }
}

function damageAtMark(
  journal: ChainedJournal,
  reading: MarkReading,
  installation: InstallationId | null,
): Found | null {
  const damage = reading.kind === 'read' ? damageByMark(reading.mark, journal, installation) : null;
  return damage === null ? null : foundIn(damage);
}

function markFacts(
  reading: MarkReading,
  lastSeq: number,
): Pick<JournalReport, 'mark' | 'markProblem' | 'notCovered'> {
  if (reading.kind === 'read') {
    const { seq, atMs } = reading.mark;
    const mark = { seq, at: new Date(atMs).toISOString() };
    return { mark, markProblem: null, notCovered: Math.max(0, lastSeq - seq) };
  }
  const what = reading.kind === 'absent' ? 'there is no mark' : `the mark cannot be read (${reading.why})`;
  return { mark: null, markProblem: `${what}: nothing tells how far the journal reached`, notCovered: null };
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
 * journal: throws ConfigError where there is none, JournalError at an empty file or a damaged journal; TouchlineError `locked`
 * while a daemon holds the account.
 */
export function releaseLatch(path: string, clock: Clock, reason: string): string | null {
  mustExist(path);
  const held = openForCommand(path, clock);
  try {
    if (held.damage !== null) throw held.damage;
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
export function readJournal<T>(
  path: string,
  clock: Clock,
  work: (journal: ChainedJournal) => T,
  options: Pick<SqliteJournalOptions, 'onHidden'> = {},
): T {
  mustExist(path);
  const journal = opened(path, clock, options);
  try {
    return work(journal);
  } finally {
    journal.close();
  }
}

/** Throws JournalError that names the file and what is wrong with it. */
function opened(path: string, clock: Clock, options: SqliteJournalOptions = {}): ChainedJournal {
  try {
    return openSqliteJournal(path, clock, { ...options, readOnly: true });
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    throw new JournalError(`${path}: ${error.message}${cause}`, error.details, error);
  }
}
