import { TransportError } from '../../domain/errors.ts';
import type { Clock, Timer } from '../../ports/clock.ts';

/** How a question or request of one order is repeated. */
export interface Repetition {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The pause after so many tries: it doubles. */
export const pauseOf = ({ firstMs, longestMs }: Repetition, tries: number): number =>
  Math.min(longestMs, firstMs * 2 ** tries);

/**
 * One turn at a time: many orders that began together would else go on together, and take all requests at once. Ask for
 * those that have waited longest first.
 */
export class Pacer {
  #nextMs = -Infinity;

  /** From when on it is free. */
  get freeMs(): number {
    return this.#nextMs;
  }

  /** Whether it is free; the next one is then `turnMs` later, however late this one was taken. */
  take(nowMs: number, turnMs: number): boolean {
    if (nowMs < this.#nextMs) return false;
    this.#nextMs = Math.max(this.#nextMs, nowMs - turnMs) + turnMs;
    return true;
  }
}

/** Keys that are to be left alone until some instant; each repeat doubles the pause up to a maximum. */
export class Backoffs<K> {
  readonly #entries = new Map<K, { untilMs: number; pauseMs: number }>();
  readonly #now: () => number;
  readonly #maxMs: number;

  constructor(now: () => number, maxMs: number) {
    this.#now = now;
    this.#maxMs = maxMs;
  }

  /**
   * Pauses a key for `pauseMs`, or twice its last pause when that one is over only recently; `maxMs` at most. What comes
   * while it is paused is no repeat.
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

  /** Pauses a key for exactly so long. */
  pause(key: K, pauseMs: number): void {
    this.#entries.set(key, { untilMs: this.#now() + pauseMs, pauseMs });
  }

  clear(key: K): void {
    this.#entries.delete(key);
  }

  active(key: K): boolean {
    return this.#now() < this.untilMs(key);
  }

  /** Until when the key is to be left alone; in the past, or -Infinity, when it is not. */
  untilMs(key: K): number {
    return this.#entries.get(key)?.untilMs ?? -Infinity;
  }

  /** Forgets what is long over. */
  sweep(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#now() > entry.untilMs + 4 * entry.pauseMs) this.#entries.delete(key);
    }
  }
}

/** How long the answer to a request is waited for, from the instant at which it may leave. */
export class AnswerDeadline {
  readonly #clock: Clock;
  readonly #aborter = new AbortController();
  #timer: Timer | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get signal(): AbortSignal {
    return this.#aborter.signal;
  }

  begin(ms: number): void {
    this.#timer = this.#clock.after(ms, () =>
      this.#aborter.abort(new TransportError('unknown', 'no answer while the heartbeat is proven to hold')),
    );
  }

  /** Nothing has left yet, and nothing shall. */
  giveUp(): void {
    this.#aborter.abort(new TransportError('not-sent', 'not wanted any more'));
  }

  end(): void {
    this.#timer?.cancel();
  }
}
