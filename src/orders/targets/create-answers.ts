import type { TrackedOrder } from '../../account/orders.ts';
import {
  outcomeOf,
  ProtocolError,
  TouchlineError,
  TransportError,
  VenueRejection,
} from '../../domain/errors.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { VenueOrder } from '../../domain/orders.ts';
import type { BetslipPool } from '../betslips/pool.ts';
import type { ExecutionReports } from '../outcomes/execution-reports.ts';
import { keyRefusedText, latch, type OrderContext } from '../state/context.ts';
import type { QuotePauses } from './quote-pauses.ts';

/** Thrown at the last instant before the request leaves, to send nothing. */
export class OrderWithdrawn extends TouchlineError {
  constructor(reason: string) {
    super('withdrawn', reason);
  }
}

/** Applies the answer to a create request, or its failure, to the order and to the next attempt. */
export class CreateAnswers {
  readonly #context: OrderContext;
  readonly #reports: ExecutionReports;
  readonly #betslips: Pick<BetslipPool, 'discard'>;
  readonly #pauses: Pick<QuotePauses, 'failed'>;

  constructor(
    context: OrderContext,
    reports: ExecutionReports,
    betslips: Pick<BetslipPool, 'discard'>,
    pauses: Pick<QuotePauses, 'failed'>,
  ) {
    [this.#context, this.#reports, this.#betslips, this.#pauses] = [context, reports, betslips, pauses];
  }

  /**
   * Returns whether the outcome of the request is known, so that it is not repeated. The answer may show another order of ours;
   * then it is not.
   */
  answered(tracked: TrackedOrder, order: VenueOrder): boolean {
    this.#timeAnswer(tracked);
    if (this.#reports.order(order, 'answer', tracked.order.requestUuid) === tracked) return true;
    this.#unclear(tracked);
    return false;
  }

  /** Returns whether the outcome of the request is known, so that it is not repeated. */
  failed(tracked: TrackedOrder, error: unknown, repeat: boolean): boolean {
    if (isAnswer(error)) this.#timeAnswer(tracked);
    this.#decide(tracked, error, repeat);
    this.#judgeKey(error);
    if (tracked.order.state === 'unknown') return false;
    this.#learn(tracked, error);
    return true;
  }

  #timeAnswer({ sentMonotonicMs }: TrackedOrder): void {
    if (sentMonotonicMs === null) return;
    const { deps, metrics } = this.#context;
    metrics.createSeconds.observe((deps.clock.monotonicMs() - sentMonotonicMs) / 1000);
  }

  /** Applies a failed request to its order. */
  #decide(tracked: TrackedOrder, error: unknown, repeat: boolean): void {
    const { book, log } = this.#context;
    const { requestUuid: uuid, state } = tracked.order;
    if (repeat && nothingSent(error)) return log.debug('create request is not repeated', { uuid, error });
    if (state === 'prepared' && nothingSent(error)) return void book.apply(tracked, 'withdraw', {}, 'answer');
    if (error instanceof VenueRejection && error.code === 'order_already_created')
      return this.#conflict(tracked, error.orderId as OrderId | null);
    const outcome = outcomeOf(error);
    log.warn('create request failed', { uuid, outcome, repeat, error });
    book.apply(
      tracked,
      EVENT_OF[outcome],
      outcome === 'refused' ? { closeReason: whyRefused(error) } : {},
      'answer',
    );
  }

  /** Delays the next attempt after a failure. */
  #learn(tracked: TrackedOrder, error: unknown): void {
    if (error instanceof VenueRejection) this.#refused(tracked, error);
    else if (tracked.key !== null) this.#pauses.failed(tracked.key, this.#pauseAfter(error));
  }

  #pauseAfter(error: unknown): number {
    return error instanceof OrderWithdrawn ? 100 : this.#context.options.retryMs;
  }

  /**
   * The request_uuid exists already. With an order id, the order is looked up and compared; without one, the
   * outcome is unknown.
   */
  #conflict(tracked: TrackedOrder, orderId: OrderId | null): void {
    this.#unclear(tracked);
    if (orderId === null || tracked.order.state !== 'unknown') return;
    const { requestUuid } = tracked.order;
    this.#context.queue.call(
      () => this.#context.deps.venue.order(orderId, { priority: 'reducing' }),
      (order) => void this.#reports.order(order, 'look-up', requestUuid),
      (error) => this.#context.log.warn('conflicting order could not be read', { orderId, error }),
    );
  }

  #unclear(tracked: TrackedOrder): void {
    this.#context.book.apply(tracked, 'unclear', {}, 'answer');
  }

  /** A key without the right to place latches quoting. One that the exchange does not accept at all is the guard's (`OrphanGuard`). */
  #judgeKey(error: unknown): void {
    if (error instanceof VenueRejection && error.code === 'forbidden')
      latch(this.#context, keyRefusedText(error));
  }

  #refused(tracked: TrackedOrder, error: VenueRejection): void {
    this.#context.metrics.refusals.inc({ code: error.code });
    if (isKeyRefused(error) || tracked.key === null) return;
    const retryAfterMs = (error.retryAfterS ?? 0) * 1000;
    this.#pauses.failed(tracked.key, Math.max(retryAfterMs, this.#context.options.retryMs));
    if (error.status === 404 || 'betslip_id' in error.validation)
      this.#betslips.discard(tracked.place.betslipId);
  }
}

/** The lifecycle event of each outcome of a failed request. */
const EVENT_OF = { 'not-sent': 'not_sent', refused: 'refused', unknown: 'unclear' } as const;

const LONGEST_REASON = 200;

/** The reasons of a refusal as the exchange gave them; its code where it gave none. */
function whyRefused(error: unknown): string | null {
  if (!(error instanceof VenueRejection)) return null;
  const reasons = Object.values(error.validation).flat();
  return (reasons.length === 0 ? error.code : reasons.join(', ')).slice(0, LONGEST_REASON);
}

const isKeyRefused = ({ status, code }: VenueRejection): boolean => status === 401 || code === 'forbidden';

/** Returns whether the exchange answered at all, readably or not. */
const isAnswer = (error: unknown): boolean =>
  error instanceof VenueRejection || error instanceof ProtocolError;

/** Returns whether the error proves that nothing was sent. */
function nothingSent(error: unknown): boolean {
  if (error instanceof TransportError) return error.outcome === 'not-sent';
  return error instanceof TouchlineError && (error.code === 'withdrawn' || error.code === 'journal');
}
