import { DatabaseSync } from 'node:sqlite';
import { makePrivate } from './files/private-file.ts';
import { migrate, mustBeCurrent, mustBeOurs } from './migrations.ts';

/** After a crash the first process to open a journal holds the file alone for a moment, as the last one to close it does. */
const BUSY_MS = 2000;

/** The database of a journal. */
export interface Connection {
  readonly db: DatabaseSync;
  /** Moves the log into the file, unless the files are to stay as they are. */
  close(leaveFiles: boolean): void;
}

/** Reads beside a process that writes: nothing in file and log changes. Throws what SQLite says, and JournalError. */
export function openToRead(path: string): Connection {
  const db = new DatabaseSync(path, { timeout: BUSY_MS, readOnly: true });
  return unlessItFails({ db, close: () => db.close() }, () => {
    mustBeOurs(db);
    mustBeCurrent(db);
  });
}

/**
 * The last connection to close moves the log into the file and deletes the log, by its path: another file may lie there by then, or
 * the file be damaged and the log be what a person needs to repair it. Where the files are to stay as they are, a second connection that
 * only reads is closed last: it can do neither.
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
  return unlessItFails({ db, close }, () => {
    holdIfPossible(anchor);
    mustBeOurs(db);
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    // SQLite would move the log by itself, and say nothing when that fails.
    db.exec('PRAGMA wal_autocheckpoint = 0');
    migrate(db);
    if (maxPages !== undefined) db.exec(`PRAGMA max_page_count = ${maxPages}`);
    hold(anchor);
  });
}

/** A connection shares the file from its first look on, for as long as it is open. */
function hold(anchor: DatabaseSync): void {
  anchor.prepare('SELECT count(*) FROM sqlite_schema').get();
}

/** Before the file is a journal, and where it is none, there may be nothing to hold. */
function holdIfPossible(anchor: DatabaseSync): void {
  try {
    hold(anchor);
  } catch {
    // The other connection meets the same, and tells it.
  }
}

function unlessItFails(connection: Connection, work: () => void): Connection {
  try {
    work();
    return connection;
  } catch (error) {
    connection.close(true);
    throw error;
  }
}
