/** Counts what happened within the last stretch of time. Instants must not go back. */
export class RollingCount {
  readonly #windowMs: number;
  #instants: number[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  add(atMs: number): void {
    this.#drop(atMs);
    this.#instants.push(atMs);
  }

  /** How many lie less than the window before `atMs`. */
  count(atMs: number): number {
    this.#drop(atMs);
    return this.#instants.length;
  }

  clear(): void {
    this.#instants = [];
  }

  #drop(atMs: number): void {
    const kept = this.#instants.findIndex((instant) => atMs - instant < this.#windowMs);
    if (kept !== 0) this.#instants = kept < 0 ? [] : this.#instants.slice(kept);
  }
}
