const SECOND_MS = 1_000;

/** Lets something happen at most so many times a second. */
export class PerSecond {
  readonly #most: number;
  #sinceMs = -Infinity;
  #times = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** `nowMs` is monotonic. The first time beyond the limit of a second is told apart. */
  at(nowMs: number): 'passes' | 'first over' | 'over' {
    if (nowMs - this.#sinceMs >= SECOND_MS) [this.#sinceMs, this.#times] = [nowMs, 0];
    this.#times++;
    if (this.#times <= this.#most) return 'passes';
    return this.#times === this.#most + 1 ? 'first over' : 'over';
  }

  /** Milliseconds until the next second begins. */
  restMs(nowMs: number): number {
    return Math.max(0, this.#sinceMs + SECOND_MS - nowMs);
  }
}
