import { hostname } from 'node:os';
import process from 'node:process';
import { ConfigError, JournalError, TouchlineError } from '../../domain/errors.ts';
import type { EarlierOwner, InstallationId } from '../../domain/installation.ts';
import { SNAPSHOT } from '../../engine/risk-inputs/risk-memory.ts';
import { CHECKPOINT } from '../../orders/journal/checkpoint.ts';
import type { Fact } from '../../orders/journal/records.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Journal, JournalEntry } from '../../ports/journal.ts';
import type { SmallFile } from '../../ports/small-file.ts';
import { type ChainedJournal, lostJournal } from '../../storage/chained-journal.ts';
import { type AccountLock, checkLock, type LockHolder } from '../../storage/files/lock.ts';
import { memoryFile } from '../../storage/files/memory-file.ts';
import { damageByMark, type MarkReading, readMark } from '../../storage/journal-mark.ts';
import {
  INSTALLATION,
  installationOf,
  type OnJournalFailure,
  MarkedJournal,
} from '../../storage/marked-journal.ts';
import { createMemoryJournal } from '../../storage/memory-journal.ts';
import type { EarlierBudgets } from '../../venue/index.ts';
import { bootId } from '../adapters/this-machine.ts';
import { type AccountFiles, ON_DISK } from './account-files.ts';
import { lockPath, markPath, realName } from './account-paths.ts';
import { missingFolder } from './journal-folder.ts';
import { earlierBudgets } from './limits-memory.ts';
import type { UpgradeBackup } from './upgrade.ts';

/** The memory of an account's trading, held by this process alone. */
export interface OpenJournal {
  readonly journal: Journal;
  /** The permit to trade, a file beside the journal and independent of it. */
  readonly permit: SmallFile;
  /** The process that held the journal before, by the lock. */
  readonly earlierOwner: EarlierOwner;
  /** The name of the journal, from the mark beside it; null if the mark cannot be read. */
  readonly markedInstallation: InstallationId | null;
  /** The copy of the journal as it was before this program upgraded it; null if it was of this version. */
  readonly upgrade: UpgradeBackup | null;
  /** Whether journal and permit end with this process. */
  readonly inMemory: boolean;
  /** The account's budgets as earlier runs left them, because the exchange still counts them. Empty on damage. */
  readonly earlierBudgets: EarlierBudgets;
  /**
   * Why nothing may be placed with this journal: it is missing, it ends before its mark, or its budgets cannot be read. Null if
   * it is sound. Recovery reads less and may miss the damage.
   */
  readonly damage: JournalError | null;
  /** Watches the journal's files and keeps its mark until `release`. */
  readonly watch: (clock: Clock, logger: Logger, onFailure: OnJournalFailure) => void;
  /** Closes the journal and gives up the account. */
  release(): void;
}

/**
 * Takes the account's lock and opens its journal for a daemon; an empty path keeps both in memory. Throws TouchlineError `locked`
 * that names the holder of the account, and ConfigError if the file cannot be opened.
 */
export function openJournal(path: string, clock: Clock, files: AccountFiles = ON_DISK): OpenJournal {
  return openAs('daemon', path, clock, files);
}

/** The same for a command, which holds the account briefly. */
export const openForCommand = (path: string, clock: Clock): OpenJournal =>
  openAs('command', path, clock, ON_DISK);

/** Holds the account for a command, without opening its journal. Throws TouchlineError `locked` that names the holder. */
export const holdForCommand = (path: string, clock: Clock): Pick<AccountLock, 'release'> =>
  takeLock('command', path, clock, ON_DISK);

/** Holds the account while `work` runs. Throws as `holdForCommand`. */
export function whileHeld<T>(path: string, clock: Clock, work: () => T): T {
  const lock = holdForCommand(path, clock);
  try {
    return work();
  } finally {
    lock.release();
  }
}

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

function openedInMemory(clock: Clock): OpenJournal {
  const journal = createMemoryJournal(clock);
  return {
    journal,
    permit: memoryFile(),
    inMemory: true,
    earlierBudgets: earlierBudgets(journal, clock),
    earlierOwner: 'unknown',
    markedInstallation: null,
    damage: null,
    upgrade: null,
    watch: () => undefined,
    release: () => journal.close(),
  };
}

function opened(path: string, clock: Clock, files: AccountFiles, lock: AccountLock): OpenJournal {
  const mark = readMark(files.mark(path));
  const lost = files.lost(path);
  const upgrade = lost === null ? files.backUp(path, clock) : null;
  const chained = lost === null ? files.journal(path, clock) : lostJournal(lost);
  const held = {
    upgrade,
    permit: files.permit(path),
    earlierOwner: lock.earlierOwner,
    inMemory: false,
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

/**
 * Why the journal contradicts its mark; null if it does not, or if there is no readable mark. If another process may write the
 * journal, read the mark before opening the journal.
 */
export function damageOf(journal: ChainedJournal, reading: MarkReading): JournalError | null {
  if (reading.kind !== 'read') return null;
  try {
    return damageByMark(reading.mark, journal, installationOf(journal));
  } catch (error) {
    if (error instanceof JournalError) return error;
    throw error;
  }
}

/**
 * The facts that a start must find again whatever happens to the log: a kill and its end, a latch and its end, and where reading
 * begins.
 */
const PROMPT_FACTS: readonly Fact['kind'][] = ['run_started', 'latched', 'latch_released'];
const PROMPT_KINDS = new Set([...PROMPT_FACTS, INSTALLATION, SNAPSHOT, CHECKPOINT]);

const ORDER: Fact['kind'] = 'order_intended';

/** Calls `onTrade` when the first order of this process is written to the journal. */
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
    journal: chained,
    mark: files.mark(path),
    files: files.watch(path),
    installation: nameOf(chained),
    promptKinds: PROMPT_KINDS,
    onAppended,
    wallMs: () => clock.wallMs(),
  });
  const watch: OpenJournal['watch'] = (onClock, logger, onFailure) => {
    if (wasThere && mark.kind !== 'read')
      logger.warn('the journal has no readable mark: lost records cannot be detected', {
        mark: markPath(path),
        ...mark,
      });
    journal.watch(onClock, logger, onFailure);
  };
  return { journal, watch };
}

/** Null also if the journal cannot be read: nothing is then placed, and the journal goes without a mark. */
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

/** Throws what `openJournal` would throw if it could not take the account's lock now. Takes it for an instant, and makes no file. */
export const checkAccountLock = (path: string): void =>
  tellingHolder(path, () => checkLock(lockPath(realName(path))));

function takeLock(as: LockHolder['as'], path: string, clock: Clock, files: AccountFiles): AccountLock {
  const since = new Date(clock.wallMs()).toISOString();
  const holder = { pid: process.pid, host: hostname(), since, bootId: bootId(), as };
  return tellingHolder(path, () => files.lock(path, holder));
}

function tellingHolder<T>(path: string, lock: () => T): T {
  try {
    return lock();
  } catch (error) {
    if (!(error instanceof JournalError) || error.details['pid'] === undefined)
      throw missingFolder(path) ?? asConfigError(error, path);
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

/** A journal that reports each failed write before its writer gets the error. */
export function watchedJournal(journal: Journal, onFailure: (error: unknown) => void): Journal {
  return {
    append: (entries) => {
      try {
        journal.append(entries);
      } catch (error) {
        onFailure(error);
        throw error;
      }
    },
    // Deleting old records can fail on damage, which stops nothing. Its only caller handles the difference.
    forget: (forgetting) => journal.forget(forgetting),
    read: (afterSeq) => journal.read(afterSeq),
    ofKind: (kind) => journal.ofKind(kind),
    last: (kind) => journal.last(kind),
    lastSeq: () => journal.lastSeq(),
    rootSeq: () => journal.rootSeq(),
    close: () => journal.close(),
  };
}
