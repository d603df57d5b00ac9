import { isOwn, type OwnOrder } from './exchange-orders.ts';
import type { Run, World } from './world.ts';

/** Closing takes a moment; orders that a kill has not closed by then are left to the heartbeat. */
export const PATIENCE_MS = 10_000;

/**
 * Whether the orders of a kill are still not closed after a while: the heartbeat is then left to expire, which closes
 * them, and is kept again once none is left.
 */
export class Unclosed {
  #sinceMs: number | null = null;
  #overMs = -Infinity;

  /** How many orders may still be open though everything is to be closed. */
  see(orders: number, nowMs: number): void {
    if (orders > 0) {
      this.#sinceMs ??= nowMs;
    } else {
      if (this.isFailed(nowMs)) this.#overMs = nowMs;
      this.#sinceMs = null;
    }
  }

  /** Whether closing has failed, by so much more than is allowed. */
  isFailed(nowMs: number, byMs = 0): boolean {
    return nowMs - (this.#sinceMs ?? nowMs) > PATIENCE_MS + byMs;
  }

  /** When closing last ceased to have failed; -Infinity for never. */
  get overMs(): number {
    return this.#overMs;
  }
}

/** What a kill has left, open at the exchange or without an end in the journal. */
export class AfterKill {
  readonly unclosed = new Unclosed();
  /**
   * As each run counts it for itself, unless it cannot read or write what became of its orders: of an order whose end is in
   * the journal it knows once it was told.
   */
  readonly left = new Unclosed();

  /** Often; when a person has stopped everything, and how many orders have no end in the journal. */
  see({ run, clock, disk, orders }: World, killedSinceMs: number | null, unsettled: number): void {
    const nowMs = clock.monotonicMs();
    const killed = killedSinceMs !== null || (run?.composed.risk.killed ?? null) !== null;
    const open = killed ? orders.open().filter(isOwn) : [];
    this.unclosed.see(killed ? open.length + unsettled : 0, nowMs);
    const counts =
      killed && run?.started === true && !disk.damageMet && !run.composed.parts.orders.status().journalFailed;
    const told = open.filter(({ orderId }) => run?.told.orders.has(orderId) === true);
    this.left.see(counts ? told.length + unsettled : 0, nowMs);
  }
}

/**
 * Since when a run knows of an order that it has not told to close: one may land when the heartbeat has run out and no other
 * can be armed. Infinity for none.
 */
export function standsSinceMs(run: Run | null, open: readonly OwnOrder[]): number {
  const standing = open.filter(({ orderId }) => run?.told.closes.has(orderId) === false);
  return Math.min(...standing.map(({ orderId }) => run?.told.orders.get(orderId) ?? Infinity));
}
