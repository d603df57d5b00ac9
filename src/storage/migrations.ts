import type { DatabaseSync } from 'node:sqlite';
import { JournalError } from '../domain/errors.ts';

const refuse = (act: string, table = 'journal'): string =>
  `CREATE TRIGGER ${table}_no_${act} BEFORE ${act} ON ${table} BEGIN SELECT RAISE(ABORT, 'append-only'); END;`;

const RECORD = `
     seq INTEGER PRIMARY KEY,
     at_ms INTEGER NOT NULL,
     kind TEXT NOT NULL,
     uuid TEXT,
     data TEXT NOT NULL,
     checksum INTEGER NOT NULL`;

/** Step `n` takes a file from version `n` to `n + 1`. A step is never changed once released; new ones are added. */
const STEPS: readonly string[] = [
  `CREATE TABLE journal (${RECORD}
   ) STRICT;
   ${refuse('UPDATE')}
   ${refuse('DELETE')}`,
  // Retention: records up to the root are removed, except the kept ones. Both chains continue from the root's sums.
  `CREATE TABLE root (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     seq INTEGER NOT NULL,
     checksum INTEGER NOT NULL,
     kept_checksum INTEGER NOT NULL
   ) STRICT;
   INSERT INTO root VALUES (1, 0, 0, 0);
   ${refuse('DELETE', 'root')}
   CREATE TRIGGER root_forward BEFORE UPDATE ON root WHEN NEW.seq <= OLD.seq
     BEGIN SELECT RAISE(ABORT, 'the root only moves on'); END;
   CREATE TABLE kept (${RECORD}
   ) STRICT;
   ${refuse('UPDATE', 'kept')}
   ${refuse('DELETE', 'kept')}
   DROP TRIGGER journal_no_DELETE;
   CREATE TRIGGER journal_no_DELETE BEFORE DELETE ON journal WHEN OLD.seq > (SELECT seq FROM root)
     BEGIN SELECT RAISE(ABORT, 'append-only'); END;
   CREATE INDEX journal_by_kind ON journal (kind, seq);`,
];

export const SCHEMA_VERSION = STEPS.length;

/** Throws JournalError for a database that is neither empty nor a journal: another program wrote it. Changes nothing. */
export function mustBeOurs(db: DatabaseSync): void {
  const names = db.prepare('SELECT name FROM sqlite_schema').all();
  const isOurs = names.some(({ name }) => name === 'journal') && versionOf(db) > 0;
  if (names.length > 0 && !isOurs) throw new JournalError('the file is another database, not a journal');
}

/** The version of a database's tables; 0 while it has none. */
export const versionOf = (db: DatabaseSync): number =>
  Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);

/** Brings the file to this program's version. Throws JournalError when the file is of a newer one. */
export function migrate(db: DatabaseSync): void {
  mustBeKnown(db);
  for (let version = versionOf(db); version < SCHEMA_VERSION; version++) step(db);
}

/** For those who must not change the file. Throws JournalError when it is of another version, or holds nothing. */
export function mustBeCurrent(db: DatabaseSync): void {
  mustBeKnown(db);
  const found = versionOf(db);
  if (found === SCHEMA_VERSION) return;
  const what =
    found === 0
      ? 'the file holds no journal'
      : 'the journal is of an earlier version: start the daemon on it first';
  throw new JournalError(what, { found, known: SCHEMA_VERSION });
}

/** Throws JournalError that names the way back if the file is of a newer version. Changes nothing. */
export function mustBeKnown(db: DatabaseSync): void {
  const found = versionOf(db);
  if (found <= SCHEMA_VERSION) return;
  const message =
    `the journal was written by a newer version of Touchline (its tables are of version ${found}, this program knows ` +
    `version ${SCHEMA_VERSION}): install that version again, or go back to the backup that its first start made, with ` +
    '`touchline journal restore BACKUP FILE` (see "Upgrade and rollback" in docs/reference/journal.md)';
  throw new JournalError(message, { found, known: SCHEMA_VERSION });
}

/** Reads the version again: another process may have made the step meanwhile. */
function step(db: DatabaseSync): void {
  db.exec('BEGIN IMMEDIATE');
  const version = versionOf(db);
  const sql = STEPS[version];
  if (sql !== undefined) db.exec(`${sql} PRAGMA user_version = ${version + 1}`);
  db.exec('COMMIT');
}
