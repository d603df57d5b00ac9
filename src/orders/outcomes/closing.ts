import { ProtocolError, TransportError, VenueRejection } from '../../domain/errors.ts';
import { marketOfOrder } from '../../domain/exchange-prices.ts';
import type { OrderId } from '../../domain/ids.ts';
import { type ClosedMany, MOST_CLOSED_AT_ONCE } from '../../ports/venue.ts';
import { Pacer, pauseOf, type Repetition } from '../state/backoff.ts';
import { keyOf } from '../betslips/slot.ts';
import type { OrderContext } from '../state/context.ts';
import type { Attempt as FruitlessAttempt } from '../state/fruitless.ts';
import type { TrackedOrder } from '../state/own-orders.ts';
import { type LookupResult, type Lookups, MAY_BE_OPEN } from './lookups.ts';

/** Longest pause after an answer 429, even if it asks for more: an open order costs more than one request too many. */
const LONGEST_THROTTLED_MS = 60_000;
/** The client does not repeat closes: `Closing` and `UntrackedOrders` do, since they know every order to close. */
const ONCE = { priority: 'urgent', once: true } as const;
/** A failed batch may have failed because of a single order, so the next batches are smaller by this factor. */
const SHRINK = 4;
/** Time until batches are tried again after the exchange refused one. */
const REFUSED_FOR_MS = 60_000;

/** Pause between two requests while the exchange refuses our key. */
const WITHOUT_KEY_MS = 1_000;

/** Receives the outcome of a request to close an order. */
export interface CloseOutcome {
  /** The exchange has accepted the close. */
  closed(): void;
  /** The exchange has nothing to close. */
  over(): void;
  failed(error: unknown): void;
}

const NOBODY_ASKED: CloseOutcome = {
  closed: () => undefined,
  over: () => undefined,
  failed: () => undefined,
};

type Asked = readonly [orderId: OrderId, outcome: CloseOutcome];

/** The orders of one request. */
interface Batch {
  readonly size: number;
  hasFailed: boolean;
}

/**
 * Sends requests to close orders. The closes of one turn of the work queue leave at its end, in as few
 * requests as possible: a burst of single requests would hit the exchange's rate limit, which heartbeats
 * share.
 *
 * One order that the exchange cannot close may fail a whole batch. Batches therefore shrink while they fail,
 * down to single requests, and grow again when they succeed.
 */
export class CloseRequests {
  readonly #context: Pick<OrderContext, 'deps' | 'queue'>;
  /** Orders of ours that are open. */
  readonly #open: () => readonly OrderId[];
  readonly #asked = new Map<OrderId, CloseOutcome>();
  readonly #askedAlone = new Map<OrderId, CloseOutcome>();
  /** The latest unanswered batch of each order. */
  readonly #out = new Map<OrderId, Batch>();
  #most = MOST_CLOSED_AT_ONCE;
  #singleUntilMs = -Infinity;
  /** Monotonic instant of the next request while the key is refused, and the place of its first order. */
  #withoutKeyMs = -Infinity;
  #withoutKeyFrom = 0;

  constructor(context: Pick<OrderContext, 'deps' | 'queue'>, open: () => readonly OrderId[]) {
    this.#context = context;
    this.#open = open;
  }

  /** The most orders that one request may name now. */
  get most(): number {
    return this.#context.deps.clock.monotonicMs() < this.#singleUntilMs ? 1 : this.#most;
  }

  /** Queues one close of an order, sent at the end of this turn. With `alone`, the request names no other order. */
  ask(orderId: OrderId, outcome: CloseOutcome, alone = false): void {
    const unanswered = this.#out.get(orderId);
    if (unanswered !== undefined) this.#shrink(unanswered);
    (alone ? this.#askedAlone : this.#asked).set(orderId, outcome);
  }

  /** Sends the queued closes; called at the end of each turn. */
  flush(): void {
    if (this.#context.deps.venue.keyRefusal !== null) return this.#flushWithoutKey();
    this.#sendAll(this.#asked, this.most);
    this.#sendAll(this.#askedAlone, 1);
  }

  /** While the exchange refuses the key: one request a second, which names all our open orders, or the next ones in turn. */
  #flushWithoutKey(): void {
    const nowMs = this.#context.deps.clock.monotonicMs();
    const open = this.#open();
    if (open.length === 0 || nowMs < this.#withoutKeyMs) return;
    this.#withoutKeyMs = nowMs + WITHOUT_KEY_MS;
    if (this.#withoutKeyFrom >= open.length) this.#withoutKeyFrom = 0;
    const ids = open.slice(this.#withoutKeyFrom, this.#withoutKeyFrom + MOST_CLOSED_AT_ONCE);
    this.#withoutKeyFrom += ids.length;
    this.#send(ids.map((orderId) => [orderId, this.#taken(orderId)]));
  }

  /** The outcome of the queued close of an order, if there is one. */
  #taken(orderId: OrderId): CloseOutcome {
    const outcome = this.#asked.get(orderId) ?? this.#askedAlone.get(orderId) ?? NOBODY_ASKED;
    this.#asked.delete(orderId);
    this.#askedAlone.delete(orderId);
    return outcome;
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
      (answer) => this.#answered(batch, asked, answer),
      (error) => this.#failed(batch, asked, error),
    );
  }

  /** Closes a single order by its own endpoint, and converts the answer to that of a batch. */
  async #request(ids: readonly OrderId[]): Promise<ClosedMany> {
    const { venue } = this.#context.deps;
    const [orderId] = ids;
    const isMany = ids.length > 1 || venue.keyRefusal !== null;
    if (orderId === undefined || isMany) return venue.closeMany(ids, ONCE);
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

/** Returns whether the error means that there is nothing to close. */
const saysOver = (error: unknown): boolean =>
  error instanceof VenueRejection && (error.code === 'order_closed' || error.status === 404);

const isThrottled = (error: unknown): boolean => error instanceof VenueRejection && error.status === 429;

/** Returns whether the exchange refuses the request as such, and not our key. */
const refuses = (error: unknown): boolean =>
  error instanceof VenueRejection && error.status < 500 && error.status !== 401 && !isThrottled(error);

/** Returns whether a request may have failed because of a single order in it. */
const mayBeOneOrders = (error: unknown): boolean =>
  !isThrottled(error) &&
  !(error instanceof VenueRejection && error.status === 401) &&
  !(error instanceof TransportError && error.outcome === 'not-sent');

/** Milliseconds to wait before the next close, as the exchange asks with `Retry-After`; at most 60 s. */
export function throttledMs(error: unknown): number {
  const retryAfterS = error instanceof VenueRejection ? error.retryAfterS : null;
  return Math.min(LONGEST_THROTTLED_MS, (retryAfterS ?? 0) * 1000);
}

interface Attempt {
  readonly sinceMs: number;
  tries: number;
  /** Number of closes that were answered with a failure. */
  failures: number;
  /** Monotonic instant of the last request. */
  askedMs: number;
  /** Monotonic deadline of the answer. After it, the request is sent again beside the first. */
  outUntilMs: number;
  nextMs: number;
  /** The exchange acknowledged the close, or reported nothing to close. Only the confirmation is missing. */
  acknowledged: boolean;
  /** An acknowledged close had no effect, so the next request names no other order. */
  alone: boolean;
  /**
   * Length in ms of the turn that the next request takes from all orders that stay open; 0 when it need not
   * wait for a turn.
   */
  turnMs: number;
}

/** The stream usually confirms a close within this time. If it does not, the order is looked up. */
const CONFIRM_AFTER_MS = 500;
/** Pauses are short, because the order may still be matched. */
const FAILED: Repetition = { firstMs: 250, longestMs: 2_000 };
const UNCONFIRMED: Repetition = { firstMs: CONFIRM_AFTER_MS, longestMs: 2_000 };
/**
 * Orders whose closes keep failing share a quarter of all requests. From the third close on, a request waits
 * for a turn and names as many of these orders as it can.
 *
 * In an outage, just as many orders may be of unknown outcome, overdue or untracked. Together they leave half
 * of the requests to others (`unknown-outcomes.ts`, `overdue-orders.ts`, `untracked-orders.ts`).
 */
const FAILED_TURN_MS = 200;
/**
 * Turn of orders that stay open after an acknowledged close. Every look-up but the first takes a turn, and so
 * does every further close. Heartbeats, betslips and new quotes thereby keep most of the budget.
 */
const UNCONFIRMED_TURN_MS = 300;
/** A close without an answer is sent again after this time: closing twice is harmless, waiting is not. */
const PATIENCE_MS = 2_500;
/**
 * Longest normal time of a look-up. A look-up that takes longer waits behind an answer 429, or is repeated by
 * the client for a resync: closes do not wait for it.
 */
const LONGEST_QUESTION_MS = 12_000;

export interface ClosingHooks {
  /** Returns whether `OverdueOrders` already looks the order up. It calls `again` when the order is shown open. */
  isAskedAfter(tracked: TrackedOrder): boolean;
  /** Returns whether this process may close the order: another process may trade with the same journal. */
  mayClose(tracked: TrackedOrder): boolean;
  /** Every order is to be closed: withdraws the order if its create request still waits for its budget. */
  withdraw(tracked: TrackedOrder): void;
}

/**
 * Closes orders, and repeats until the exchange shows them closed. A close waits for no approval, journal or
 * gate. An order without an id is closed as soon as its id is known.
 */
export class Closing {
  readonly #context: OrderContext;
  readonly #requests: CloseRequests;
  readonly #lookups: Lookups;
  readonly #hooks: ClosingHooks;
  readonly #attempts = new Map<TrackedOrder, Attempt>();
  readonly #pacer = new Pacer();
  /** How many more orders fit into the request that took the last turn. */
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

  /** Closes an order that is shown open, even if an earlier close was acknowledged. */
  again(tracked: TrackedOrder, reason: string): void {
    const attempt = this.#attempts.get(tracked);
    if (attempt !== undefined) attempt.acknowledged = false;
    this.want(tracked, reason);
  }

  /** Handles a change of an order: closes it if it waited for its id, and forgets it if it has ended. */
  changed(tracked: TrackedOrder): void {
    if (!isOpen(tracked)) this.#over(tracked);
    else if (tracked.closeWanted && !this.#attempts.has(tracked)) this.#drive(tracked);
  }

  get dueMs(): number {
    let dueMs = Infinity;
    for (const [tracked, attempt] of this.#attempts) dueMs = Math.min(dueMs, this.#dueMs(tracked, attempt));
    return dueMs;
  }

  /** Look-ups by `OverdueOrders` are due by its own `dueMs`. */
  #dueMs(tracked: TrackedOrder, attempt: Attempt): number {
    const { outUntilMs, nextMs, turnMs } = attempt;
    const freeMs = turnMs > 0 ? this.#pacer.freeMs : -Infinity;
    return Math.max(outUntilMs, nextMs, this.#toldByMs(tracked, attempt), freeMs);
  }

  /** Repeats due closes and looks up unconfirmed ones. */
  sweep(): void {
    for (const tracked of this.#attempts.keys()) if (!isOpen(tracked)) this.#over(tracked);
    const wanted = [...this.#context.book.active()].filter(({ closeWanted }) => closeWanted);
    // Serve the order that has waited longest, or the first of many would take every turn.
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

  /** Takes a turn. Closes share a turn, since they share a request; a look-up, or a close sent alone, does not. */
  #takesTurn(turnMs: number, shares: boolean): boolean {
    if (shares && this.#seats > 0) return this.#seats-- > 0;
    if (!this.#pacer.take(this.#now(), turnMs)) return false;
    this.#seats = shares ? this.#requests.most - 1 : 0;
    return true;
  }

  /**
   * Monotonic instant until which an acknowledged close waits for a look-up that another part sent. A slow
   * look-up does not delay the next close for longer.
   */
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
      askedMs: now,
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
    // The last request had no answer.
    if (attempt.outUntilMs > -Infinity) attempt.tries++;
    if (attempt.tries > 0) attempt.turnMs = FAILED_TURN_MS;
    attempt.askedMs = this.#now();
    attempt.outUntilMs = attempt.askedMs + PATIENCE_MS;
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
    this.#logFailed(tracked, ++attempt.failures, error);
    attempt.outUntilMs = -Infinity;
    attempt.nextMs = this.#now() + Math.max(pauseOf(FAILED, attempt.tries++), throttledMs(error));
  }

  /** Logs only failures 1, 2, 4, 8 and so on of each order, since an outage causes thousands. */
  #logFailed({ order: { orderId } }: TrackedOrder, failures: number, error: unknown): void {
    if ((failures & (failures - 1)) === 0)
      this.#context.log.warn('close failed', { orderId, failures, error });
  }

  /**
   * Looks up an order that is not shown closed after an acknowledged close. Every other time the order is
   * closed again. The client does not repeat the look-up, because its repeats would delay the next close.
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
    if (result === 'open' && attempt.acknowledged)
      this.#context.fruitless.failed('close', closeOf(tracked, attempt), 'the order is still open');
    attempt.alone = true;
    attempt.acknowledged = attempt.tries % 2 === 0;
  }

  #over(tracked: TrackedOrder): void {
    const attempt = this.#attempts.get(tracked);
    if (attempt === undefined) return;
    this.#attempts.delete(tracked);
    // Nothing is left to close, whatever ended the order.
    this.#context.fruitless.lasted('close', { ...closeOf(tracked, attempt), beganMs: Infinity });
    this.#context.metrics.closeSeconds.observe((this.#now() - attempt.sinceMs) / 1000);
  }

  #now(): number {
    return this.#context.deps.clock.monotonicMs();
  }
}

const closeOf = ({ order }: TrackedOrder, { askedMs }: Attempt): FruitlessAttempt => ({
  market: keyOf(marketOfOrder(order)),
  beganMs: askedMs,
});

/** Returns whether the exchange has shown the order open, and not closed since. */
const isOpen = ({ order }: TrackedOrder): boolean => order.state === 'live' || order.state === 'closing';
