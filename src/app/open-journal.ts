import { existsSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { ConfigError, JournalError, TouchlineError } from '../domain/errors.ts';
import type { EarlierOwner } from '../domain/installation.ts';
import type { Clock } from '../ports/clock.ts';
import type { Journal } from '../ports/journal.ts';
import type { SmallFile } from '../ports/small-file.ts';
import { lockAccount, lockFiles } from '../storage/lock.ts';
import type { AccountLock, LockHolder } from '../storage/lock.ts';
import { memoryFile } from '../storage/memory-file.ts';
import { createMemoryJournal } from '../storage/memory-journal.ts';
import { openSqliteJournal } from '../storage/sqlite-journal.ts';
import type { EarlierBudgets } from '../venue/index.ts';
import { giveToOwner } from './adapters/ownership.ts';
import { smallFile } from './adapters/small-file.ts';
import { bootId, isRunning } from './adapters/this-machine.ts';
import { earlierBudgets } from './limits-memory.ts';

/** The memory of an account's trading, held by this process alone. */
export interface OpenJournal {
  readonly journal: Journal;
  /** Leave to trade, beside the journal and independent of it. */
  readonly permit: SmallFile;
  /** What the lock tells of the process that had the journal before. */
  readonly earlierOwner: EarlierOwner;
  /** Whether both end with this process. */
  readonly inMemory: boolean;
  /** What earlier runs left of the account's budgets: the exchange still counts it. Nothing when there is damage. */
  readonly earlierBudgets: EarlierBudgets;
  /** Why the budgets could not be read, null when they could. Recovery reads less, and need not meet it. */
  readonly damage: JournalError | null;
  /** Closes the journal and lets another process have the account. */
  release(): void;
}

/** Where the memory of an account is kept: each by the path of the journal. */
export interface AccountFiles {
  /** Throws JournalError with the holder when another process has the account. */
  lock(path: string, holder: LockHolder): AccountLock;
  journal(path: string, clock: Clock): Journal;
  permit(path: string): SmallFile;
}

/** Links that lead in a circle lead nowhere. */
const MOST_LINKS = 40;

/** One name for each journal: whoever comes by a link means the same account, also before it is there. */
function realName(path: string, links = MOST_LINKS): string {
  if (existsSync(path)) return realpathSync(path);
  const target = links === 0 ? null : targetOf(path);
  return target === null ? path : realName(target, links - 1);
}

/** Where a link leads; null for what is none. */
function targetOf(path: string): string | null {
  try {
    return resolve(realpathSync(dirname(path)), readlinkSync(path));
  } catch {
    return null;
  }
}

export const permitPath = (path: string): string => `${realName(path)}.permit`;

/** The permit of the journal at `path`, for whoever owns that. Whoever withdraws it need not hold the journal. */
export const permitBeside = (path: string): SmallFile => smallFile(permitPath(path), realName(path));

const ON_DISK: AccountFiles = {
  lock: (path, holder) => lockBeside(realName(path), holder),
  journal: openSqliteJournal,
  permit: permitBeside,
};

/** Whoever owns the journal must be able to take the lock later: a command of root's may make it for a copy. */
function lockBeside(path: string, holder: LockHolder): AccountLock {
  const lock = lockAccount(`${path}.lock`, holder, isRunning);
  for (const file of lockFiles(`${path}.lock`)) giveToOwner(file, path);
  return lock;
}

/**
 * Takes the account's lock and opens its journal for a daemon; an empty path keeps both in memory. Throws TouchlineError
 * `locked` saying who holds the account, and ConfigError when the file cannot be opened.
 */
export function openJournal(path: string, clock: Clock, files: AccountFiles = ON_DISK): OpenJournal {
  return openAs('daemon', path, clock, files);
}

/** The same for a command that has the account for a moment. */
export const openForCommand = (path: string, clock: Clock): OpenJournal =>
  openAs('command', path, clock, ON_DISK);

function openAs(as: LockHolder['as'], path: string, clock: Clock, files: AccountFiles): OpenJournal {
  if (path === '') return opened(createMemoryJournal(clock), memoryFile(), null, clock);
  const lock = takeLock(as, path, clock, files);
  try {
    return opened(files.journal(path, clock), files.permit(path), lock, clock);
  } catch (error) {
    lock.release();
    throw asConfigError(error, path);
  }
}

/**
 * For those who must not begin a new journal. Throws ConfigError with the full path when there is no file, JournalError when
 * it is empty.
 */
export function mustExist(path: string): void {
  const full = resolve(path);
  if (!existsSync(full)) throw new ConfigError(`there is no journal at ${full}`, { path: full });
  const file = statSync(full);
  if (file.isFile() && file.size === 0) throw new JournalError(`${full}: the file holds no journal`);
}

/** The operator's kill file; null when none is configured. */
export const killFileOf = ({ ops }: { readonly ops: { readonly killFile: string } }): SmallFile | null =>
  ops.killFile === '' ? null : smallFile(ops.killFile);

function opened(journal: Journal, permit: SmallFile, lock: AccountLock | null, clock: Clock): OpenJournal {
  const release = (): void => {
    journal.close();
    lock?.release();
  };
  const { earlierOwner = 'unknown' } = lock ?? {};
  const held = { journal, permit, inMemory: lock === null, release, earlierOwner };
  try {
    return { ...held, earlierBudgets: earlierBudgets(journal, clock), damage: null };
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return { ...held, earlierBudgets: {}, damage: error };
  }
}

function takeLock(as: LockHolder['as'], path: string, clock: Clock, files: AccountFiles): AccountLock {
  const since = new Date(clock.wallMs()).toISOString();
  try {
    return files.lock(path, { pid: process.pid, host: hostname(), since, bootId: bootId(), as });
  } catch (error) {
    if (!(error instanceof JournalError) || error.details['pid'] === undefined)
      throw asConfigError(error, path);
    throw new TouchlineError(
      'locked',
      `${error.message}: stop that one first (journal ${path})`,
      error.details,
      error,
    );
  }
}

function asConfigError(error: unknown, path: string): unknown {
  if (!(error instanceof JournalError)) return error;
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return new ConfigError(`journal.path = "${path}": ${error.message}${cause}`, { path });
}
