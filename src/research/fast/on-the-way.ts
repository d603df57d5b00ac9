/** News on its way to us: each arrives after the time of its way, and never before what was sent earlier. */
export class OnTheWay<T> {
  readonly #wayMs: () => number;
  readonly #sent: { readonly dueMs: number; readonly what: T }[] = [];
  #next = 0;
  #lastMs = -Infinity;

  /** `wayMs`: how long the next one takes, in milliseconds. */
  constructor(wayMs: () => number) {
    this.#wayMs = wayMs;
  }

  /** Returns the instant of its arrival. */
  send(what: T, nowMs: number): number {
    const dueMs = Math.max(this.#lastMs, nowMs + this.#wayMs());
    this.#lastMs = dueMs;
    this.#sent.push({ dueMs, what });
    return dueMs;
  }

  /** The instant of the next arrival; Infinity while nothing is on its way. */
  get dueMs(): number {
    return this.#sent[this.#next]?.dueMs ?? Infinity;
  }

  /** The last one sent that has not arrived; null if there is none. */
  get last(): T | null {
    return this.#sent.at(-1)?.what ?? null;
  }

  /** The next arrival. Call it only while something is on its way. */
  take(): T {
    const { what } = this.#sent[this.#next++] as { readonly what: T };
    if (this.#next === this.#sent.length) this.clear();
    else if (this.#next > MOST_ARRIVED) {
      this.#sent.splice(0, this.#next);
      this.#next = 0;
    }
    return what;
  }

  /** Nothing of it arrives. */
  clear(): void {
    this.#sent.length = 0;
    this.#next = 0;
  }
}

/** Everything that has arrived is dropped in one go. */
const MOST_ARRIVED = 1_000;
