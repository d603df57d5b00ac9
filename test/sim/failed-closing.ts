import { isOwn, type OwnOrder } from './exchange-orders.ts';
import type { Run, World } from './world.ts';

/** Closing takes a moment. Orders that a kill has not closed by then are left to the heartbeat. */
export const PATIENCE_MS = 10_000;

/**
 * Whether a kill's orders are still open after a while. Then the heartbeat is left to expire, which closes them. It is
 * kept again once none is left.
 */
export class Unclosed {
  #sinceMs: number | null = null;
  #overMs = -Infinity;

  /** The number of orders that may still be open although everything is to be closed. */
  see(orders: number, nowMs: number): void {
    if (orders > 0) {
      this.#sinceMs ??= nowMs;
    } else {
      if (this.isFailed(nowMs)) this.#overMs = nowMs;
      this.#sinceMs = null;
    }
  }

  /** Whether closing has failed, by this much more than is allowed. */
  isFailed(nowMs: number, byMs = 0): boolean {
    return nowMs - (this.#sinceMs ?? nowMs) > PATIENCE_MS + byMs;
  }

  /** When closing last ceased to have failed; -Infinity for never. */
  get overMs(): number {
    return this.#overMs;
  }
}

/** The orders that a kill has left: open at the exchange, or without an end in the journal. */
export class AfterKill {
  readonly unclosed = new Unclosed();
  /**
   * The count of each run itself, unless it cannot read or write the states of its orders. It knows an order whose end
   * is in the journal once that was reported.
   */
  readonly left = new Unclosed();

  /** Called often. Takes the time of a person's stop, and the number of orders without an end in the journal. */
  see({ run, clock, disk, orders }: World, killedSinceMs: number | null, unsettled: number): void {
    const nowMs = clock.monotonicMs();
    const killed = killedSinceMs !== null || (run?.composed.core.risk.killed ?? null) !== null;
    const open = killed ? orders.open().filter(isOwn) : [];
    this.unclosed.see(killed ? open.length + unsettled : 0, nowMs);
    const counts =
      killed && run?.started === true && !disk.damageMet && !run.composed.parts.orders.status().journalFailed;
    const reported = open.filter(({ orderId }) => run?.received.orders.has(orderId) === true);
    this.left.see(counts ? reported.length + unsettled : 0, nowMs);
  }
}

/**
 * Since when a run knows of an order that it has not closed: an order may land when the heartbeat has expired and no
 * other can be armed. Infinity for none.
 */
export function standsSinceMs(run: Run | null, open: readonly OwnOrder[]): number {
  const standing = open.filter(({ orderId }) => run?.received.closes.has(orderId) === false);
  return Math.min(...standing.map(({ orderId }) => run?.received.orders.get(orderId) ?? Infinity));
}
