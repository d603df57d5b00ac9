import { ProtocolError, TransportError, VenueRejection } from '../../domain/errors.ts';
import type { OrderId } from '../../domain/ids.ts';
import { type ClosedMany, MOST_CLOSED_AT_ONCE } from '../../ports/venue.ts';
import { Pacer, pauseOf, type Repetition } from '../state/backoff.ts';
import type { OrderContext } from '../state/context.ts';
import type { TrackedOrder } from '../state/own-orders.ts';
import { type LookupResult, type Lookups, MAY_BE_OPEN } from './lookups.ts';

/** An answer 429 may ask for more; an order that is open costs more than one request too many. */
const LONGEST_THROTTLED_MS = 60_000;
/** Each is repeated by its owner, who knows all that are to be closed. */
const ONCE = { priority: 'urgent', once: true } as const;
/** Requests that fail may fail because of one of their orders: the next ones name so many times fewer. */
const SHRINK = 4;
/** An exchange that refuses to close several by one request is asked so again that much later. */
const REFUSED_FOR_MS = 60_000;

/** What becomes of the request to close an order. */
export interface CloseOutcome {
  /** The exchange has accepted it. */
  closed(): void;
  /** The exchange says that there is nothing to close. */
  over(): void;
  failed(error: unknown): void;
}

type Asked = readonly [orderId: OrderId, outcome: CloseOutcome];

/** Orders that are named by one request. */
interface Batch {
  readonly size: number;
  hasFailed: boolean;
}

/**
 * Sends requests to close orders. Those that are asked for in one turn of the work queue leave at its end, as few requests as
 * can name them: a burst of single ones would meet the exchange's limit, and heartbeats with it.
 *
 * One order that the exchange cannot close may fail a whole batch. So batches shrink while they fail, down to single requests,
 * and grow again when they succeed.
 */
export class CloseRequests {
  readonly #context: Pick<OrderContext, 'deps' | 'queue'>;
  readonly #asked = new Map<OrderId, CloseOutcome>();
  readonly #askedAlone = new Map<OrderId, CloseOutcome>();
  /** The batch in which an order was asked for last, while its answer is awaited. */
  readonly #out = new Map<OrderId, Batch>();
  #most = MOST_CLOSED_AT_ONCE;
  #singleUntilMs = -Infinity;

  constructor(context: Pick<OrderContext, 'deps' | 'queue'>) {
    this.#context = context;
  }

  /** How many orders one request names at most, now. */
  get most(): number {
    return this.#context.deps.clock.monotonicMs() < this.#singleUntilMs ? 1 : this.#most;
  }

  /** Asks for the close of an order, once; with `alone` by a request of its own. It leaves at the end of this turn. */
  ask(orderId: OrderId, outcome: CloseOutcome, alone = false): void {
    const unanswered = this.#out.get(orderId);
    if (unanswered !== undefined) this.#shrink(unanswered);
    (alone ? this.#askedAlone : this.#asked).set(orderId, outcome);
  }

  /** At the end of each turn. */
  flush(): void {
    this.#sendAll(this.#asked, this.most);
    this.#sendAll(this.#askedAlone, 1);
  }

  #sendAll(waiting: Map<OrderId, CloseOutcome>, most: number): void {
    if (waiting.size === 0) return;
    const asked = [...waiting];
    waiting.clear();
    for (let at = 0; at < asked.length; at += most) this.#send(asked.slice(at, at + most));
  }

  #send(asked: readonly Asked[]): void {
    const batch: Batch = { size: asked.length, hasFailed: false };
    const ids = asked.map(([orderId]) => orderId);
    for (const orderId of ids) this.#out.set(orderId, batch);
    this.#context.queue.call(
      () => this.#request(ids),
      (told) => this.#answered(batch, asked, told),
      (error) => this.#failed(batch, asked, error),
    );
  }

  /** A single order has a request of its own; what that tells reads as the answer for several does. */
  async #request(ids: readonly OrderId[]): Promise<ClosedMany> {
    const { venue } = this.#context.deps;
    const [orderId] = ids;
    if (orderId === undefined || ids.length > 1) return venue.closeMany(ids, ONCE);
    try {
      await venue.closeOrder(orderId, ONCE);
      return { closed: ids, notFound: [] };
    } catch (error) {
      if (saysOver(error)) return { closed: [], notFound: ids };
      throw error;
    }
  }

  #answered(batch: Batch, asked: readonly Asked[], { closed, notFound }: ClosedMany): void {
    this.#forget(batch, asked);
    const [accepted, over] = [new Set(closed), new Set(notFound)];
    if (asked.every(([orderId]) => accepted.has(orderId) || over.has(orderId))) this.#grow(batch);
    else this.#shrink(batch);
    for (const [orderId, outcome] of asked) {
      if (accepted.has(orderId)) outcome.closed();
      else if (over.has(orderId)) outcome.over();
      else outcome.failed(new ProtocolError('the answer to a close does not name the order', { orderId }));
    }
  }

  #failed(batch: Batch, asked: readonly Asked[], error: unknown): void {
    this.#forget(batch, asked);
    if (batch.size > 1 && refuses(error))
      this.#singleUntilMs = this.#context.deps.clock.monotonicMs() + REFUSED_FOR_MS;
    else if (mayBeOneOrders(error)) this.#shrink(batch);
    for (const [, outcome] of asked) outcome.failed(error);
  }

  #forget(batch: Batch, asked: readonly Asked[]): void {
    for (const [orderId] of asked) if (this.#out.get(orderId) === batch) this.#out.delete(orderId);
  }

  #grow({ size }: Batch): void {
    this.#most = Math.min(MOST_CLOSED_AT_ONCE, Math.max(this.#most, 2 * size));
  }

  #shrink(batch: Batch): void {
    if (batch.hasFailed || batch.size === 1) return;
    batch.hasFailed = true;
    this.#most = Math.min(this.#most, Math.ceil(batch.size / SHRINK));
  }
}

/** Whether the answer to a close says that there is nothing to close. */
const saysOver = (error: unknown): boolean =>
  error instanceof VenueRejection && (error.code === 'order_closed' || error.status === 404);

const isThrottled = (error: unknown): boolean => error instanceof VenueRejection && error.status === 429;

/** Whether the exchange does not take the request as it is. */
const refuses = (error: unknown): boolean =>
  error instanceof VenueRejection && error.status < 500 && !isThrottled(error);

/** Whether a request may have failed because of one order that it names. */
const mayBeOneOrders = (error: unknown): boolean =>
  !isThrottled(error) && !(error instanceof TransportError && error.outcome === 'not-sent');

/** How long the exchange asks for patience before the next close. */
export function throttledMs(error: unknown): number {
  const retryAfterS = error instanceof VenueRejection ? error.retryAfterS : null;
  return Math.min(LONGEST_THROTTLED_MS, (retryAfterS ?? 0) * 1000);
}

interface Attempt {
  readonly sinceMs: number;
  tries: number;
  /** Of its closes, those that were answered with a failure. */
  failures: number;
  /** Until when an answer is waited for; then it is asked again beside the first. */
  outUntilMs: number;
  nextMs: number;
  /** The exchange acknowledged the close, or said that there is nothing to close: only confirmation is missing. */
  acknowledged: boolean;
  /** It was acknowledged without effect: the next one names no other order. */
  alone: boolean;
  /** How long a turn the next request takes of all orders that stay open; 0 while it waits for no other. */
  turnMs: number;
}

/** The stream usually confirms a close; when it does not, we ask. */
const CONFIRM_AFTER_MS = 500;
/** What may still be matched waits for little. */
const FAILED: Repetition = { firstMs: 250, longestMs: 2_000 };
const UNCONFIRMED: Repetition = { firstMs: CONFIRM_AFTER_MS, longestMs: 2_000 };
/**
 * Orders whose closes go on failing share a quarter of all requests: from the third close on a request takes its turn, and as
 * many orders with it as it can name. In an outage
 * as many may be of unknown fate, past their end, or unknown to the journal: together these leave half to others (`unknown-outcomes.ts`,
 * `overdue-orders.ts`, `untracked-orders.ts`).
 */
const FAILED_TURN_MS = 200;
/**
 * However many stay open although their closes were acknowledged, heartbeats, betslips and new quotes keep most of the
 * budget: every question about an order but its first takes its turn, and so does every other close of it.
 */
const UNCONFIRMED_TURN_MS = 300;
/** A close that is not answered by then is sent again: closing twice does no harm, waiting does. */
const PATIENCE_MS = 2_500;
/**
 * A question takes less than this. Longer ones wait in line behind an answer 429, for minutes maybe, or are repeated by the
 * client since a resync asks them: closes need not wait for that.
 */
const LONGEST_QUESTION_MS = 12_000;

export interface ClosingHooks {
  /** Whether somebody else asks after the order already, and calls `again` when it is shown open. */
  isAskedAfter(tracked: TrackedOrder): boolean;
  /** Whether the order is this process's to close: the same journal may trade on elsewhere. */
  mayClose(tracked: TrackedOrder): boolean;
  /** Nothing of ours may stand any more: what waits for its budget need not go on waiting. */
  withdraw(tracked: TrackedOrder): void;
}

/**
 * Closes orders and does not rest until the exchange shows them closed. A close waits for nothing: no review,
 * journal or gate. An order whose id is not known yet is closed as soon as it is.
 */
export class Closing {
  readonly #context: OrderContext;
  readonly #requests: CloseRequests;
  readonly #lookups: Lookups;
  readonly #hooks: ClosingHooks;
  readonly #attempts = new Map<TrackedOrder, Attempt>();
  readonly #pacer = new Pacer();
  /** How many more orders may be closed by the request that took the last turn. */
  #seats = 0;

  constructor(context: OrderContext, requests: CloseRequests, lookups: Lookups, hooks: ClosingHooks) {
    this.#context = context;
    this.#requests = requests;
    this.#lookups = lookups;
    this.#hooks = hooks;
  }

  want(tracked: TrackedOrder, reason: string): void {
    if (tracked.closeWanted) return;
    tracked.closeWanted = true;
    this.#context.log.debug('closing', { uuid: tracked.order.requestUuid, reason });
    this.#drive(tracked);
  }

  wantAll(reason: string): void {
    for (const tracked of this.#context.book.active()) {
      this.want(tracked, reason);
      this.#hooks.withdraw(tracked);
    }
  }

  /** It is shown open: closed, or closed again when that was acknowledged before. */
  again(tracked: TrackedOrder, reason: string): void {
    const attempt = this.#attempts.get(tracked);
    if (attempt !== undefined) attempt.acknowledged = false;
    this.want(tracked, reason);
  }

  /** Its state may be new: one that waited for its id is closed, one that is over needs no more. */
  changed(tracked: TrackedOrder): void {
    if (!isOpen(tracked)) this.#over(tracked);
    else if (tracked.closeWanted && !this.#attempts.has(tracked)) this.#drive(tracked);
  }

  get dueMs(): number {
    let dueMs = Infinity;
    for (const [tracked, attempt] of this.#attempts) dueMs = Math.min(dueMs, this.#dueMs(tracked, attempt));
    return dueMs;
  }

  /** Whoever asks after it besides says himself when that is due. */
  #dueMs(tracked: TrackedOrder, attempt: Attempt): number {
    const { outUntilMs, nextMs, turnMs } = attempt;
    const freeMs = turnMs > 0 ? this.#pacer.freeMs : -Infinity;
    return Math.max(outUntilMs, nextMs, this.#toldByMs(tracked, attempt), freeMs);
  }

  /** Repeats and confirms what is due. */
  sweep(): void {
    for (const tracked of this.#attempts.keys()) if (!isOpen(tracked)) this.#over(tracked);
    const wanted = [...this.#context.book.active()].filter(({ closeWanted }) => closeWanted);
    // Who has waited longest comes first: else the first of many would take the turns of the last.
    const nextMs = (tracked: TrackedOrder): number => this.#attempts.get(tracked)?.nextMs ?? 0;
    for (const tracked of wanted.sort((a, b) => nextMs(a) - nextMs(b))) this.#drive(tracked);
    this.#seats = 0;
  }

  #drive(tracked: TrackedOrder): void {
    if (!isOpen(tracked) || !this.#hooks.mayClose(tracked)) return;
    const attempt = this.#attemptOf(tracked);
    if (this.#now() < Math.max(attempt.outUntilMs, attempt.nextMs, this.#toldByMs(tracked, attempt))) return;
    const isQuestion = attempt.acknowledged && !this.#lookups.isOut(tracked);
    const shares = !isQuestion && !attempt.alone;
    if (attempt.turnMs > 0 && !this.#takesTurn(attempt.turnMs, shares)) return;
    if (isQuestion) this.#confirm(tracked, attempt);
    else this.#request(tracked, attempt);
  }

  /** Closes share a request, and its turn, but for those of orders that are closed alone; a question is about one order. */
  #takesTurn(turnMs: number, shares: boolean): boolean {
    if (shares && this.#seats > 0) return this.#seats-- > 0;
    if (!this.#pacer.take(this.#now(), turnMs)) return false;
    this.#seats = shares ? this.#requests.most - 1 : 0;
    return true;
  }

  /** Until when to wait for the answer of whoever asks after it; one whose question is out for long is closed again meanwhile. */
  #toldByMs(tracked: TrackedOrder, { acknowledged, nextMs }: Attempt): number {
    if (!acknowledged) return -Infinity;
    const askedMs = this.#lookups.outSinceMs(tracked);
    if (askedMs !== null) return Math.max(askedMs, nextMs) + LONGEST_QUESTION_MS;
    return this.#hooks.isAskedAfter(tracked) ? Infinity : -Infinity;
  }

  #attemptOf(tracked: TrackedOrder): Attempt {
    const known = this.#attempts.get(tracked);
    if (known !== undefined) return known;
    const now = this.#now();
    const attempt = {
      sinceMs: now,
      tries: 0,
      failures: 0,
      outUntilMs: -Infinity,
      nextMs: now,
      acknowledged: false,
      alone: false,
      turnMs: 0,
    };
    this.#attempts.set(tracked, attempt);
    return attempt;
  }

  #request(tracked: TrackedOrder, attempt: Attempt): void {
    const { orderId } = tracked.order;
    if (orderId === null) return;
    // Nobody has answered the last one.
    if (attempt.outUntilMs > -Infinity) attempt.tries++;
    if (attempt.tries > 0) attempt.turnMs = FAILED_TURN_MS;
    attempt.outUntilMs = this.#now() + PATIENCE_MS;
    this.#context.book.apply(tracked, 'close', {}, 'close');
    const outcome = {
      closed: () => this.#acknowledged(attempt, CONFIRM_AFTER_MS),
      over: () => this.#nothingToClose(tracked, attempt),
      failed: (error: unknown) => this.#failed(tracked, attempt, error),
    };
    this.#requests.ask(orderId, outcome, attempt.alone);
  }

  #nothingToClose(tracked: TrackedOrder, attempt: Attempt): void {
    this.#acknowledged(attempt, 0);
    this.#drive(tracked);
  }

  #acknowledged(attempt: Attempt, confirmAfterMs: number): void {
    attempt.outUntilMs = -Infinity;
    attempt.acknowledged = true;
    attempt.turnMs = attempt.tries > 0 ? UNCONFIRMED_TURN_MS : 0;
    attempt.nextMs = this.#now() + confirmAfterMs;
  }

  #failed(tracked: TrackedOrder, attempt: Attempt, error: unknown): void {
    this.#tellFailed(tracked, ++attempt.failures, error);
    attempt.outUntilMs = -Infinity;
    attempt.nextMs = this.#now() + Math.max(pauseOf(FAILED, attempt.tries++), throttledMs(error));
  }

  /** An outage makes thousands of them: of each order the first, second, fourth, eighth and so on are told. */
  #tellFailed({ order: { orderId } }: TrackedOrder, failures: number, error: unknown): void {
    if ((failures & (failures - 1)) === 0)
      this.#context.log.warn('close failed', { orderId, failures, error });
  }

  /**
   * Not shown closed after an acknowledged close: every other time it is closed again. The question is repeated here alone:
   * the client's own repeats would keep the next close waiting.
   */
  #confirm(tracked: TrackedOrder, attempt: Attempt): void {
    attempt.outUntilMs = this.#now() + LONGEST_QUESTION_MS;
    this.#lookups.ask(tracked, (result) => this.#answered(tracked, attempt, result), true);
  }

  #answered(tracked: TrackedOrder, attempt: Attempt, result: LookupResult): void {
    attempt.outUntilMs = -Infinity;
    attempt.nextMs = this.#now() + pauseOf(UNCONFIRMED, attempt.tries++);
    attempt.turnMs = UNCONFIRMED_TURN_MS;
    if (!MAY_BE_OPEN.has(result) || tracked.order.state !== 'closing') return;
    attempt.alone = true;
    attempt.acknowledged = attempt.tries % 2 === 0;
  }

  #over(tracked: TrackedOrder): void {
    const attempt = this.#attempts.get(tracked);
    if (attempt === undefined) return;
    this.#attempts.delete(tracked);
    this.#context.metrics.closeSeconds.observe((this.#now() - attempt.sinceMs) / 1000);
  }

  #now(): number {
    return this.#context.deps.clock.monotonicMs();
  }
}

/** Whether the exchange has shown it open, and not closed since. */
const isOpen = ({ order }: TrackedOrder): boolean => order.state === 'live' || order.state === 'closing';
