import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import type { Ids } from '../../ports/ids.ts';

const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/** The kernel's random id of this boot; null if the system has none or hides it. */
export function bootId(): string | null {
  try {
    return readFileSync(BOOT_ID, 'utf8').trim() || null;
  } catch {
    return null;
  }
}

/** Whether a process with this id exists; it may be another user's. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** 192 bits. A link with such a text fits 80 columns. */
const TOKEN_BYTES = 24;

/** A text that nobody guesses, from the machine's own randomness. */
export const randomToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** UUIDs from the machine's own randomness. */
export const randomIds: Ids = { uuid: () => randomUUID() };
