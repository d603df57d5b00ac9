import { systemClock } from '../../src/app/adapters/system-clock.ts';
import type { Clock } from '../../src/ports/clock.ts';

/** The machine's time, run `factor` times faster from now on: over real sockets, pauses of seconds take milliseconds. */
export function hurriedClock(factor = 20): Clock {
  const [wallMs, monotonicMs] = [systemClock.wallMs(), systemClock.monotonicMs()];
  const passedMs = (): number => (systemClock.monotonicMs() - monotonicMs) * factor;
  return {
    wallMs: () => wallMs + Math.round(passedMs()),
    monotonicMs: () => monotonicMs + passedMs(),
    after: (delayMs, run) => systemClock.after(delayMs / factor, run),
  };
}
