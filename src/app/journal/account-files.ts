import { existsSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { ConfigError, JournalDamage, JournalError } from '../../domain/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SmallFile } from '../../ports/small-file.ts';
import type { ChainedJournal } from '../../storage/chained-journal.ts';
import { type FileWatch, watchFiles } from '../../storage/files/file-watch.ts';
import { type AccountLock, lockAccount, lockFiles, type LockHolder } from '../../storage/files/lock.ts';
import { keepPrivate } from '../../storage/files/private-file.ts';
import { openSqliteJournal } from '../../storage/sqlite-journal.ts';
import { giveToOwner, smallFile } from '../adapters/small-file.ts';
import { isRunning } from '../adapters/this-machine.ts';
import { hangPath, lockPath, markPath, permitPath, realName } from './account-paths.ts';
import { backUpBeforeUpgrade, type UpgradeBackup } from './upgrade.ts';

/** The files that hold an account's memory, each found by the path of the journal. */
export interface AccountFiles {
  /** Throws JournalError that names the holder if another process has the account. */
  lock(path: string, holder: LockHolder): AccountLock;
  /** Copies a journal of an earlier version before `journal` upgrades it; null if it is of this version. Throws JournalError. */
  backUp(path: string, clock: Clock): UpgradeBackup | null;
  journal(path: string, clock: Clock): ChainedJournal;
  permit(path: string): SmallFile;
  mark(path: string): SmallFile;
  /** Why a journal that once existed is missing; null if it exists or never did. */
  lost(path: string): JournalError | null;
  /** Watches the files that are open now; null if nothing can happen to them. */
  watch(path: string): FileWatch | null;
}

/** The permit of the journal at `path`, owned by the journal's owner. It can be withdrawn without holding the journal. */
export const permitBeside = (path: string): SmallFile => smallFile(permitPath(path), realName(path));

/** The mark of the journal at `path`, owned by the journal's owner. */
export const markBeside = (path: string): SmallFile => smallFile(markPath(path), realName(path));

export const hangBeside = (path: string): SmallFile => smallFile(hangPath(path), realName(path));

export const ON_DISK: AccountFiles = {
  lock: (path, holder) => lockBeside(realName(path), holder),
  backUp: backUpBeforeUpgrade,
  journal: openPrivately,
  permit: permitBeside,
  mark: markBeside,
  lost: lostOnDisk,
  watch: (path) => watchFiles([path, `${realName(path)}-wal`, lockPath(realName(path))]),
};

/** The journal's owner must be able to take the lock later, even if a command of root's creates it for a copy. */
function lockBeside(path: string, holder: LockHolder): AccountLock {
  const lock = lockAccount(lockPath(path), holder, isRunning);
  for (const file of lockFiles(lockPath(path))) giveToOwner(file, path);
  return lock;
}

/** Other users must not even read the journal: a lock on one of its files would stop trading. */
function openPrivately(path: string, clock: Clock): ChainedJournal {
  const real = realName(path);
  const files = [real, `${real}-wal`, `${real}-shm`, permitPath(path), markPath(path)];
  files.forEach(keepPrivate);
  return openSqliteJournal(real, clock);
}

/** Detects a missing or empty journal. SQLite would begin a new one in its place and delete the log beside it. */
export function lostOnDisk(path: string): JournalDamage | null {
  const real = realName(path);
  if (sizeOf(real) > 0) return null;
  const witness = [markPath(path), `${real}-wal`].find((file) => sizeOf(file) > 0);
  if (witness === undefined) return null;
  const what = existsSync(real) ? `the journal ${real} is empty` : `there is no journal at ${real}`;
  const advice = `put it back, or restore a backup; to begin anew, move away what lies there under its name`;
  return new JournalDamage(
    `${what}, and ${basename(witness)} beside it tells that there was one: ${advice}`,
    {
      path: real,
    },
  );
}

/** 0 for a file that does not exist or cannot be examined. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

/**
 * For commands that must not begin a new journal. Throws ConfigError with the full path if there is no file, and JournalError if
 * it is empty.
 */
export function mustExist(path: string): void {
  const full = resolve(path);
  const lost = lostOnDisk(full);
  if (lost !== null) throw lost;
  if (!existsSync(full)) throw new ConfigError(`there is no journal at ${full}`, { path: full });
  const file = statSync(full);
  if (file.isFile() && file.size === 0) throw new JournalError(`${full}: the file holds no journal`);
}

/** The operator's kill file; null when none is configured. */
export const killFileOf = ({ ops }: { readonly ops: { readonly killFile: string } }): SmallFile | null =>
  ops.killFile === '' ? null : smallFile(ops.killFile);
