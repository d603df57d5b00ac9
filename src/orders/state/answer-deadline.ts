import { TransportError } from '../../domain/errors.ts';
import type { Clock, Timer } from '../../ports/clock.ts';

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
