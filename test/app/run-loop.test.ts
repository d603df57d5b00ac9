import { expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import type { Daemon } from '../../src/app/daemon.ts';
import type { RunConsole } from '../../src/app/run-console.ts';
import { runToEnd } from '../../src/app/run-loop.ts';
import { exitCodeOf } from '../../src/cli/exit-codes.ts';
import { TouchlineError, TransportError } from '../../src/domain/errors.ts';
import { silentLogger } from '../../src/ports/logger.ts';

const never = new Promise<never>(() => undefined);
const nothing = (): void => undefined;

const CONSOLE: RunConsole = {
  ...{ logger: silentLogger, isTerminal: false, outputLost: never },
  ...{ setLogLevel: nothing, banner: nothing, show: nothing, finish: nothing },
};

/** The exit code of a daemon that cannot reach the exchange when it starts. */
async function exitOf(unlatched: TouchlineError | null): Promise<number> {
  const start = () => Promise.reject(new TransportError('not-sent', 'cannot reach the exchange'));
  const daemon: Partial<Daemon> = { start, unlatched, fatal: never, abandon: async () => undefined };
  const run = runToEnd({
    ...{ daemon: daemon as Daemon, clock: new VirtualClock(), console: CONSOLE },
    ...{ durationMs: null, drainTimeoutMs: 20_000, force: nothing },
  });
  return run.catch(exitCodeOf);
}

it('a daemon that could not start may be started again, unless it was killed and that is written nowhere', async () => {
  expect(await exitOf(null)).toBe(69);
  expect(await exitOf(new TouchlineError('unlatched', 'killed, and latched nowhere'))).toBe(74);
});
