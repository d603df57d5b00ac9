import { uptime } from 'node:os';
import type { Clock, Timer } from '../../ports/clock.ts';

/** What the machine's timers can wait: 25 days. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What a machine tells of time. */
export interface MachineTime {
  readonly wallMs: () => number;
  /** Only moves on, but stands still while the machine is suspended. */
  readonly awakeMs: () => number;
  /** Since the machine was started, suspensions included. Dear: asked of the kernel. */
  readonly uptimeMs: () => number;
}

/** NTP moves the wall clock by less than this at a time, or sets it. */
const WALL_JUMP_MS = 250;
/** Where /proc is hidden, as by the systemd unit, the uptime comes in whole seconds: what is less may be its rounding. */
const SHORTEST_SUSPENSION_MS = 1_500;
/** Two readings one after the other are closer together than this, unless the process was held up between them. */
const HELD_UP_MS = 50;

/**
 * Monotonic time that goes on while the machine is suspended: prices grow old then, and a heartbeat expires. A suspension
 * shows as a jump of the wall clock, as setting it does; the uptime tells which of both it was.
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

/** By how much a clock is ahead of the time awake: read anew when a pause came between both, which would count as lead. */
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
