import { type SchedulerAction, type SchedulerLike, Subscription } from 'rxjs';
import type { Clock, Timer } from '../ports/clock.ts';

type Work<T> = (this: SchedulerAction<T>, state: T) => void;

/**
 * An RxJS scheduler on the Clock port, for every operator that waits. Live and simulated runs use the daemon's clock; marble
 * tests use a `TestScheduler` instead. `now()` is monotonic; wall-clock time is data of a turn. Work never runs inside
 * `schedule`, not even without a delay.
 */
export function clockScheduler(clock: Clock): SchedulerLike {
  return {
    now: () => clock.monotonicMs(),
    schedule: <T>(work: Work<T>, delayMs = 0, state?: T) =>
      new ClockAction(clock, work).schedule(state, delayMs),
  };
}

/** A piece of work that may schedule itself again. Only the last call of `schedule` counts. */
class ClockAction<T> extends Subscription implements SchedulerAction<T> {
  readonly #clock: Clock;
  readonly #work: Work<T>;
  #timer: Timer | null = null;

  constructor(clock: Clock, work: Work<T>) {
    super();
    [this.#clock, this.#work] = [clock, work];
  }

  schedule(state?: T, delayMs = 0): Subscription {
    if (this.closed) return this;
    this.#timer?.cancel();
    this.#timer = this.#clock.after(delayMs, () => {
      this.#timer = null;
      this.#work.call(this, state as T);
    });
    return this;
  }

  override unsubscribe(): void {
    this.#timer?.cancel();
    this.#timer = null;
    super.unsubscribe();
  }
}
