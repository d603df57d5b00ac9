import { execFileSync } from 'node:child_process';
import { close, closeSync, mkdtempSync, open, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** As many as look up names, among other things; `UV_THREADPOOL_SIZE` is left as it is. */
const THREADS = 4;

/**
 * From now on no name is resolved, as when no name server answers: every thread that could waits for a pipe that nobody
 * writes to. Answers how to let go.
 */
export function holdNames(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-names-'));
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (let i = 0; i < THREADS; i++) open(pipe, 'r', (_error, file) => close(file));
  return () => {
    const writer = openSync(pipe, 'r+');
    setTimeout(() => {
      closeSync(writer);
      rmSync(folder, { recursive: true });
    }, 100);
  };
}
