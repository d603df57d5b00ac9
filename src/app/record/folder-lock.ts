import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { RecordingError } from '../../domain/errors.ts';
import { reasonOf } from '../../lib/reason.ts';
import { makePrivate } from '../../storage/files/private-file.ts';

/** Keeps each locked file referenced: a collected one would lose its lock. */
const held = new Set<DatabaseSync>();

/**
 * Makes the folder if need be, and takes it for one writer. The lock is the operating system's, so it ends with the process however
 * that ends. Returns a function that releases it. Throws RecordingError if another process records there.
 */
export function lockFolder(path: string): () => void {
  const file = join(path, '.lock');
  let db: DatabaseSync | null = null;
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    makePrivate(file);
    db = new DatabaseSync(file, { timeout: 0 });
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    db?.close();
    throw new RecordingError(
      `cannot record in ${path}: ${reasonOf(error)}; each recording process needs a folder of its own`,
      { path },
      error,
    );
  }
  const locked = db;
  held.add(locked);
  return () => {
    if (held.delete(locked)) locked.close();
  };
}
