import type { Clock } from '../ports/clock.ts';

/** Without this limit a fault that repeats with every message would fill the log. */
const SELDOM_MS = 60_000;

/** Returns a function that is true for a key the first time, and then once a minute. */
export function seldom(clock: Clock): (key: string) => boolean {
  /** Monotonic; least recently true first. */
  const trueMs = new Map<string, number>();
  return (key) => {
    const nowMs = clock.monotonicMs();
    for (const [each, atMs] of trueMs) {
      if (nowMs - atMs < SELDOM_MS) break;
      trueMs.delete(each);
    }
    if (trueMs.has(key)) return false;
    trueMs.set(key, nowMs);
    return true;
  };
}
