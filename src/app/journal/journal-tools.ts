import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { JournalError, TouchlineError } from '../../domain/errors.ts';
import type { InstallationId } from '../../domain/installation.ts';
import { killIn, SNAPSHOT } from '../../engine/risk-inputs/risk-memory.ts';
import { foldAll, foldJournal } from '../../orders/journal/checkpoint.ts';
import type { FoldedState } from '../../orders/journal/fold.ts';
import { entryOf } from '../../orders/journal/records.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Journal, JournalRecord } from '../../ports/journal.ts';
import type { KillRecord } from '../../risk/index.ts';
import type { ChainedJournal } from '../../storage/chained-journal.ts';
import { copyJournal } from '../../storage/connection.ts';
import { damageByMark, type MarkReading, markText, readMark } from '../../storage/journal-mark.ts';
import { hiddenRecord } from '../../storage/kind-index.ts';
import { installationIn } from '../../storage/marked-journal.ts';
import { openSqliteJournal, type SqliteJournalOptions } from '../../storage/sqlite-journal.ts';
import { markBeside, mustExist } from './account-files.ts';
import { openForCommand } from './open-journal.ts';

export interface JournalReport {
  readonly records: number;
  /** Records up to this one may have been deleted, except those that are kept for good. */
  readonly rootSeq: number;
  readonly runs: number;
  /** Orders that are not known to have ended, by state. */
  readonly standing: Readonly<Record<string, number>>;
  readonly fills: number;
  /** Why the order manager latched itself off. */
  readonly latched: string | null;
  /** The kill in the journal; permit and kill file may hold another. */
  readonly killed: KillRecord | null;
  /** How far the journal has reached according to its mark; null without a readable mark. */
  readonly mark: { readonly seq: number; readonly at: string } | null;
  /** Why there is no readable mark; null if there is one. */
  readonly markProblem: string | null;
  /** Records after the mark: their loss would go unnoticed. Null without a mark. */
  readonly notCovered: number | null;
  /** The first record that is damaged or missing; null if all are whole. */
  readonly damage: Found | null;
  /** The first record that the index over kinds hides; null if it hides none. The record itself is whole. */
  readonly index: Found | null;
}

interface Found {
  readonly message: string;
  readonly seq: unknown;
}

/**
 * Reads every record, checks its checksum, and compares the end with the journal's mark. Throws ConfigError if there is no such
 * journal, and JournalDamage if its mark shows that there was one.
 */
export function verifyJournal(path: string, clock: Clock): JournalReport {
  mustExist(path);
  // Read the mark before the journal, which another process may be writing: the mark must not be the newer of the two.
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

/** Findings that the fold does not give. */
interface Findings {
  killed: KillRecord | null;
  installation: InstallationId | null;
  damage: Found | null;
  index: Found | null;
}

const foundIn = ({ message, details }: JournalError): Found => ({ message, seq: details['seq'] ?? null });

/** The records before the first damaged one. Collects their findings and the damage. */
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

/** Each record as one line of JSON, oldest first, read on demand. Throws JournalError at damage. */
export function* exportJournal(path: string, clock: Clock): Iterable<string> {
  const journal = opened(path, clock);
  try {
    for (const record of journal.read()) yield exportedLine(record);
  } finally {
    journal.close();
  }
}

/** A record as one line of JSON, with its time in ISO 8601. */
export const exportedLine = ({ seq, atMs, kind, uuid, data }: JournalRecord): string =>
  JSON.stringify({ seq, at: new Date(atMs).toISOString(), kind, uuid, data });

/**
 * Releases the latch that stopped quoting, and records why. Returns the latch's reason; null if there was none. Never begins a
 * journal: throws ConfigError if there is none, JournalError if it is empty or damaged, and TouchlineError `locked` while a
 * daemon holds the account.
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
 * Reads a journal that another process may write, and changes nothing. Throws ConfigError if there is none, and JournalError that
 * names the file if it cannot be read.
 */
export function readJournal<T>(
  path: string,
  clock: Clock,
  work: (journal: ChainedJournal) => T,
  options: Pick<SqliteJournalOptions, 'onHidden'> = {},
): T {
  const journal = opened(path, clock, options);
  try {
    return work(journal);
  } finally {
    journal.close();
  }
}

/** Opens a journal to read it beside a process that writes. Throws ConfigError if there is none, JournalError that names the file. */
export function opened(path: string, clock: Clock, options: SqliteJournalOptions = {}): ChainedJournal {
  mustExist(path);
  try {
    return openSqliteJournal(path, clock, { ...options, readOnly: true });
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    throw new JournalError(`${path}: ${error.message}${cause}`, error.details, error);
  }
}

export interface BackupReport extends JournalReport {
  /** Full path of the copy. */
  readonly backup: string;
}

/** The files that may lie beside a journal under its name. None of them may exist where the copy is made. */
const BESIDE = ['', '-wal', '-shm', '-journal', '.mark', '.permit', '.lock', '.lock.holder'];

/**
 * Copies a journal and its mark into a folder, under the same name, and verifies the copy. A daemon may be writing the journal.
 * The mark is read first, so that the copy's mark is never ahead of it. The permit is not copied: a start with the copy is killed
 * until a person resumes.
 *
 * Throws ConfigError if there is no such journal, and TouchlineError `usage` if a file is in the way of the copy. Throws
 * JournalError if the copy cannot be made.
 */
export function backUpJournal(path: string, folder: string, clock: Clock): BackupReport {
  mustExist(path);
  const backup = join(resolve(folder), basename(path));
  mustBeFree(backup);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const reading = readMark(markBeside(path));
  copyWhole(resolve(path), backup);
  if (reading.kind === 'read') markBeside(backup).write(markText(reading.mark));
  return { backup, ...verifyJournal(backup, clock) };
}

function mustBeFree(backup: string): void {
  const found = BESIDE.map((suffix) => `${backup}${suffix}`).find((file) => existsSync(file));
  if (found === undefined) return;
  throw new TouchlineError('usage', `there is something at ${found}: name another folder`);
}

/** Copies under another name first: an interrupted copy must not pass for a whole one. */
function copyWhole(path: string, backup: string): void {
  const partial = `${backup}.partial`;
  rmSync(partial, { force: true });
  try {
    copyJournal(path, partial);
    renameSync(partial, backup);
  } catch (error) {
    rmSync(partial, { force: true });
    if (!(error instanceof JournalError)) throw error;
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    throw new JournalError(`${path}: ${error.message}${cause}`, error.details, error);
  }
}
