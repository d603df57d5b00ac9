import { afterEach, expect, it, vi } from 'vitest';
import { notifySystemd } from '../../../src/app/adapters/system-process.ts';

afterEach(() => vi.unstubAllEnvs());

it('a machine that cannot start the helper does not fail the daemon', () => {
  vi.stubEnv('NOTIFY_SOCKET', '/run/nobody');
  // More than the kernel hands to a process, as memory can be.
  vi.stubEnv('TOO_MUCH', 'x'.repeat(4_000_000));
  expect(() => notifySystemd('WATCHDOG=1')).not.toThrow();
});
