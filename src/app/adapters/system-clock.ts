import type { Clock, Timer } from '../../ports/clock.ts';

/** What the machine's timers can wait: 25 days. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's time. */
export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs: number, run: () => void): Timer {
    let handle: NodeJS.Timeout;
    const wait = (leftMs: number): void => {
      const isLast = leftMs <= LONGEST_TIMER_MS;
      const next = isLast ? run : () => wait(leftMs - LONGEST_TIMER_MS);
      handle = setTimeout(next, isLast ? Math.max(0, leftMs) : LONGEST_TIMER_MS);
    };
    wait(delayMs);
    return { cancel: () => clearTimeout(handle) };
  },
};
