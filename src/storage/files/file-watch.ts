import { statSync } from 'node:fs';
import { JournalError } from '../../domain/errors.ts';
import { reasonOf } from '../../lib/reason.ts';

/** Checks whether files are still the ones that were opened. */
export interface FileWatch {
  /** What happened to the first changed file; null while none has changed. */
  changed(): string | null;
}

interface Seen {
  readonly device: bigint;
  readonly inode: bigint;
  readonly size: bigint;
}

/**
 * Checks files by their paths alone: opening and closing a file in this process would drop SQLite's locks on it. No file
 * becomes shorter while it is open: SQLite moves its log into the file, then overwrites the log from its beginning without
 * cutting it. Throws JournalError when a file cannot be checked.
 */
export function watchFiles(paths: readonly string[]): FileWatch {
  const seen = new Map(paths.map((path) => [path, firstLook(path)]));
  return {
    changed() {
      for (const [path, before] of seen) {
        const change = changeOf(path, before, (now) => void seen.set(path, now));
        if (change !== null) return `${path} ${change}`;
      }
      return null;
    },
  };
}

function firstLook(path: string): Seen {
  try {
    return look(path);
  } catch (error) {
    throw new JournalError('cannot watch the file of the journal', { path }, error);
  }
}

function changeOf(path: string, before: Seen, remember: (now: Seen) => void): string | null {
  try {
    const now = look(path);
    if (now.device !== before.device || now.inode !== before.inode) return 'was replaced';
    if (now.size < before.size) return 'was truncated';
    remember(now);
    return null;
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isGone ? 'is gone' : `cannot be checked: ${reasonOf(error)}`;
  }
}

function look(path: string): Seen {
  const { dev: device, ino: inode, size } = statSync(path, { bigint: true });
  return { device, inode, size };
}
