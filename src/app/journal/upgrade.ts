import { existsSync, mkdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { JournalError } from '../../domain/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SmallFile } from '../../ports/small-file.ts';
import { copyJournal, earlierVersionOf } from '../../storage/connection.ts';
import { markText, readMark } from '../../storage/journal-mark.ts';
import { giveToOwner, smallFile } from '../adapters/small-file.ts';
import { backupsPath, markPath, realName } from './account-paths.ts';

/** The copy of a journal that was made before its tables were changed. */
export interface UpgradeBackup {
  readonly fromVersion: number;
  /** Full path of the copied journal. */
  readonly backup: string;
}

/**
 * Copies a journal of an earlier version and its mark into `<journal>.backups`, before a start changes its tables. Null if the
 * journal is of this version, new, or cannot be read: opening it then tells the fault. Hold the account's lock. Throws
 * JournalError if the copy cannot be made; the journal is then as it was.
 */
export function backUpBeforeUpgrade(path: string, clock: Clock): UpgradeBackup | null {
  const real = realName(path);
  const fromVersion = readableVersion(real);
  if (fromVersion === null) return null;
  const folder = join(backupsPath(path), `version-${fromVersion}-${stampOf(clock)}`);
  const backup = join(folder, basename(real));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    copyWithMark(real, backup);
  } catch (error) {
    const message = `cannot copy the journal to ${backup} before its upgrade: make room there, or start the earlier version again`;
    throw new JournalError(message, { path: real, backup }, error);
  }
  for (const made of [backupsPath(path), folder, backup]) giveToOwner(made, real);
  return { fromVersion, backup };
}

function readableVersion(path: string): number | null {
  if (!existsSync(path) || statSync(path).size === 0) return null;
  try {
    return earlierVersionOf(path);
  } catch {
    return null;
  }
}

const markBeside = (path: string): SmallFile => smallFile(markPath(path), realName(path));

/** The mark is read first, so that it is never ahead of the copy. */
function copyWithMark(from: string, to: string): void {
  const reading = readMark(markBeside(from));
  copyJournal(from, to);
  if (reading.kind === 'read') markBeside(to).write(markText(reading.mark));
}

/** Sorts by time, and has no character that a file name must not have. */
export const stampOf = (clock: Clock): string => new Date(clock.wallMs()).toISOString().replace(/[:.]/g, '-');
