import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it, vi } from 'vitest';
import { notifySystemd, onKillSignal, signalsHeard } from '../../../src/app/adapters/system-process.ts';

afterEach(() => vi.unstubAllEnvs());

it('keeps the daemon running on a machine that cannot start the helper', () => {
  vi.stubEnv('NOTIFY_SOCKET', '/run/nobody');
  // The kernel refuses to start a process with this much environment, as it may when memory is short.
  vi.stubEnv('TOO_MUCH', 'x'.repeat(4_000_000));
  expect(() => notifySystemd('WATCHDOG=1')).not.toThrow();
});

it.runIf(process.platform !== 'win32')(
  'receives a signal that arrives while the loop handles an event',
  async () => {
    const taken: string[] = [];
    const ignore = onKillSignal((signal) => void taken.push(signal));
    // The lines below run inside an event handler, like the end of a failed start.
    await readFile(fileURLToPath(import.meta.url));
    process.kill(process.pid, 'SIGUSR2');
    await signalsHeard();
    ignore();
    expect(taken).toEqual(['SIGUSR2']);
  },
);
