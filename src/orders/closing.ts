import { VenueRejection } from '../domain/errors.ts';
import { pauseOf, type Repetition } from './backoff.ts';
import type { CallOptions } from '../ports/venue.ts';
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
/** What may still be matched waits for little; those that go on failing share half of all requests. */
const FAILED: Repetition = { firstMs: 250, longestMs: 2_000, turnMs: 120 };
/**
 * However many stay open although their closes were acknowledged, heartbeats, betslips and new quotes keep most of the
 * budget.
 */
const UNCONFIRMED: Repetition = { firstMs: CONFIRM_AFTER_MS, longestMs: 2_000, turnMs: 300 };
/** A close that is not answered by then is sent again: closing twice does no harm, waiting does. */
const PATIENCE_MS = 2_500;
/** Repeating is done here, where all closes are known. */
const ONCE: CallOptions = { priority: 'urgent', once: true };

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
    // Nobody has answered the last one.
    if (attempt.outUntilMs > -Infinity) attempt.tries++;
    attempt.outUntilMs = this.#now() + Math.max(PATIENCE_MS, this.#failing() * FAILED.turnMs);
    this.#desk.book.apply(tracked, 'close', {}, 'close');
    this.#desk.queue.call(
      () => this.#desk.deps.venue.closeOrder(orderId, ONCE),
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
    attempt.nextMs =
      this.#now() + Math.max(pauseOf(FAILED, attempt.tries++, this.#failing()), throttledMs(error));
  }

  /** Still open after an acknowledged close: closed again. */
  #confirm(tracked: TrackedOrder, attempt: Attempt): void {
    if (this.#lookups.isOut(tracked)) return;
    attempt.outUntilMs = Infinity;
    this.#lookups.ask(tracked, (result) => {
      attempt.outUntilMs = -Infinity;
      attempt.nextMs = this.#now() + pauseOf(UNCONFIRMED, attempt.tries++, this.#attempts.size);
      if (result === 'found' && tracked.order.state === 'closing')
        attempt.acknowledged = attempt.tries % 2 === 0;
    });
  }

  /** Orders whose closes have failed more than once: a first failure is repeated at once, whatever becomes of others. */
  #failing(): number {
    let failing = 0;
    for (const { tries } of this.#attempts.values()) if (tries > 1) failing++;
    return failing;
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

/** How long the exchange asks for patience; an order that stays open is not left alone for longer than usual. */
function throttledMs(error: unknown): number {
  const retryAfterS = error instanceof VenueRejection ? error.retryAfterS : null;
  return Math.min(PATIENCE_MS, (retryAfterS ?? 0) * 1000);
}
