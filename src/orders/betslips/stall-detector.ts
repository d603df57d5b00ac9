/** Sweeps come twice a second at least: one that is later than this was held up by a loop that hung. */
const LATE_MS = 1_500;

/** Tells sweeps that come late. */
export class StallDetector {
  #sweptMs = -Infinity;
  #wasLate = false;

  /** Once a sweep, at this monotonic instant. Never twice in a row, or a loop that is slow all the time would sweep nothing. */
  isLate(nowMs: number): boolean {
    this.#wasLate = !this.#wasLate && nowMs - this.#sweptMs > LATE_MS;
    this.#sweptMs = nowMs;
    return this.#wasLate;
  }
}
