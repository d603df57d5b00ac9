import type { OrderId } from '../../domain/ids.ts';
import { Pacer } from '../state/backoff.ts';
import { closesAll, type OrderContext } from '../state/context.ts';
import { type CloseRequests, throttledMs } from './close-requests.ts';

const AGAIN_AFTER_MS = 2_500;
/**
 * Pause between two requests that repeat closes. Closes of our own orders may be failing at the same time,
 * and half of all requests remain for others.
 */
const TURN_MS = 400;

interface Attempt {
  readonly orderId: OrderId;
  /** Monotonic instant of the next close. */
  nextMs: number;
  /** A close was acknowledged, or found nothing to close, so the next one names no other order. */
  alone: boolean;
}

/**
 * Closes open orders that carry our mark and are not tracked, until the exchange shows each closed. They were
 * refused or proven absent, or a damaged journal has lost them. While every order of ours is to be closed, each
 * open order that this process may close is included.
 */
export class UntrackedOrders {
  readonly #context: OrderContext;
  readonly #strays: () => readonly OrderId[];
  readonly #requests: CloseRequests;
  readonly #look: (orderId: OrderId) => unknown;
  readonly #attempts = new Map<OrderId, Attempt>();
  readonly #pacer = new Pacer();

  /**
   * Untracked orders count as foreign orders until they are closed. `look` looks an order up once: the stream
   * usually reports its end, but an order whose end the stream missed would count as open forever. Each
   * further close that finds nothing calls `look` again.
   */
  constructor(
    context: OrderContext,
    strays: () => readonly OrderId[],
    requests: CloseRequests,
    look: (orderId: OrderId) => unknown,
  ) {
    [this.#context, this.#strays, this.#requests, this.#look] = [context, strays, requests, look];
  }

  get dueMs(): number {
    return this.#attempts.size === 0 ? Infinity : -Infinity;
  }

  /** Closes an untracked order that is seen open. */
  seen(orderId: OrderId): void {
    if (this.#attempts.has(orderId)) return;
    const attempt = { orderId, nextMs: -Infinity, alone: false };
    this.#attempts.set(orderId, attempt);
    this.#close(attempt);
  }

  sweep(): void {
    const now = this.#now();
    if (closesAll(this.#context) !== null) this.#strays().forEach((orderId) => this.seen(orderId));
    const isOpen = (orderId: OrderId): boolean =>
      (this.#context.book.foreign(orderId)?.shown ?? null) !== null;
    for (const orderId of Array.from(this.#attempts.keys()))
      if (!isOpen(orderId)) this.#attempts.delete(orderId);
    const due = [...this.#attempts.values()].filter(({ nextMs }) => now >= nextMs);
    if (due.length > 0 && this.#pacer.take(now, TURN_MS)) this.#closeAgain(due);
  }

  /** Sends one request: for the order that has waited longest, and for others unless that order is closed alone. */
  #closeAgain(due: readonly Attempt[]): void {
    const inTurn = due.toSorted((a, b) => a.nextMs - b.nextMs);
    const others = inTurn.filter(({ alone }) => !alone);
    const together = inTurn[0]?.alone === true ? inTurn.slice(0, 1) : others.slice(0, this.#requests.most);
    for (const attempt of together) this.#close(attempt);
  }

  #close(attempt: Attempt): void {
    attempt.nextMs = this.#now() + AGAIN_AFTER_MS;
    const outcome = {
      closed: () => void (attempt.alone = true),
      over: () => {
        attempt.alone = true;
        this.#look(attempt.orderId);
      },
      failed: (error: unknown) => this.#failed(attempt, error),
    };
    this.#requests.ask(attempt.orderId, outcome, attempt.alone);
  }

  #failed(attempt: Attempt, error: unknown): void {
    attempt.nextMs = Math.max(attempt.nextMs, this.#now() + throttledMs(error));
    this.#context.log.warn('an untracked order could not be closed', { orderId: attempt.orderId, error });
  }

  #now(): number {
    return this.#context.deps.clock.monotonicMs();
  }
}
