import { VenueRejection } from '../domain/errors.ts';
import { pauseOf, type Repetition } from './backoff.ts';
import type { TrackedOrder } from './book.ts';
import type { Desk } from './desk.ts';
import type { Lookups } from './lookups.ts';

interface Attempt {
  readonly sinceMs: number;
  tries: number;
  /** Until when an answer is waited for; then it is asked again beside the first. */
  outUntilMs: number;
  nextMs: number;
  /** The exchange acknowledged the close, or said that there is nothing to close: only confirmation is missing. */
  acknowledged: boolean;
}

/** The stream usually confirms a close; when it does not, we ask. */
const CONFIRM_AFTER_MS = 500;
/** What may still be matched waits for nothing else, however many there are. */
const FAILED: Repetition = { firstMs: 250, longestMs: 2_000, turnMs: 0 };
/**
 * However many stay open although their closes were acknowledged, heartbeats, betslips and new quotes keep most of the
 * budget.
 */
const UNCONFIRMED: Repetition = { firstMs: CONFIRM_AFTER_MS, longestMs: 2_000, turnMs: 300 };
/** A close that is not answered by then is sent again: closing twice does no harm, waiting does. */
const PATIENCE_MS = 2_500;

/**
 * Closes orders and does not rest until the exchange shows them closed. A close waits for nothing: no budget, review,
 * journal or gate. An order whose id is not known yet is closed as soon as it is.
 */
export class Closing {
  readonly #desk: Desk;
  readonly #lookups: Lookups;
  readonly #attempts = new Map<TrackedOrder, Attempt>();

  constructor(desk: Desk, lookups: Lookups) {
    this.#desk = desk;
    this.#lookups = lookups;
  }

  want(tracked: TrackedOrder, reason: string): void {
    if (tracked.closeWanted) return;
    tracked.closeWanted = true;
    this.#desk.log.debug('closing', { uuid: tracked.order.requestUuid, reason });
    this.#drive(tracked);
  }

  wantAll(reason: string): void {
    for (const tracked of this.#desk.book.active()) this.want(tracked, reason);
  }

  /** Repeats and confirms what is due. */
  sweep(): void {
    for (const tracked of this.#attempts.keys()) {
      if (!['live', 'closing'].includes(tracked.order.state)) this.#over(tracked);
    }
    for (const tracked of [...this.#desk.book.active()]) {
      if (tracked.closeWanted) this.#drive(tracked);
    }
  }

  #drive(tracked: TrackedOrder): void {
    const { state } = tracked.order;
    if (state !== 'live' && state !== 'closing') return;
    const attempt = this.#attemptOf(tracked);
    if (this.#now() < Math.max(attempt.outUntilMs, attempt.nextMs)) return;
    if (attempt.acknowledged) this.#confirm(tracked, attempt);
    else this.#request(tracked, attempt);
  }

  #attemptOf(tracked: TrackedOrder): Attempt {
    const known = this.#attempts.get(tracked);
    if (known !== undefined) return known;
    const now = this.#now();
    const attempt = { sinceMs: now, tries: 0, outUntilMs: -Infinity, nextMs: now, acknowledged: false };
    this.#attempts.set(tracked, attempt);
    return attempt;
  }

  #request(tracked: TrackedOrder, attempt: Attempt): void {
    const { orderId } = tracked.order;
    if (orderId === null) return;
    attempt.outUntilMs = this.#now() + PATIENCE_MS;
    this.#desk.book.apply(tracked, 'close', {}, 'close');
    this.#desk.queue.call(
      () => this.#desk.deps.venue.closeOrder(orderId, { priority: 'urgent' }),
      () => this.#acknowledged(attempt, CONFIRM_AFTER_MS),
      (error) => this.#failed(tracked, attempt, error),
    );
  }

  #acknowledged(attempt: Attempt, confirmAfterMs: number): void {
    attempt.outUntilMs = -Infinity;
    attempt.acknowledged = true;
    attempt.nextMs = this.#now() + confirmAfterMs;
  }

  #failed(tracked: TrackedOrder, attempt: Attempt, error: unknown): void {
    if (error instanceof VenueRejection && (error.code === 'order_closed' || error.status === 404)) {
      this.#acknowledged(attempt, 0);
      return this.#drive(tracked);
    }
    this.#desk.log.warn('close failed', { orderId: tracked.order.orderId, tries: attempt.tries, error });
    attempt.outUntilMs = -Infinity;
    attempt.nextMs = this.#now() + this.#pauseMs(FAILED, attempt);
  }

  /** Still open after an acknowledged close: closed again. */
  #confirm(tracked: TrackedOrder, attempt: Attempt): void {
    if (this.#lookups.isOut(tracked)) return;
    attempt.outUntilMs = Infinity;
    this.#lookups.ask(tracked, (result) => {
      attempt.outUntilMs = -Infinity;
      attempt.nextMs = this.#now() + this.#pauseMs(UNCONFIRMED, attempt);
      if (result === 'found' && tracked.order.state === 'closing')
        attempt.acknowledged = attempt.tries % 2 === 0;
    });
  }

  #pauseMs(repetition: Repetition, attempt: Attempt): number {
    return pauseOf(repetition, attempt.tries++, this.#attempts.size);
  }

  #over(tracked: TrackedOrder): void {
    const attempt = this.#attempts.get(tracked);
    if (attempt === undefined) return;
    this.#attempts.delete(tracked);
    this.#desk.metrics.closeSeconds.observe((this.#now() - attempt.sinceMs) / 1000);
  }

  #now(): number {
    return this.#desk.deps.clock.monotonicMs();
  }
}
