/** Sweeps run at least twice a second. A sweep later than this was delayed by a hanging loop. */
const LATE_MS = 1_500;

/** Detects sweeps that come late. */
export class StallDetector {
  #sweptMs = -Infinity;
  #wasLate = false;

  /**
   * Called once a sweep, with its monotonic instant. Never returns true twice in a row, or a loop that is
   * always slow would sweep nothing.
   */
  isLate(nowMs: number): boolean {
    this.#wasLate = !this.#wasLate && nowMs - this.#sweptMs > LATE_MS;
    this.#sweptMs = nowMs;
    return this.#wasLate;
  }
}
