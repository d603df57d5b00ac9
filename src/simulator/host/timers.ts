import type { Clock, Timer } from '../../ports/clock.ts';

/** Delayed work of one owner, that ends with it. */
export class Timers {
  readonly #clock: Clock;
  readonly #pending = new Set<Timer>();
  #over = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs `work` after the delay; at once, inside this call, when there is none. */
  after(delayMs: number, work: () => void): void {
    if (this.#over) return;
    if (delayMs <= 0) return work();
    const timer = this.#clock.after(delayMs, () => {
      this.#pending.delete(timer);
      work();
    });
    this.#pending.add(timer);
  }

  cancelAll(): void {
    this.#over = true;
    for (const timer of this.#pending) timer.cancel();
    this.#pending.clear();
  }
}
