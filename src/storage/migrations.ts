import type { DatabaseSync } from 'node:sqlite';
import { JournalError } from '../domain/errors.ts';

const refuse = (act: string): string =>
  `CREATE TRIGGER journal_no_${act} BEFORE ${act} ON journal BEGIN SELECT RAISE(ABORT, 'append-only'); END;`;

/** Step `n` takes a file from version `n` to `n + 1`. A step is never changed once released; new ones are added. */
const STEPS: readonly string[] = [
  `CREATE TABLE journal (
     seq INTEGER PRIMARY KEY,
     at_ms INTEGER NOT NULL,
     kind TEXT NOT NULL,
     uuid TEXT,
     data TEXT NOT NULL,
     checksum INTEGER NOT NULL
   ) STRICT;
   ${refuse('UPDATE')}
   ${refuse('DELETE')}`,
];

export const SCHEMA_VERSION = STEPS.length;

/** Brings the file to this program's version. Throws JournalError when the file is of a newer one. */
export function migrate(db: DatabaseSync): void {
  const found = Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
  if (found > SCHEMA_VERSION) {
    throw new JournalError('the journal was written by a newer version', { found, known: SCHEMA_VERSION });
  }
  for (let version = found; version < SCHEMA_VERSION; version++) step(db, version);
}

function step(db: DatabaseSync, version: number): void {
  db.exec(`BEGIN IMMEDIATE; ${STEPS[version] as string} PRAGMA user_version = ${version + 1}; COMMIT`);
}
