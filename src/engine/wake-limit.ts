/** Far more than a strategy can use: an event changes a few times a second. */
export const MOST_WAKES_A_SECOND = 50;

const SECOND_MS = 1_000;

/** Lets a strategy cause this many decisions a second. */
export class WakeLimit {
  #sinceMs = -Infinity;
  #wakes = 0;

  /** `nowMs` is monotonic. Only the first one that is dropped within a second is told apart. */
  at(nowMs: number): 'passes' | 'first dropped' | 'dropped' {
    if (nowMs - this.#sinceMs >= SECOND_MS) [this.#sinceMs, this.#wakes] = [nowMs, 0];
    this.#wakes++;
    if (this.#wakes <= MOST_WAKES_A_SECOND) return 'passes';
    return this.#wakes === MOST_WAKES_A_SECOND + 1 ? 'first dropped' : 'dropped';
  }
}
