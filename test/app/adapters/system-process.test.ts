import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it, vi } from 'vitest';
import { notifySystemd, onKillSignal, signalsHeard } from '../../../src/app/adapters/system-process.ts';

afterEach(() => vi.unstubAllEnvs());

it('a machine that cannot start the helper does not fail the daemon', () => {
  vi.stubEnv('NOTIFY_SOCKET', '/run/nobody');
  // More than the kernel hands to a process, as memory can be.
  vi.stubEnv('TOO_MUCH', 'x'.repeat(4_000_000));
  expect(() => notifySystemd('WATCHDOG=1')).not.toThrow();
});

it.runIf(process.platform !== 'win32')(
  'receives a signal that arrives while the loop handles an event',
  async () => {
    const heard: string[] = [];
    const ignore = onKillSignal((signal) => void heard.push(signal));
    // What follows runs within the handling of an event, as the end of a failed start does.
    await readFile(fileURLToPath(import.meta.url));
    process.kill(process.pid, 'SIGUSR2');
    await signalsHeard();
    ignore();
    expect(heard).toEqual(['SIGUSR2']);
  },
);
