import type { TrackedOrder } from '../../account/orders.ts';
import { marketOfOrder, marketKey } from '../../domain/exchange-prices.ts';
import { Pacer, pauseOf, type Repetition } from '../state/backoff.ts';
import type { OrderContext } from '../state/context.ts';
import type { Attempt as FruitlessAttempt } from '../state/fruitless.ts';
import { type CloseRequests, throttledMs } from './close-requests.ts';
import { type LookupResult, type Lookups, MAY_BE_OPEN } from './lookups.ts';

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
  market: marketKey(marketOfOrder(order)),
  beganMs: askedMs,
});

/** Returns whether the exchange has shown the order open, and not closed since. */
const isOpen = ({ order }: TrackedOrder): boolean => order.state === 'live' || order.state === 'closing';
