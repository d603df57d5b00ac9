import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lchownSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import type { Clock } from '../../ports/clock.ts';
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
  // An unreadable file counts as a kill.
  giveToOwnerOf(like, (uid, gid) => fchownSync(file, uid, gid));
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
 * Gives a file that root created to the owner of the path `like`: a daemon without privileges could not use root's file. If that
 * fails, the file stays as it is.
 */
export function giveToOwner(path: string, like: string): void {
  // Never follow a link: it may lie where other users can create one.
  giveToOwnerOf(like, (uid, gid) => lchownSync(path, uid, gid));
}

/** Runs `chown` with the owner of the path `like`, if this process is root's. */
function giveToOwnerOf(like: string, chown: (uid: number, gid: number) => void): void {
  if (process.getuid?.() !== 0) return;
  try {
    const { uid, gid } = statSync(like);
    chown(uid, gid);
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

const LOOK_EVERY_MS = 250;

/**
 * Watches for a file; calls `onFound` with its first line (or nothing) each time that it exists. An unreadable file counts,
 * because its author wanted something. Returns a function that stops watching.
 */
export function watchKillFile(clock: Clock, path: string, onFound: (line: string) => void): () => void {
  let timer = clock.after(0, look);
  function look(): void {
    timer = clock.after(LOOK_EVERY_MS, look);
    const line = firstLine(path);
    if (line !== null) onFound(line);
  }
  return () => timer.cancel();
}

function firstLine(path: string): string | null {
  try {
    return unlessAbsent(() => {
      // Check existence first: if the process has no file handles left, a missing file would count as unreadable.
      statSync(path);
      return readFileSync(path, 'utf8').split('\n', 1)[0]?.trim() ?? '';
    });
  } catch {
    return '';
  }
}
