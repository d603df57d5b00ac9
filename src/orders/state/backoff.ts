import { TransportError } from '../../domain/errors.ts';
import type { Clock, Timer } from '../../ports/clock.ts';

/** Pauses between repeats of a look-up or request of one order. */
export interface Repetition {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The pause after `tries` tries, which doubles each time. */
export const pauseOf = ({ firstMs, longestMs }: Repetition, tries: number): number =>
  Math.min(longestMs, firstMs * 2 ** tries);

/**
 * Grants one turn at a time, because many orders that began together would otherwise repeat together and take
 * all requests at once. Callers serve the order that has waited longest first.
 */
export class Pacer {
  #nextMs = -Infinity;

  /** Monotonic instant from which a turn is free. */
  get freeMs(): number {
    return this.#nextMs;
  }

  /**
   * Takes a turn and returns true, if one is free. The next turn is `turnMs` later, however late this one was
   * taken.
   */
  take(nowMs: number, turnMs: number): boolean {
    if (nowMs < this.#nextMs) return false;
    this.#nextMs = Math.max(this.#nextMs, nowMs - turnMs) + turnMs;
    return true;
  }
}

/** Keys that pause until some instant. Each repeat doubles the pause, up to a maximum. */
export class Backoffs<K> {
  readonly #entries = new Map<K, { untilMs: number; pauseMs: number }>();
  readonly #now: () => number;
  readonly #maxMs: number;

  constructor(now: () => number, maxMs: number) {
    this.#now = now;
    this.#maxMs = maxMs;
  }

  /**
   * Pauses a key for `pauseMs`, or for twice its last pause if that ended recently; `maxMs` at most. A call
   * during a pause is no repeat.
   */
  grow(key: K, pauseMs: number, maxMs = this.#maxMs): void {
    const now = this.#now();
    const last = this.#entries.get(key) ?? { untilMs: -Infinity, pauseMs: 0 };
    const isOn = now < last.untilMs;
    const isRepeat = !isOn && now < last.untilMs + 2 * last.pauseMs;
    const next = Math.min(maxMs, isRepeat ? Math.max(pauseMs, 2 * last.pauseMs) : pauseMs);
    const untilMs = Math.max(last.untilMs, now + next);
    this.#entries.set(key, { untilMs, pauseMs: isOn ? Math.max(last.pauseMs, next) : next });
  }

  /** Pauses a key for exactly `pauseMs`. */
  pause(key: K, pauseMs: number): void {
    this.#entries.set(key, { untilMs: this.#now() + pauseMs, pauseMs });
  }

  clear(key: K): void {
    this.#entries.delete(key);
  }

  active(key: K): boolean {
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#now() < entry.untilMs;
  }

  /** Instant until which the key pauses; in the past, or -Infinity, when it does not pause. */
  untilMs(key: K): number {
    return this.#entries.get(key)?.untilMs ?? -Infinity;
  }

  sweep(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#now() > entry.untilMs + 4 * entry.pauseMs) this.#entries.delete(key);
    }
  }
}

/** Limits the wait for the answer to a request, from the instant at which the request may leave. */
export class AnswerDeadline {
  readonly #clock: Clock;
  readonly #aborter = new AbortController();
  readonly signal = this.#aborter.signal;
  #timer: Timer | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(ms: number): void {
    this.#timer = this.#clock.after(ms, () =>
      this.#aborter.abort(new TransportError('unknown', 'no answer while the heartbeat is proven to hold')),
    );
  }

  /** Aborts a request that was not sent yet, so that it never is. */
  giveUp(): void {
    this.#aborter.abort(new TransportError('not-sent', 'not wanted any more'));
  }

  end(): void {
    this.#timer?.cancel();
  }
}
