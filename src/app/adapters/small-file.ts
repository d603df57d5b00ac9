import {
  closeSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import type { SmallFile } from '../../ports/small-file.ts';

/** One block: written over in place, a file of this size needs no more room, whatever it says. */
const SIZE_BYTES = 4096;

/**
 * A file on the disk. Texts are cut to a block and padded with blanks, which `read` takes away again. What root makes anew
 * belongs to whom `like` belongs to, a path: by default the folder.
 */
export function smallFile(path: string, like = dirname(path)): SmallFile {
  return {
    read: () => unlessAbsent(() => readFileSync(path, 'utf8').trimEnd()),
    write: (text) => {
      const file = openToOverwrite(path, like);
      try {
        writeSync(file, blockOf(text), 0, SIZE_BYTES, 0);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      syncFolder(path);
    },
    remove: () => {
      unlessAbsent(() => unlinkSync(path));
      syncFolder(path);
    },
  };
}

/** Never truncates: a full disk might not give back what was let go. */
function openToOverwrite(path: string, like: string): number {
  return unlessAbsent(() => openSync(path, 'r+')) ?? openNew(path, like);
}

function openNew(path: string, like: string): number {
  const file = openSync(path, 'wx', 0o600);
  if (process.getuid?.() === 0) giveAway(file, like);
  return file;
}

/** A daemon without rights could not read what is root's. Where that fails the word stands, and counts as one to stop. */
function giveAway(file: number, like: string): void {
  try {
    const { uid, gid } = statSync(like);
    fchownSync(file, uid, gid);
  } catch {
    // As SQLite does with what it makes beside its file.
  }
}

function blockOf(text: string): Buffer {
  const block = Buffer.alloc(SIZE_BYTES, ' ');
  block.write(text.slice(0, SIZE_BYTES), 0, SIZE_BYTES - 1);
  block.write('\n', SIZE_BYTES - 1);
  return block;
}

/** Makes a name that came or went durable; Windows cannot open folders, and needs no such thing. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function unlessAbsent<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
