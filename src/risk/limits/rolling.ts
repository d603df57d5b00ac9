/** Counts what happened within the last stretch of time. An instant that goes back counts as the one before it. */
export class RollingCount {
  readonly #windowMs: number;
  readonly #instants: number[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  add(atMs: number): void {
    this.#instants.push(Math.max(atMs, this.#instants.at(-1) ?? -Infinity));
  }

  /** How many lie less than the window before `atMs`; earlier ones are forgotten. */
  count(atMs: number): number {
    const kept = this.#instants.findIndex((instant) => atMs - instant < this.#windowMs);
    this.#instants.splice(0, kept < 0 ? this.#instants.length : kept);
    return this.#instants.length;
  }
}
