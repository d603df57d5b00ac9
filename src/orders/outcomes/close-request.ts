import { ProtocolError, TransportError, VenueRejection } from '../../domain/errors.ts';
import type { OrderId } from '../../domain/ids.ts';
import { type ClosedMany, MOST_CLOSED_AT_ONCE } from '../../ports/venue.ts';
import type { OrderContext } from '../state/context.ts';

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
