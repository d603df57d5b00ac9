import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { JournalError } from '../domain/errors.ts';
import type { EarlierOwner } from '../domain/installation.ts';

/** Who holds an account: shown to whoever is refused. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601. */
  readonly since: string;
}

export interface AccountLock {
  /** What is known of the process that held the lock before. */
  readonly earlierOwner: EarlierOwner;
  release(): void;
}

/**
 * One trading process per account. The lock is the operating system's own on an SQLite file, so it ends with the process
 * however that ends; the text file beside it says who holds it. Throws JournalError with the holder when it is taken, with
 * null for its `pid` when the text does not say.
 */
export function lockAccount(path: string, holder: LockHolder): AccountLock {
  const db = open(path);
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    writeFileSync(holderPath(path), `${JSON.stringify(holder)}\n`);
  } catch (error) {
    db.close();
    throw isBusy(error) ? taken(path, error) : new JournalError('cannot take the lock', { path }, error);
  }
  return { earlierOwner: 'unknown', release: () => db.close() };
}

function open(path: string): DatabaseSync {
  try {
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

function taken(path: string, cause: unknown): JournalError {
  const holder = readHolder(path);
  const who =
    holder === null ? 'another process' : `process ${holder.pid} on ${holder.host} since ${holder.since}`;
  return new JournalError(`the account is in use by ${who}`, { path, pid: null, ...holder }, cause);
}

function readHolder(path: string): LockHolder | null {
  try {
    return JSON.parse(readFileSync(holderPath(path), 'utf8')) as LockHolder;
  } catch {
    return null;
  }
}
