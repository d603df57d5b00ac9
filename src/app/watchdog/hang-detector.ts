import type { CallReading } from './call-marks.ts';

/** How often the watchdog reads the marks. */
export const TICK_MS = 100;
/** A later tick means that the whole process stood still: it was suspended, or it got no processor. */
const LATE_MS = 4 * TICK_MS;

/**
 * Detects a call that has not returned for its `hangMs`. Only time in which the watchdog itself ran in time counts: a suspended
 * process, a sleeping laptop or a machine without a free processor is no strategy that hangs.
 */
export class HangDetector {
  #call: number | null = null;
  /** Start of the time that counts. */
  #sinceMs = -Infinity;
  #tickedMs = -Infinity;

  /** Call it every `TICK_MS`, with monotonic time. Returns the call that hangs; null if none does. */
  tick(nowMs: number, { call, hangMs }: Pick<CallReading, 'call' | 'hangMs'>): number | null {
    const isLate = nowMs - this.#tickedMs > LATE_MS;
    this.#tickedMs = nowMs;
    if (call !== this.#call || isLate) {
      this.#call = call;
      this.#sinceMs = nowMs;
    }
    return call !== null && nowMs - this.#sinceMs >= hangMs ? call : null;
  }
}

/**
 * The latest instant at which the main thread can have sent its last create request. Requests of an earlier run were sent before
 * the watchdog started.
 */
export class LastCreate {
  #creates = 0;
  #atMs: number;

  constructor(startedMs: number) {
    this.#atMs = startedMs;
  }

  /** Call it every `TICK_MS`, with monotonic time. */
  tick(nowMs: number, { creates }: Pick<CallReading, 'creates'>): void {
    if (creates === this.#creates) return;
    this.#creates = creates;
    this.#atMs = nowMs;
  }

  /** Monotonic milliseconds; at most a tick too late. */
  get atMs(): number {
    return this.#atMs;
  }
}
