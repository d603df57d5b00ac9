import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import type { SmallFile } from '../../ports/small-file.ts';

/** The size of a disk block: overwriting such a file in place needs no more space, whatever the text. */
const SIZE_BYTES = 4096;
const OWNER_ALONE = 0o600;

/**
 * A file on disk, readable by its owner alone. Texts are cut to a block and padded with blanks, which `read` removes. A file that
 * root creates belongs to the owner of the path `like`; the default is the folder.
 */
export function smallFile(path: string, like = dirname(path)): SmallFile {
  let isNameDurable = false;
  return {
    read: () => unlessAbsent(() => readBlock(path)),
    write: (text) => {
      const isThere = writeOver(path, text);
      if (!isThere) writeNew(path, like, text);
      if (!isThere || !isNameDurable) syncFolder(path);
      isNameDurable = true;
    },
    remove: () => {
      unlessAbsent(() => unlinkSync(path));
      syncFolder(path);
    },
  };
}

/** Reads at most one block: a device may have no end. */
function readBlock(path: string): string {
  const file = openSync(path, 'r');
  try {
    const block = Buffer.alloc(SIZE_BYTES);
    return block.toString('utf8', 0, readSync(file, block, 0, SIZE_BYTES, 0)).trimEnd();
  } finally {
    closeSync(file);
  }
}

/** Never truncates: a full disk might not give the space back. Returns whether the file existed. */
function writeOver(path: string, text: string): boolean {
  const file = unlessAbsent(() => openSync(path, 'r+'));
  if (file === null) return false;
  writeAndClose(file, text);
  return true;
}

function writeNew(path: string, like: string, text: string): void {
  const file = openSync(path, 'wx', OWNER_ALONE);
  fchmodSync(file, OWNER_ALONE);
  if (process.getuid?.() === 0) giveAway(file, like);
  writeAndClose(file, text);
}

function writeAndClose(file: number, text: string): void {
  try {
    writeSync(file, blockOf(text), 0, SIZE_BYTES, 0);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * A daemon without privileges could not read root's file. If the change of owner fails, the file stays, and an unreadable one
 * counts as a kill.
 */
function giveAway(file: number, like: string): void {
  try {
    const { uid, gid } = statSync(like);
    fchownSync(file, uid, gid);
  } catch {
    // Ignored, as SQLite does for the files that it creates beside its own.
  }
}

function blockOf(text: string): Buffer {
  const block = Buffer.alloc(SIZE_BYTES, ' ');
  block.write(text.slice(0, SIZE_BYTES), 0, SIZE_BYTES - 1);
  block.write('\n', SIZE_BYTES - 1);
  return block;
}

/** Makes a created or removed name durable. Windows cannot open folders and does not need it. */
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
