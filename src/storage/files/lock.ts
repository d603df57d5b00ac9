import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { JournalError } from '../../domain/errors.ts';
import type { EarlierOwner } from '../../domain/installation.ts';
import { keepPrivate, makePrivate } from './private-file.ts';

/** The holder of an account: shown to a process that is refused, and read by the next holder. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601. */
  readonly since: string;
  /** The kernel's random name for this boot of the machine; null where the system has none. */
  readonly bootId: string | null;
  /** A command holds the account for a moment, and says nothing of the daemon before it. */
  readonly as: 'daemon' | 'command';
}

/** Distinguishes a lock file from its copies. */
interface FileIdentity {
  readonly device: string;
  readonly inode: string;
}

/** The text beside the lock. */
interface HolderText extends LockHolder, FileIdentity {
  /** The state of the earlier daemon, as this holder found it. */
  readonly earlierOwner: EarlierOwner;
  /** This holder has placed an order: earlier holders no longer matter. */
  readonly trades: boolean;
}

export interface AccountLock {
  /** The state of the daemon that traded the account before. */
  readonly earlierOwner: EarlierOwner;
  /** Records that this process places orders from now on: the next holder asks for the state of this one. */
  trades(): void;
  release(): void;
}

/** Keeps each locked database referenced: a collected one would lose its lock. */
const held = new Set<DatabaseSync>();

/**
 * One trading process per account. The lock is the operating system's own on an SQLite file, so it ends with the process
 * however that ends; the text file beside it names the holder. Only the owner can read or write both files. `isRunning`
 * tells whether a process runs on this machine. Throws JournalError with the holder when the lock is taken; `pid` is null
 * when the text does not name it.
 */
export function lockAccount(
  path: string,
  holder: LockHolder,
  isRunning: (pid: number) => boolean,
): AccountLock {
  const db = open(path);
  try {
    takeExclusively(db);
    const before = readText(path);
    const identified = { ...holder, ...identityOf(path) };
    const earlierOwner = ownerBy(before === null ? null : parsed(before), identified, isRunning);
    const writeHolder = (trades: boolean): void =>
      writeText(path, textOf({ ...identified, earlierOwner, trades }));
    writeHolder(false);
    held.add(db);
    const release = (): void => {
      if (!held.delete(db)) return;
      if (holder.as === 'command') quietly(() => writeText(path, before ?? ''));
      db.close();
    };
    return { earlierOwner, trades: () => quietly(() => writeHolder(true)), release };
  } catch (error) {
    db.close();
    throw lockError(path, error);
  }
}

/**
 * Whether `lockAccount` could take the lock at this moment: throws what that would throw. Makes no file: where there is none, the folder
 * has to be writable.
 */
export function checkLock(path: string): void {
  try {
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new JournalError('cannot open the lock', { path }, error);
  }
  if (!existsSync(path)) return;
  const db = open(path);
  try {
    takeExclusively(db);
  } catch (error) {
    throw lockError(path, error);
  } finally {
    db.close();
  }
}

const takeExclusively = (db: DatabaseSync): void =>
  db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');

const lockError = (path: string, error: unknown): JournalError =>
  isBusy(error) ? taken(path, error) : new JournalError('cannot take the lock', { path }, error);

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

/** Uses the path: opening and closing the lock's file here would release the lock. */
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

/**
 * Who has the lock at this moment, without taking it; null if nobody has it, or if that cannot be found out. `pid` is null when the
 * text does not name the holder.
 */
export function lockHolder(path: string): LockHolder | { readonly pid: null } | null {
  if (!existsSync(path) || !isTaken(path)) return null;
  const text = readText(path);
  return (text === null ? null : parsed(text)) ?? { pid: null };
}

/** Reading fails while another process has the lock. */
function isTaken(path: string): boolean {
  try {
    const db = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    try {
      db.prepare('SELECT 1 FROM sqlite_master').get();
      return false;
    } finally {
      db.close();
    }
  } catch (error) {
    return isBusy(error);
  }
}

/** A holder for people. */
export const holderInWords = (holder: LockHolder | { readonly pid: null }): string =>
  holder.pid === null ? 'another process' : `process ${holder.pid} on ${holder.host} since ${holder.since}`;

/** Ignores errors: without the text, the next holder only finds the earlier owner `unknown`. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // See above.
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
  return new JournalError(
    `the account is in use by ${holderInWords(holder ?? { pid: null })}`,
    { path, pid: null, ...holder },
    cause,
  );
}

/** In bytes. Our texts are shorter; the path may lead to something else, such as an endless device. */
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
