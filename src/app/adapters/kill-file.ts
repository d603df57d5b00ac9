import { readFileSync, statSync } from 'node:fs';
import type { Clock } from '../../ports/clock.ts';

const LOOK_EVERY_MS = 250;

/**
 * Looks for a file from now on; calls `onFound` with its first line (or nothing) each time that it is there. A file that
 * is there but cannot be read counts: whoever made it wanted something. Answers how to stop looking.
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
    // First without opening it: where no more files can be opened, one that is not there would count as unreadable.
    statSync(path);
    return readFileSync(path, 'utf8').split('\n', 1)[0]?.trim() ?? '';
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isAbsent ? null : '';
  }
}
