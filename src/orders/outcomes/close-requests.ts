import { ProtocolError, TransportError, VenueRejection } from '../../domain/errors.ts';
import type { OrderId } from '../../domain/ids.ts';
import { type ClosedMany, MOST_CLOSED_AT_ONCE } from '../../ports/venue.ts';
import type { OrderContext } from '../state/context.ts';

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
