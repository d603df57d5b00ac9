import type { Clock, Timer } from '../../ports/clock.ts';

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's time. */
export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs: number, run: () => void): Timer {
    const handle = setTimeout(run, Math.min(Math.max(0, delayMs), LONGEST_TIMER_MS));
    return { cancel: () => clearTimeout(handle) };
  },
};
