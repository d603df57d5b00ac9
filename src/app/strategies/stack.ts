import path from 'node:path';
import { cwd } from 'node:process';
import { fileURLToPath } from 'node:url';

/** A place in a stack: `(file:///a/b.ts:12:5)`, or a path in its stead. */
const FRAME = /\(?(file:\/\/[^\s()]+|\/[^\s():]+|[A-Za-z]:\\[^\s():]+):(\d+):\d+\)?$/;

/**
 * `file:line`, relative to the working directory, of the uppermost frame of a stack in a folder. Packages inside the folder do not
 * count. Null if there is none.
 */
export function placeIn(folder: string, stack: string | undefined): string | null {
  for (const line of (stack ?? '').split('\n')) {
    const [, address = '', number = ''] = FRAME.exec(line.trim()) ?? [];
    if (address === '') continue;
    const file = address.startsWith('file:') ? fileURLToPath(address) : address;
    const within = path.relative(folder, file);
    if (within.startsWith('..') || within.split(path.sep).includes('node_modules')) continue;
    return `${path.relative(cwd(), file)}:${number}`;
  }
  return null;
}

/** `placeIn` of a thrown value. */
export const thrownIn = (folder: string, error: unknown): string | null =>
  error instanceof Error ? placeIn(folder, error.stack) : null;
