import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { JournalError, TouchlineError } from '../../domain/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import { copyJournal } from '../../storage/connection.ts';
import { markText, readMark } from '../../storage/journal-mark.ts';
import { giveToOwner } from '../adapters/small-file.ts';
import { markBeside } from './account-files.ts';
import { permitPath, realName } from './account-paths.ts';
import { whileHeld } from './open-journal.ts';
import { stampOf } from './upgrade.ts';

export interface RestoreReport {
  /** Full path of the journal that a start will read now. */
  readonly restored: string;
  /** The folder with the files that were in its place; null if there were none. */
  readonly replaced: string | null;
}

/**
 * Puts a backup in a journal's place, and moves the files there into a folder beside it. The permit goes with them, so a start
 * is killed until a person resumes. Throws TouchlineError `usage` if there is no backup, `locked` while another process has the
 * account, and JournalError if the backup is of a newer version or cannot be copied; then nothing has changed.
 *
 * A death between two steps loses nothing: until the last one, the old mark contradicts what lies at the path, and a start
 * only closes orders.
 */
export function restoreJournal(backup: string, path: string, clock: Clock): RestoreReport {
  const target = realName(resolve(path));
  const source = fileOf(backup, target);
  return whileHeld(target, clock, () => putInPlace(source, target, clock));
}

function putInPlace(source: string, target: string, clock: Clock): RestoreReport {
  const copied = `${target}.restoring`;
  const mark = readMark(markBeside(source));
  copyAs(source, copied, target);
  const replaced = `${target}.replaced-${stampOf(clock)}`;
  const before = [`${target}-wal`, `${target}-shm`, `${target}-journal`, target, permitPath(target)];
  const moved = before.map((file) => moveInto(replaced, file));
  renameSync(copied, target);
  const oldMark = markBeside(target).read();
  if (oldMark !== null) markBeside(join(ensured(replaced), basename(target))).write(oldMark);
  if (mark.kind === 'read') markBeside(target).write(markText(mark.mark));
  else markBeside(target).remove();
  return { restored: target, replaced: moved.includes(true) || oldMark !== null ? replaced : null };
}

/** A backup is named by its folder or by its file. */
function fileOf(backup: string, target: string): string {
  const named = resolve(backup);
  const isFolder = existsSync(named) && statSync(named).isDirectory();
  const file = isFolder ? join(named, basename(target)) : named;
  if (!existsSync(file)) throw new TouchlineError('usage', `there is no backup at ${file}`);
  if (file === target) throw new TouchlineError('usage', `${file} is the journal itself: name its backup`);
  return file;
}

function copyAs(source: string, copied: string, target: string): void {
  rmSync(copied, { force: true });
  try {
    copyJournal(source, copied);
  } catch (error) {
    rmSync(copied, { force: true });
    if (!(error instanceof JournalError)) throw error;
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    throw new JournalError(`${source}: ${error.message}${cause}`, error.details, error);
  }
  if (existsSync(target)) giveToOwner(copied, target);
}

/** Returns whether there was such a file. */
function moveInto(folder: string, file: string): boolean {
  if (!existsSync(file)) return false;
  renameSync(file, join(ensured(folder), basename(file)));
  return true;
}

function ensured(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
