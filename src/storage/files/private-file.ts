import { chmodSync, closeSync, fchmodSync, lstatSync, openSync } from 'node:fs';

const OWNER_ALONE = 0o600;
const OTHERS = 0o077;

/**
 * Makes an empty file that only its owner can use, whatever the umask, unless something is there. SQLite gives its log and its
 * shared memory the mode of the database, and another user who could read them could lock them.
 */
export function makePrivate(path: string): void {
  const file = openNew(path);
  if (file === null) return;
  try {
    fchmodSync(file, OWNER_ALONE);
  } finally {
    closeSync(file);
  }
}

/**
 * Withdraws the access of others to a file, as a copied or restored file may grant it. Uses the path alone: to open and close a
 * database here would drop the locks that SQLite has on it. A link is left alone, since it may lead to another program's file.
 */
export function keepPrivate(path: string): void {
  try {
    const file = lstatSync(path);
    if (file.isFile() && (file.mode & OTHERS) !== 0) chmodSync(path, OWNER_ALONE);
  } catch {
    // It is not there, or another user's: then that user decides.
  }
}

/** Null when the path exists. */
function openNew(path: string): number | null {
  try {
    return openSync(path, 'wx', OWNER_ALONE);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return null;
    throw error;
  }
}
