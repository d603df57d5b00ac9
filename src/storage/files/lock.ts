import { closeSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { JournalError } from '../../domain/errors.ts';
import type { EarlierOwner } from '../../domain/installation.ts';
import { keepPrivate, makePrivate } from './private-file.ts';

/** Who holds an account: shown to a process that is refused, and read by the next holder. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601. */
  readonly since: string;
  /** The kernel's random name for this boot of the machine; null where the system has none. */
  readonly bootId: string | null;
  /** A command has the account for a moment, and says nothing of the daemon before it. */
  readonly as: 'daemon' | 'command';
}

/** Tells a lock file from its copies. */
interface FileIdentity {
  readonly device: string;
  readonly inode: string;
}

/** The text beside the lock. */
interface HolderText extends LockHolder, FileIdentity {
  /** What this holder was told of the one before it. */
  readonly earlierOwner: EarlierOwner;
  /** This holder has placed an order: what was before it matters no more. */
  readonly trades: boolean;
}

export interface AccountLock {
  /** What is known of the daemon that traded the account before. */
  readonly earlierOwner: EarlierOwner;
  /** This process places orders from now on: the next holder asks what became of this one. */
  trades(): void;
  release(): void;
}

/** A database that nothing refers to is collected, and its lock ends. */
const held = new Set<DatabaseSync>();

/**
 * One trading process per account. The lock is the operating system's own on an SQLite file, so it ends with the process
 * however that ends; the text file beside it says who holds it. Both are for their owner alone. `isRunning` answers whether a
 * process of this machine is there. Throws JournalError with the holder when the lock is taken, with null for its `pid` when the text
 * does not say.
 */
export function lockAccount(
  path: string,
  holder: LockHolder,
  isRunning: (pid: number) => boolean,
): AccountLock {
  const db = open(path);
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    const before = readText(path);
    const identified = { ...holder, ...identityOf(path) };
    const earlierOwner = ownerBy(before === null ? null : parsed(before), identified, isRunning);
    const tell = (trades: boolean): void => writeText(path, textOf({ ...identified, earlierOwner, trades }));
    tell(false);
    held.add(db);
    const release = (): void => {
      if (!held.delete(db)) return;
      if (holder.as === 'command') quietly(() => writeText(path, before ?? ''));
      db.close();
    };
    return { earlierOwner, trades: () => quietly(() => tell(true)), release };
  } catch (error) {
    db.close();
    throw isBusy(error) ? taken(path, error) : new JournalError('cannot take the lock', { path }, error);
  }
}

function open(path: string): DatabaseSync {
  try {
    makePrivate(path);
    keepPrivate(path);
    return new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    throw new JournalError('cannot open the lock', { path }, error);
  }
}

/** SQLite's code for a file that another process has locked. */
const SQLITE_BUSY = 5;

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;

const holderPath = (path: string): string => `${path}.holder`;

/** The lock itself, and the text that says who holds it. */
export const lockFiles = (path: string): readonly string[] => [path, holderPath(path)];

/** By the path: to open and close the lock's file here would let go of the lock. */
function identityOf(path: string): FileIdentity {
  const { dev, ino } = statSync(path, { bigint: true });
  return { device: `${dev}`, inode: `${ino}` };
}

/**
 * State of the earlier daemon, from the last holder's text; only the present lock holder reads it. A daemon that placed no order
 * passes on its own reading, since it may have waited for another installation. A dead command leaves `unknown`, since its
 * text replaced that of the daemon before it.
 */
function ownerBy(
  text: HolderText | null,
  mine: LockHolder & FileIdentity,
  isRunning: (pid: number) => boolean,
): EarlierOwner {
  const isOfThisBoot = text?.bootId === mine.bootId && text.host === mine.host && mine.bootId !== null;
  if (!isOfThisBoot) return 'unknown';
  const isOfThisFile = text.device === mine.device && text.inode === mine.inode;
  if (isOfThisFile && text.as === 'command') return 'unknown';
  if (isOfThisFile) return text.trades ? 'dead' : text.earlierOwner;
  return isRunning(text.pid) ? 'alive' : 'unknown';
}

/** Ignores errors: without the text, the next holder only finds the earlier owner `unknown`. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // As above.
  }
}

const textOf = (text: HolderText): string => JSON.stringify(text);

function writeText(path: string, text: string): void {
  makePrivate(holderPath(path));
  keepPrivate(holderPath(path));
  writeFileSync(holderPath(path), `${text.trim()}\n`);
}

function taken(path: string, cause: unknown): JournalError {
  const text = readText(path);
  const holder = text === null ? null : parsed(text);
  const who =
    holder === null ? 'another process' : `process ${holder.pid} on ${holder.host} since ${holder.since}`;
  return new JournalError(`the account is in use by ${who}`, { path, pid: null, ...holder }, cause);
}

/** Longer than any text of ours: something else may lie there, such as a device without an end. */
const LONGEST_TEXT = 4096;

function readText(path: string): string | null {
  try {
    const file = openSync(holderPath(path), 'r');
    try {
      const text = Buffer.alloc(LONGEST_TEXT);
      return text.toString('utf8', 0, readSync(file, text));
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

/** Null for a text that does not name the holder. */
function parsed(text: string): HolderText | null {
  try {
    const holder = JSON.parse(text) as Partial<HolderText> | null;
    return typeof holder?.pid === 'number' ? (holder as HolderText) : null;
  } catch {
    return null;
  }
}
