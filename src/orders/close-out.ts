import type { LiveOrder } from '../domain/live-order.ts';
import type { Desk } from './desk.ts';

/** Close reasons that a heartbeat's expiry shares with a close request (specification: `cancelled`). */
const CANCELLED = 'cancelled';
const VERIFY_RETRY_MS = 1_000;
const HALT = 'close_out';
const SUSPICION = 'suspicion';

export interface CloseOutHooks {
  /** Asks the exchange whether our heartbeat is still there; a lost one is told as such before `answered`. */
  verifyHeartbeat(answered: (told: boolean) => void): void;
  /** Whether the account was looked at anew and a heartbeat is armed. */
  recovered(): boolean;
}

/**
 * What follows when everything of ours was closed behind our back: nothing is placed until the account was looked at, a
 * new heartbeat is armed and a pause has passed; then quotes come back one by one, not all at once.
 */
export class CloseOut {
  readonly #desk: Desk;
  readonly #hooks: CloseOutHooks;
  #verifyMs = Infinity;
  /** Orders closed without our asking. */
  #suspicious = 0;
  #pausedUntilMs = -Infinity;
  #slowUntilMs = -Infinity;
  #nextPlacingMs = -Infinity;

  constructor(desk: Desk, hooks: CloseOutHooks) {
    this.#desk = desk;
    this.#hooks = hooks;
  }

  /** An order is closed. When nobody asked for it, nothing is placed until the heartbeat is known to be there. */
  closed(order: LiveOrder, closeWanted: boolean): void {
    if (closeWanted || order.closeReason !== CANCELLED) return;
    this.#suspicious++;
    if (this.#desk.halts.has(SUSPICION)) return;
    this.#desk.log.warn('an order was closed without our asking', { orderId: order.orderId });
    this.#desk.halts.set(SUSPICION, 'order_closed_by_others');
    this.#verify();
  }

  /** The heartbeat is gone. */
  begin(): void {
    const { pauseMs } = this.#desk.options.closeOut;
    this.#pausedUntilMs = this.#now() + pauseMs;
    this.#desk.halts.set(HALT, 'recovering_from_close_out');
  }

  sweep(): void {
    if (this.#now() >= this.#verifyMs) this.#verify();
    if (!this.#desk.halts.has(HALT) || this.#now() < this.#pausedUntilMs || !this.#hooks.recovered()) return;
    this.#desk.halts.clear(HALT);
    this.#slowUntilMs = this.#now() + this.#desk.options.closeOut.slowForMs;
    this.#desk.log.info('quoting comes back slowly after a close-out');
  }

  /** Whether one more order may be begun now; counts it. */
  admit(): boolean {
    if (this.#now() >= this.#slowUntilMs) return true;
    if (this.#now() < this.#nextPlacingMs) return false;
    this.#nextPlacingMs = this.#now() + this.#desk.options.closeOut.slowEveryMs;
    return true;
  }

  /** An answer does not tell of orders that were closed after the question: the heartbeat may have run out since. */
  #verify(): void {
    this.#verifyMs = Infinity;
    const asked = this.#suspicious;
    this.#hooks.verifyHeartbeat((told) => {
      if (!told) this.#verifyMs = this.#now() + VERIFY_RETRY_MS;
      else if (asked === this.#suspicious) this.#desk.halts.clear(SUSPICION);
      else this.#verifyMs = this.#now();
    });
  }

  #now(): number {
    return this.#desk.deps.clock.monotonicMs();
  }
}
