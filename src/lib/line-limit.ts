const MINUTE_MS = 60_000;

/** Lets through so many lines a minute, and counts those that it drops. */
export class LineLimit {
  readonly #perMinute: number;
  #minuteMs = -Infinity;
  #lines = 0;

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Takes a line at `nowMs`. `dropped` is the number of lines that the previous minute lost, once. */
  take(nowMs: number): { readonly passes: boolean; readonly dropped: number } {
    let dropped = 0;
    if (nowMs - this.#minuteMs >= MINUTE_MS) {
      dropped = Math.max(0, this.#lines - this.#perMinute);
      this.#minuteMs = nowMs;
      this.#lines = 0;
    }
    this.#lines++;
    return { passes: this.#lines <= this.#perMinute, dropped };
  }
}

/**
 * Returns a function that is true for a key the first time, and then once a minute. Without it a fault that repeats with every
 * message would fill the log.
 */
export function seldom(clock: { monotonicMs(): number }): (key: string) => boolean {
  /** Monotonic; least recently true first. */
  const trueMs = new Map<string, number>();
  return (key) => {
    const nowMs = clock.monotonicMs();
    for (const [each, atMs] of trueMs) {
      if (nowMs - atMs < MINUTE_MS) break;
      trueMs.delete(each);
    }
    if (trueMs.has(key)) return false;
    trueMs.set(key, nowMs);
    return true;
  };
}
