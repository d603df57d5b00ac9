/** Counts what happened within the last stretch of time. Instants must not go back. */
export class RollingCount {
  readonly #windowMs: number;
  readonly #instants: number[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  add(atMs: number): void {
    this.#instants.push(atMs);
  }

  /** How many lie less than the window before `atMs`; earlier ones are forgotten. */
  count(atMs: number): number {
    const kept = this.#instants.findIndex((instant) => atMs - instant < this.#windowMs);
    this.#instants.splice(0, kept < 0 ? this.#instants.length : kept);
    return this.#instants.length;
  }
}
