import type { Clock, Timer } from '../../ports/clock.ts';

/**
 * The exchange's own wall clock, in whole milliseconds. It starts at the machine's wall time and then runs on monotonic
 * time. It never goes back, and a jump of the machine's clock does not move it, as with a remote exchange.
 */
export function exchangeTime(clock: Clock): () => number {
  const startMs = clock.wallMs() - clock.monotonicMs();
  return () => Math.floor(startMs + clock.monotonicMs());
}

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

/** A machine that works when it is given the time, and knows when its next work is due. */
export interface Driven {
  /** Does everything due by `nowMs`. */
  advance(nowMs: number): void;
  /** The earliest instant with work, null when there is none. */
  nextDueMs(): number | null;
}

/**
 * Drives one machine on a clock with a single timer: `nextDueMs` arms it, `advance` runs when it fires. The instants
 * are those of `now`, which may differ from the clock's wall time but must run as fast.
 */
export class Pump {
  readonly #driven: Driven;
  readonly #clock: Clock;
  readonly #now: () => number;
  readonly #fire: () => void;
  #timer: Timer | null = null;
  #armedForMs: number | null = null;
  #stopped = false;

  /** `fire` is called when something is due; it must call `catchUp`, and `rearm` when it is done. */
  constructor(driven: Driven, clock: Clock, now: () => number, fire: () => void) {
    this.#driven = driven;
    this.#clock = clock;
    this.#now = now;
    this.#fire = fire;
  }

  /** The present instant. */
  now(): number {
    return this.#now();
  }

  /** Does the work that is due by now, and returns now. */
  catchUp(): number {
    const nowMs = this.#now();
    const dueMs = this.#driven.nextDueMs();
    if (dueMs !== null && dueMs <= nowMs) this.#driven.advance(nowMs);
    return nowMs;
  }

  /** Sets the timer for the next instant with work. Cheap when that instant did not change. */
  rearm(): void {
    const dueMs = this.#stopped ? null : this.#driven.nextDueMs();
    if (dueMs === this.#armedForMs) return;
    this.#timer?.cancel();
    this.#armedForMs = dueMs;
    this.#timer = dueMs === null ? null : this.#clock.after(dueMs - this.#now(), () => this.#onTimer());
  }

  stop(): void {
    this.#stopped = true;
    this.rearm();
  }

  #onTimer(): void {
    this.#armedForMs = null;
    this.#fire();
  }
}
