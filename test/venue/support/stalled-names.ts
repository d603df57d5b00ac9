import { execFileSync } from 'node:child_process';
import { close, closeSync, mkdtempSync, open, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The number of threads that look up names, among other things. `UV_THREADPOOL_SIZE` stays unchanged. */
const THREADS = 4;

/**
 * From now on no name is resolved, as when no name server answers: every thread that could resolve one waits for a pipe
 * without a writer. Returns a function that ends this.
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
