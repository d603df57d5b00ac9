import { closeSync, fsyncSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { JournalError } from '../domain/errors.ts';
import { makePrivate } from './files/private-file.ts';
import { migrate, mustBeCurrent, mustBeKnown, mustBeOurs, SCHEMA_VERSION, versionOf } from './migrations.ts';

/** In milliseconds. The first process to open a journal after a crash locks it for a moment, as does the last one to close it. */
const BUSY_MS = 2000;

/** The database of a journal. */
export interface Connection {
  readonly db: DatabaseSync;
  /** Moves the log into the file, unless `leaveFiles`. */
  close(leaveFiles: boolean): void;
}

/** Reads beside a process that writes: nothing in file and log changes. Throws SQLite's errors and JournalError. */
export function openToRead(path: string): Connection {
  const db = new DatabaseSync(path, { timeout: BUSY_MS, readOnly: true });
  return closedOnError({ db, close: () => db.close() }, () => {
    mustBeOurs(db);
    mustBeCurrent(db);
  });
}

/**
 * The last connection to close moves the log into the file and deletes the log, by its path. By then another file may lie
 * there, or the file may be damaged, and a person needs the log to repair it. To leave the files as they are, a second,
 * read-only connection is closed last: it can neither move nor delete the log.
 */
export function openToWrite(path: string, maxPages: number | undefined): Connection {
  makePrivate(path);
  const anchor = new DatabaseSync(path, { timeout: BUSY_MS, readOnly: true });
  const db = new DatabaseSync(path, { timeout: BUSY_MS });
  const close = (leaveFiles: boolean): void => {
    const [first, last] = leaveFiles ? [db, anchor] : [anchor, db];
    if (first.isOpen) first.close();
    if (last.isOpen) last.close();
  };
  return closedOnError({ db, close }, () => {
    holdIfPossible(anchor);
    mustBeOurs(db);
    mustBeKnown(db);
    // Pages can leave the file only if it began this way. In a file that holds something the first pragma changes nothing.
    db.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    // SQLite would move the log by itself, and hide a failure.
    db.exec('PRAGMA wal_autocheckpoint = 0');
    migrate(db);
    if (maxPages !== undefined) db.exec(`PRAGMA max_page_count = ${maxPages}`);
    hold(anchor);
  });
}

/** A connection shares the file from its first read until it is closed. */
function hold(anchor: DatabaseSync): void {
  anchor.prepare('SELECT count(*) FROM sqlite_schema').get();
}

/** A new file, or one that is no journal, may have nothing to hold. */
function holdIfPossible(anchor: DatabaseSync): void {
  try {
    hold(anchor);
  } catch {
    // The other connection meets the same error and throws it.
  }
}

function closedOnError(connection: Connection, work: () => void): Connection {
  try {
    work();
    return connection;
  } catch (error) {
    connection.close(true);
    throw error;
  }
}

/** The same for a journal of any version that this program knows; it may be an earlier one. */
function openAnyToRead(path: string): Connection {
  const db = new DatabaseSync(path, { timeout: BUSY_MS, readOnly: true });
  return closedOnError({ db, close: () => db.close() }, () => {
    mustBeOurs(db);
    mustBeKnown(db);
  });
}

/**
 * The version of a journal that a start would bring to this program's version; null if it is of this version, or empty. Changes
 * nothing. Throws JournalError if it is of a newer version or no journal, and SQLite's errors.
 */
export function earlierVersionOf(path: string): number | null {
  const connection = openAnyToRead(path);
  try {
    const version = versionOf(connection.db);
    return version === SCHEMA_VERSION || version === 0 ? null : version;
  } finally {
    connection.close(true);
  }
}

/**
 * Copies a journal, log included, as of one instant into a new file that only its owner can use. Another process may write
 * the journal meanwhile. The journal may be of an earlier version. The copy is durable on return. Throws JournalError.
 */
export function copyJournal(from: string, to: string): void {
  try {
    makePrivate(to);
    const source = openAnyToRead(from);
    try {
      source.db.prepare('VACUUM INTO ?').run(to);
    } finally {
      source.close(true);
    }
    sync(to);
  } catch (error) {
    if (error instanceof JournalError) throw error;
    throw new JournalError('cannot copy the journal', { from, to }, error);
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
