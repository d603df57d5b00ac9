import type { TrackedOrder } from '../../account/orders.ts';
import { isTerminal } from '../../domain/lifecycle.ts';
import type { OrderContext } from '../state/context.ts';
import type { HeartbeatKeeper } from './keeper.ts';

/** Close reasons that a heartbeat's expiry shares with a close request (specification: `cancelled`). */
const CANCELLED = 'cancelled';
const VERIFY_RETRY_MS = 1_000;
const HALT = 'close_out';
const SUSPICION = 'suspicion';

/**
 * Controls what follows a close-out, when all our orders were closed without our asking. Nothing is placed
 * until the account was read again, a new heartbeat is armed and a pause has passed. Then quotes return one by
 * one.
 */
export class CloseOut {
  readonly #context: OrderContext;
  readonly #heartbeat: Pick<HeartbeatKeeper, 'verify' | 'allowsSending'>;
  readonly #lookAnew: (reason: string) => void;
  #verifyMs = Infinity;
  /** Another order was closed without our asking since our heartbeat was asked for. */
  #isAskedTooSoon = false;
  /** Orders of an earlier run that recovery has found closed, until that is told. */
  #endedEarlier = 0;
  /** The orders that were open when the first of them was closed. */
  #stood: readonly TrackedOrder[] = [];
  #pausedUntilMs = -Infinity;
  #slowUntilMs = -Infinity;
  #nextPlacingMs = -Infinity;

  /** `lookAnew` reads the account again, and blocks placing until that is done. */
  constructor(
    context: OrderContext,
    heartbeat: Pick<HeartbeatKeeper, 'verify' | 'allowsSending'>,
    lookAnew: (reason: string) => void,
  ) {
    [this.#context, this.#heartbeat, this.#lookAnew] = [context, heartbeat, lookAnew];
  }

  /**
   * Handles a closed order. If we did not ask for the close, nothing is placed until the exchange confirms our
   * heartbeat. An order of an earlier run that recovery finds closed ended while no run looked: this run has no
   * heartbeat that could have closed it.
   */
  closed({ order, closeWanted, recovered }: Pick<TrackedOrder, 'order' | 'closeWanted' | 'recovered'>): void {
    if (closeWanted || order.closeReason !== CANCELLED) return;
    if (recovered && !this.#context.halts.recovered) {
      this.#endedEarlier++;
      return;
    }
    this.#isAskedTooSoon = true;
    if (this.#context.halts.has(SUSPICION)) return;
    this.#context.log.warn('an order was closed without our asking', { orderId: order.orderId });
    this.#context.halts.set(SUSPICION, 'order_closed_by_others');
    this.#stood = [...this.#context.book.active()].filter((tracked) => tracked.order.state === 'live');
    this.#verify();
  }

  /** Begins a close-out: a heartbeat has closed all our orders. */
  begin(reason: string): void {
    const { pauseMs } = this.#context.options.closeOut;
    this.#pausedUntilMs = this.#now() + pauseMs;
    this.#context.halts.set(HALT, 'recovering_from_close_out');
    this.#lookAnew(reason);
  }

  sweep(): void {
    this.#tellEndedEarlier();
    if (this.#now() >= this.#verifyMs) this.#verify();
    if (!this.#context.halts.has(HALT) || this.#now() < this.#pausedUntilMs || !this.#recovered) return;
    this.#context.halts.clear(HALT);
    this.#slowUntilMs = this.#now() + this.#context.options.closeOut.slowForMs;
    this.#context.log.info('the close-out is over; quotes that nothing else stops come back slowly');
  }

  /** Once recovery is done. */
  #tellEndedEarlier(): void {
    if (this.#endedEarlier === 0) return;
    const fields = { orders: this.#endedEarlier };
    this.#endedEarlier = 0;
    this.#context.log.info('orders of an earlier run were closed before this run began', fields);
  }

  /** The account was read again, and a heartbeat is armed. */
  get #recovered(): boolean {
    return !this.#context.halts.has('resync') && this.#heartbeat.allowsSending();
  }

  /** Monotonic instant from which one more order may begin. */
  get admitsFromMs(): number {
    return Math.min(this.#slowUntilMs, this.#nextPlacingMs);
  }

  /** Counts an order that has begun. An order that risk refuses takes no turn. */
  begun(): void {
    this.#nextPlacingMs = this.#now() + this.#context.options.closeOut.slowEveryMs;
  }

  /**
   * Asks for our heartbeat. If more orders were closed meanwhile, the heartbeat may have expired since, and it
   * is asked for again.
   */
  #verify(): void {
    this.#verifyMs = Infinity;
    this.#isAskedTooSoon = false;
    this.#heartbeat.verify((isListed) => {
      if (!isListed) this.#verifyMs = this.#now() + VERIFY_RETRY_MS;
      else if (this.#isAskedTooSoon) this.#verifyMs = this.#now();
      else this.#verified();
    });
  }

  /**
   * Our heartbeat exists, or is known to be lost. If every order was closed, the heartbeat of another program
   * may have expired.
   */
  #verified(): void {
    this.#context.halts.clear(SUSPICION);
    const isAllClosed = this.#stood.length > 0 && this.#stood.every(({ order }) => isTerminal(order.state));
    if (isAllClosed && !this.#context.halts.has(HALT)) this.begin('all orders were closed by others');
  }

  #now(): number {
    return this.#context.deps.clock.monotonicMs();
  }
}
