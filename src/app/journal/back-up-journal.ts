import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { JournalError, TouchlineError } from '../../domain/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import { copyJournal } from '../../storage/connection.ts';
import { markText, readMark } from '../../storage/journal-mark.ts';
import { markBeside, mustExist } from './account-files.ts';
import { type JournalReport, verifyJournal } from './journal-tools.ts';

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
