import { lchownSync, statSync } from 'node:fs';
import process from 'node:process';

/**
 * What root makes at a path belongs from then on to whom `like` belongs to, another path: a daemon without rights could not
 * use what is root's. Where that fails it stays as it is.
 */
export function giveToOwner(path: string, like: string): void {
  if (process.getuid?.() !== 0) return;
  try {
    const { uid, gid } = statSync(like);
    // Never what a link leads to: it lies where others may put one.
    lchownSync(path, uid, gid);
  } catch {
    // As SQLite does with what it makes beside its file.
  }
}
