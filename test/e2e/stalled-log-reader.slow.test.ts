import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../support/exchange.ts';
import { PROJECT_ROOT } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** A daemon that has not ended by then never will, however busy the machine is. */
const HANGS_MS = 50_000;

/** Fills a pipe to a program that reads nothing. */
function fullPipe(): { readonly path: string; readonly close: () => void } {
  const path = join(folder.path, 'log');
  execFileSync('mkfifo', [path]);
  const file = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const fill = (bytes: number): void => {
    try {
      for (;;) writeSync(file, Buffer.alloc(bytes, '\n'));
    } catch {
      // The pipe is full.
    }
  };
  fill(4096);
  fill(1);
  return { path, close: () => closeSync(file) };
}

it('ends a daemon whose log nobody reads', async () => {
  const pipe = fullPipe();
  const log = openSync(pipe.path, constants.O_WRONLY);
  const run = spawn(process.execPath, ['src/cli/main.ts', 'start', '--for', '1s'], {
    cwd: PROJECT_ROOT,
    stdio: ['ignore', log, 'ignore'],
  });
  closeSync(log);
  const limit = setTimeout(() => run.kill('SIGKILL'), HANGS_MS);
  expect(await once(run, 'exit')).toEqual([0, null]);
  clearTimeout(limit);
  pipe.close();
});

/**
 * Blocks a thread of the pool for good, as a name lookup without an answering name server does. The thread waits for a
 * writer to a pipe.
 */
function stuckThread(): string {
  const path = join(folder.path, 'name');
  execFileSync('mkfifo', [path]);
  return `data:text/javascript,import { open } from 'node:fs'; open(${JSON.stringify(path)}, 'r', () => undefined);`;
}

it('ends a daemon that still looks a name up, with its exit code', async () => {
  const args = ['--import', stuckThread(), 'src/cli/main.ts', 'start', '--for', '1s'];
  const run = spawn(process.execPath, args, { cwd: PROJECT_ROOT, stdio: 'ignore' });
  const limit = setTimeout(() => run.kill('SIGKILL'), HANGS_MS);
  expect(await once(run, 'exit')).toEqual([0, null]);
  clearTimeout(limit);
});
