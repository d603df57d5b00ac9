/** Ends a process whose main thread hangs. Only the watchdog needs it. */
import { write } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';
import { giveToOwner } from './small-file.ts';

/** Whether this process is the first of its PID namespace, as in a container without an init. The kernel then ignores its SIGKILL. */
export const isFirstProcess = (): boolean => process.pid === 1;

/** Ends the process from any thread, with signal 9. A thread has no other way. */
export function killOwnProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** Stops the calling thread while a word of shared memory has this value. */
export function waitWhile(words: Int32Array, at: number, value: number): void {
  while (Atomics.load(words, at) === value) Atomics.wait(words, at, value);
}

/** Its file descriptor. */
export const STDERR = 2;
const AGAIN_AFTER_MS = 50;

/**
 * Writes a line to stderr without the main thread, which carries a thread's own stderr. Resolves once it is written, or cannot be.
 * Does not block the thread, whoever reads stderr.
 */
export function writeToStderr(line: string): Promise<void> {
  return new Promise((resolve) => {
    const attempt = (bytes: Buffer): void =>
      write(STDERR, bytes, (error, written) => {
        if (error?.code === 'EAGAIN') setTimeout(() => attempt(bytes), AGAIN_AFTER_MS);
        else if (error === null && written < bytes.length) attempt(bytes.subarray(written));
        else resolve();
      });
    attempt(Buffer.from(line));
  });
}

/**
 * Replaces a file as a whole, so that no reader and no crash finds half of it. Durable once it resolves. A file that root creates
 * belongs to the owner of the path `like`. Rejects with the disk's error.
 */
export async function replaceFile(path: string, text: string, like: string): Promise<void> {
  const draft = `${path}.new`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  giveToOwner(draft, like);
  await rename(draft, path);
  if (process.platform !== 'win32') await syncFolder(dirname(path));
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
