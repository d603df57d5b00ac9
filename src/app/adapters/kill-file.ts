import { readFileSync, statSync } from 'node:fs';
import type { Clock } from '../../ports/clock.ts';

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
    // Check existence first: if the process has no file handles left, a missing file would count as unreadable.
    statSync(path);
    return readFileSync(path, 'utf8').split('\n', 1)[0]?.trim() ?? '';
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isAbsent ? null : '';
  }
}
