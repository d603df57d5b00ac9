import { TransportError } from '../../domain/errors.ts';
import { Heap } from '../../lib/heap.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { Priority } from '../../ports/venue.ts';
import type { Limiter } from './limiter.ts';

/** A limit, and the units of it that a request of each priority leaves to more urgent ones. */
export interface GuardedLimiter {
  readonly limiter: Limiter;
  readonly reserve: Readonly<Record<Priority, number>>;
}

/** How a request waits in a lane. Among equal priorities, the higher value goes first. */
export interface Ticket {
  readonly priority: Priority;
  readonly value: number;
  readonly signal?: AbortSignal | undefined;
}

/** The right to send one request. */
export interface Lease {
  /** The first byte leaves now. The request counts from now on, not from the grant. Later calls do nothing. */
  markSent(): void;
  /** The answer or failure is here. Call either this or `giveBack`, once. */
  release(): void;
  /** The request was never sent, so it does not count. */
  giveBack(): void;
}

interface Waiting {
  readonly ticket: Ticket;
  readonly order: number;
  readonly go: (lease: Lease) => void;
  readonly fail: (error: TransportError) => void;
}

const RANK: Readonly<Record<Priority, number>> = { urgent: 0, reducing: 1, normal: 2 };
const PRIORITIES = Object.keys(RANK) as readonly Priority[];

const before = (a: Waiting, b: Waiting): boolean => {
  const rank = RANK[a.ticket.priority] - RANK[b.ticket.priority];
  if (rank !== 0) return rank < 0;
  return a.ticket.value === b.ticket.value ? a.order < b.order : a.ticket.value > b.ticket.value;
};

/**
 * A queue of requests of one kind for the limits that they share. Urgent requests go first, then those that reduce risk,
 * then the rest; within each priority by value, then by age.
 *
 * Lower priorities leave a reserve to higher ones, so that an urgent request mostly goes at once. When even the reserve
 * is spent, it waits for the next token, behind urgent requests only.
 */
export class Lane {
  readonly #clock: Clock;
  readonly #limits: readonly GuardedLimiter[];
  readonly #longestQueue: number;
  readonly #waiting = new Heap<Waiting>(before);
  /** The number of waiting requests of each priority. */
  readonly #counts: Record<Priority, number> = { urgent: 0, reducing: 0, normal: 0 };
  #timer: Timer | null = null;
  #order = 0;
  #closed = false;

  constructor(clock: Clock, limits: readonly GuardedLimiter[], longestQueue: number) {
    this.#clock = clock;
    this.#limits = limits;
    this.#longestQueue = longestQueue;
  }

  /** Resolves when the request may be sent. Rejects with TransportError `not-sent` when aborted, closed, or full. */
  async enter(ticket: Ticket): Promise<Lease> {
    if (this.#closed) throw notSent('the client is closed');
    if (ticket.signal?.aborted === true) throw notSent('cancelled before it was sent');
    if (this.#isFullFor(ticket.priority)) throw notSent('too many requests wait for their budget');
    return new Promise<Lease>((resolve, reject) => {
      this.#join(ticket, resolve, reject);
    });
  }

  /** Milliseconds until a request of this priority would be sent. Infinity when an answer must come first. */
  waitMs(priority: Priority): number {
    const ahead = PRIORITIES.filter((each) => RANK[each] <= RANK[priority]);
    return this.#waitMs(priority, ahead.reduce((sum, each) => sum + this.#counts[each], 0) + 1);
  }

  /** Grants leases to the waiting requests that the limits allow. Call it after a limit changes. */
  pump(): void {
    this.#timer?.cancel();
    this.#timer = null;
    for (let next = this.#waiting.peek(); next !== undefined; next = this.#waiting.peek()) {
      const waitMs = this.#waitMs(next.ticket.priority, 1);
      if (waitMs > 0) {
        if (waitMs !== Infinity) this.#timer = this.#clock.after(Math.ceil(waitMs), () => this.pump());
        return;
      }
      this.#leave(this.#waiting.pop());
      next.go(this.#take());
    }
  }

  /** Rejects every waiting request with TransportError `not-sent`. */
  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    for (let next = this.#waiting.peek(); next !== undefined; next = this.#waiting.peek()) {
      this.#leave(this.#waiting.pop());
      next.fail(notSent('the client is closed'));
    }
  }

  #join(ticket: Ticket, resolve: (lease: Lease) => void, reject: (error: TransportError) => void): void {
    const abort = (): void => {
      this.#waiting.remove(waiting);
      this.#leave(waiting);
      reject(notSent('cancelled while it waited for its budget'));
    };
    const settle = <T>(then: (value: T) => void) => {
      return (value: T): void => {
        ticket.signal?.removeEventListener('abort', abort);
        then(value);
      };
    };
    const waiting: Waiting = { ticket, order: this.#order++, go: settle(resolve), fail: settle(reject) };
    ticket.signal?.addEventListener('abort', abort, { once: true });
    this.#waiting.push(waiting);
    this.#counts[ticket.priority] += 1;
    this.pump();
  }

  #leave(waiting: Waiting | undefined): void {
    if (waiting !== undefined) this.#counts[waiting.ticket.priority] -= 1;
  }

  /** Other requests never fill the queue for an urgent request. */
  #isFullFor(priority: Priority): boolean {
    const { urgent, reducing, normal } = this.#counts;
    return (priority === 'urgent' ? urgent : reducing + normal) >= this.#longestQueue;
  }

  #waitMs(priority: Priority, place: number): number {
    const nowMs = this.#clock.monotonicMs();
    const isUrgent = priority === 'urgent';
    return this.#limits.reduce((longest, { limiter, reserve }) => {
      return Math.max(longest, limiter.waitMs(nowMs, { place, reserve: reserve[priority], isUrgent }));
    }, 0);
  }

  #take(): Lease {
    for (const { limiter } of this.#limits) limiter.take(this.#clock.monotonicMs());
    let isHeld = true;
    const markSent = (): void => {
      if (isHeld) for (const { limiter } of this.#limits) limiter.markSent(this.#clock.monotonicMs());
      isHeld = false;
    };
    return {
      markSent,
      release: () => {
        markSent();
        this.#release(false);
      },
      giveBack: () => {
        markSent();
        this.#release(true);
      },
    };
  }

  #release(unsent: boolean): void {
    const nowMs = this.#clock.monotonicMs();
    for (const { limiter } of this.#limits) {
      if (unsent) limiter.giveBack(nowMs);
      limiter.release(nowMs);
    }
    if (!this.#closed) this.pump();
  }
}

const notSent = (message: string): TransportError => new TransportError('not-sent', message);
