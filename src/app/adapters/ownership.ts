import { lchownSync, statSync } from 'node:fs';
import process from 'node:process';

/**
 * Gives a file that root created to the owner of the path `like`: a daemon without privileges could not use root's file. If that
 * fails, the file stays as it is.
 */
export function giveToOwner(path: string, like: string): void {
  if (process.getuid?.() !== 0) return;
  try {
    const { uid, gid } = statSync(like);
    // Never follow a link: it may lie where other users can create one.
    lchownSync(path, uid, gid);
  } catch {
    // Ignored, as SQLite does for the files that it creates beside its own.
  }
}
