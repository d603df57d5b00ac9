import { type Observable, Subject } from 'rxjs';
import type { Clock, Timer } from '../ports/clock.ts';

/**
 * The clock of strategies' timers. A timer that is due is announced with its number and runs when it is fired, so that a recorded
 * run can be decided again: numbers follow the order in which timers are set, and firing is an input like any other.
 */
export class StrategyTimers implements Clock {
  readonly #clock: Clock;
  readonly #waiting = new Map<number, () => void>();
  readonly #due$ = new Subject<number>();
  #last = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The numbers of timers that are due. */
  get due$(): Observable<number> {
    return this.#due$;
  }

  wallMs(): number {
    return this.#clock.wallMs();
  }

  monotonicMs(): number {
    return this.#clock.monotonicMs();
  }

  after(delayMs: number, run: () => void): Timer {
    const number = ++this.#last;
    this.#waiting.set(number, run);
    const timer = this.#clock.after(delayMs, () => this.#due$.next(number));
    return {
      cancel: () => {
        this.#waiting.delete(number);
        timer.cancel();
      },
    };
  }

  /** Runs a timer once; ignored if it was cancelled. */
  fire(number: number): void {
    const run = this.#waiting.get(number);
    this.#waiting.delete(number);
    run?.();
  }
}
