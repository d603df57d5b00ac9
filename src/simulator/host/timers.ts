import type { Clock, Timer } from '../../ports/clock.ts';

/** The delayed work of one owner, cancelled when the owner closes. */
export class Timers {
  readonly #clock: Clock;
  readonly #pending = new Set<Timer>();
  #over = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs `work` after the delay; within this call when there is no delay. */
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
