import { uptime } from 'node:os';
import type { Clock, Timer } from '../../ports/clock.ts';

/** The longest delay of the machine's timers: 25 days. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's readings of time. */
export interface MachineTime {
  readonly wallMs: () => number;
  /** Only moves on, but stops while the machine is suspended. */
  readonly awakeMs: () => number;
  /** Since the machine started, including suspensions. Expensive: asks the kernel. */
  readonly uptimeMs: () => number;
}

/** NTP slews the wall clock by less than this at a time; otherwise it sets it. */
const WALL_JUMP_MS = 250;
/** If /proc is hidden, as by the systemd unit, the uptime has whole seconds. A smaller difference may be rounding. */
const SHORTEST_SUSPENSION_MS = 1_500;
/** Two consecutive readings are closer than this, unless the process was held up between them. */
const HELD_UP_MS = 50;

/**
 * Monotonic time that continues while the machine is suspended, because prices grow stale and a heartbeat expires meanwhile. A
 * suspension shows as a jump of the wall clock, as setting the clock does. The uptime shows which of the two it was.
 */
export function monotonicTime({ wallMs, awakeMs, uptimeMs }: MachineTime): () => number {
  let wallLeadMs = wallMs() - awakeMs();
  const firstLeadMs = leadOf(uptimeMs, awakeMs);
  let suspendedMs = 0;
  return () => {
    const leadMs = wallMs() - awakeMs();
    if (Math.abs(leadMs - wallLeadMs) > WALL_JUMP_MS) {
      wallLeadMs = leadMs;
      const asleepMs = leadOf(uptimeMs, awakeMs) - firstLeadMs;
      if (asleepMs - suspendedMs >= SHORTEST_SUSPENSION_MS) suspendedMs = asleepMs;
    }
    return awakeMs() + suspendedMs;
  };
}

/**
 * The lead of a clock over the time awake. Reads again if the process was held up between the two readings, which would count as
 * lead.
 */
function leadOf(clockMs: () => number, awakeMs: () => number): number {
  for (;;) {
    const beforeMs = awakeMs();
    const leadMs = clockMs() - beforeMs;
    if (awakeMs() - beforeMs < HELD_UP_MS) return leadMs;
  }
}

/** The machine's time. */
export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: monotonicTime({
    wallMs: () => Date.now(),
    awakeMs: () => performance.now(),
    uptimeMs: () => uptime() * 1000,
  }),
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
