import { existsSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import process from 'node:process';
import { ConfigError, JournalDamage, JournalError, TouchlineError } from '../domain/errors.ts';
import type { EarlierOwner, InstallationId } from '../domain/installation.ts';
import { CHECKPOINT } from '../orders/checkpoint.ts';
import type { Fact } from '../orders/records.ts';
import type { Clock } from '../ports/clock.ts';
import type { Journal, JournalEntry } from '../ports/journal.ts';
import type { SmallFile } from '../ports/small-file.ts';
import type { ChainedJournal } from '../storage/chained-journal.ts';
import { watchFiles } from '../storage/file-watch.ts';
import type { FileWatch } from '../storage/file-watch.ts';
import { INSTALLATION, installationOf } from '../storage/installation-record.ts';
import { damageByMark, readMark } from '../storage/journal-mark.ts';
import type { MarkReading } from '../storage/journal-mark.ts';
import { lockAccount, lockFiles } from '../storage/lock.ts';
import type { AccountLock, LockHolder } from '../storage/lock.ts';
import { lostJournal } from '../storage/lost-journal.ts';
import { MarkedJournal } from '../storage/marked-journal.ts';
import type { JournalWatchParts } from '../storage/marked-journal.ts';
import { memoryFile } from '../storage/memory-file.ts';
import { createMemoryJournal } from '../storage/memory-journal.ts';
import { keepPrivate } from '../storage/private-file.ts';
import { openSqliteJournal } from '../storage/sqlite-journal.ts';
import type { EarlierBudgets } from '../venue/index.ts';
import { giveToOwner } from './adapters/ownership.ts';
import { smallFile } from './adapters/small-file.ts';
import { bootId, isRunning } from './adapters/this-machine.ts';
import { earlierBudgets } from './limits-memory.ts';
import { SNAPSHOT } from './risk-desk/risk-memory.ts';

/** The memory of an account's trading, held by this process alone. */
export interface OpenJournal {
  readonly journal: Journal;
  /** Leave to trade, beside the journal and independent of it. */
  readonly permit: SmallFile;
  /** What the lock tells of the process that had the journal before. */
  readonly earlierOwner: EarlierOwner;
  /** The name of the journal by the mark beside it; null when that cannot be read. */
  readonly markedInstallation: InstallationId | null;
  /** Whether both end with this process. */
  readonly inMemory: boolean;
  /** What earlier runs left of the account's budgets: the exchange still counts it. Nothing when there is damage. */
  readonly earlierBudgets: EarlierBudgets;
  /**
   * Why nothing may be placed with this journal, null when it is sound: it is not there, it ends before its mark, or the budgets
   * could not be read. Recovery reads less, and need not meet it.
   */
  readonly damage: JournalError | null;
  /** Watches the journal's files and keeps its mark, from now on until `release`. */
  watch(parts: JournalWatchParts): void;
  /** Closes the journal and lets another process have the account. */
  release(): void;
}

/** Where the memory of an account is kept: each by the path of the journal. */
export interface AccountFiles {
  /** Throws JournalError with the holder when another process has the account. */
  lock(path: string, holder: LockHolder): AccountLock;
  journal(path: string, clock: Clock): ChainedJournal;
  permit(path: string): SmallFile;
  mark(path: string): SmallFile;
  /** Why a journal that was there is not, null when it is, or never was. */
  lost(path: string): JournalError | null;
  /** Watches what is open by then; null where nothing can happen to it. */
  watch(path: string): FileWatch | null;
}

/** Links that lead in a circle lead nowhere. */
const MOST_LINKS = 40;

/** One name for each journal: a link to it means the same account, also before the journal is there. */
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

const markPath = (path: string): string => `${realName(path)}.mark`;

/** The permit of the journal at `path`, for the owner of that. It can be withdrawn without holding the journal. */
export const permitBeside = (path: string): SmallFile => smallFile(permitPath(path), realName(path));

/** The mark of the journal at `path`, likewise. */
export const markBeside = (path: string): SmallFile => smallFile(markPath(path), realName(path));

const ON_DISK: AccountFiles = {
  lock: (path, holder) => lockBeside(realName(path), holder),
  journal: openPrivately,
  permit: permitBeside,
  mark: markBeside,
  lost: lostOnDisk,
  watch: (path) => watchFiles([path, `${realName(path)}-wal`, lockPath(realName(path))]),
};

const lockPath = (path: string): string => `${path}.lock`;

/** The owner of the journal must be able to take the lock later: a command of root's may make it for a copy. */
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

/** SQLite would begin a new journal where the file is missing or empty, and delete the log beside it. */
export function lostOnDisk(path: string): JournalDamage | null {
  const real = realName(path);
  if (sizeOf(real) > 0) return null;
  const witness = [markPath(path), `${real}-wal`].find((file) => sizeOf(file) > 0);
  if (witness === undefined) return null;
  const what = existsSync(real) ? `the journal ${real} is empty` : `there is no journal at ${real}`;
  const advice = `put it back, or restore a backup; to begin anew, move away what lies there under its name`;
  return new JournalDamage(`${what}, and ${basename(witness)} beside it tells that there was one: ${advice}`, {
    path: real,
  });
}

/** 0 for what is not there, or cannot be looked at. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
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
  if (path === '') return openedInMemory(clock);
  const lock = takeLock(as, path, clock, files);
  try {
    return opened(path, clock, files, lock);
  } catch (error) {
    lock.release();
    throw asConfigError(error, path);
  }
}

/**
 * For commands that must not begin a new journal. Throws ConfigError with the full path when there is no file, JournalError when
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

function openedInMemory(clock: Clock): OpenJournal {
  const journal = createMemoryJournal(clock);
  return {
    ...{ journal, permit: memoryFile(), inMemory: true, earlierBudgets: earlierBudgets(journal, clock) },
    ...{ earlierOwner: 'unknown', markedInstallation: null, damage: null },
    ...{ watch: () => undefined, release: () => journal.close() },
  };
}

function opened(path: string, clock: Clock, files: AccountFiles, lock: AccountLock): OpenJournal {
  const mark = readMark(files.mark(path));
  const lost = files.lost(path);
  const chained = lost === null ? files.journal(path, clock) : lostJournal(lost);
  const held = {
    ...{ permit: files.permit(path), earlierOwner: lock.earlierOwner, inMemory: false },
    markedInstallation: mark.kind === 'read' ? mark.mark.installation : null,
  };
  const damage = lost ?? damageOf(chained, mark);
  if (damage === null) {
    const onAppended = noticingTrade(() => lock.trades());
    const { journal, watch } = marked(path, clock, files, { journal: chained, mark, onAppended });
    return { ...held, ...budgetsOf(journal, clock), journal, watch, release: releasing(journal, lock) };
  }
  chained.distrust(damage);
  const nothing = { earlierBudgets: {}, damage, watch: () => undefined };
  return { ...held, ...nothing, journal: chained, release: releasing(chained, lock) };
}

const releasing = (journal: Journal, lock: AccountLock) => (): void => {
  journal.close();
  lock.release();
};

/** Why the journal is not what its mark tells of, null when it is, or the mark does not say. */
function damageOf(journal: ChainedJournal, reading: MarkReading): JournalError | null {
  if (reading.kind !== 'read') return null;
  try {
    return damageByMark(reading.mark, journal, installationOf(journal));
  } catch (error) {
    if (error instanceof JournalError) return error;
    throw error;
  }
}

/** What a start must find again, whatever happens to the log: a kill and its end, a latch and its end, and where reading begins. */
const PROMPT_FACTS: readonly Fact['kind'][] = ['run_started', 'latched', 'latch_released'];
const PROMPT_KINDS = new Set([...PROMPT_FACTS, INSTALLATION, SNAPSHOT, CHECKPOINT]);

const ORDER: Fact['kind'] = 'order_intended';

/** Calls `onTrade` when the first order of this process is written down. */
function noticingTrade(onTrade: () => void): (entries: readonly JournalEntry[]) => void {
  let trades = false;
  return (entries) => {
    if (trades || !entries.some(({ kind }) => kind === ORDER)) return;
    trades = true;
    onTrade();
  };
}

interface Unmarked {
  readonly journal: ChainedJournal;
  readonly mark: MarkReading;
  readonly onAppended: (entries: readonly JournalEntry[]) => void;
}

function marked(
  path: string,
  clock: Clock,
  files: AccountFiles,
  { journal: chained, mark, onAppended }: Unmarked,
): Pick<OpenJournal, 'journal' | 'watch'> {
  const wasThere = chained.lastSeq() > 0;
  const journal = new MarkedJournal({
    ...{ journal: chained, mark: files.mark(path), files: files.watch(path) },
    ...{ installation: nameOf(chained), promptKinds: PROMPT_KINDS },
    ...{ onAppended, wallMs: () => clock.wallMs() },
  });
  const watch = (parts: JournalWatchParts): void => {
    if (wasThere && mark.kind !== 'read')
      parts.logger.warn('nothing tells how far the journal has reached', { mark: markPath(path), ...mark });
    journal.watch(parts);
  };
  return { journal, watch };
}

/** Null also where it cannot be read: then nothing is placed, and the journal goes without a mark. */
function nameOf(journal: Journal): InstallationId | null {
  try {
    return installationOf(journal);
  } catch (error) {
    if (error instanceof JournalError) return null;
    throw error;
  }
}

function budgetsOf(journal: Journal, clock: Clock): Pick<OpenJournal, 'earlierBudgets' | 'damage'> {
  try {
    return { earlierBudgets: earlierBudgets(journal, clock), damage: null };
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return { earlierBudgets: {}, damage: error };
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
