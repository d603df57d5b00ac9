import type { BetId, RequestUuid } from '../domain/ids.ts';
import { isTerminal, type OrderState } from '../domain/lifecycle.ts';
import type { Fill, LiveOrder } from '../domain/live-order.ts';

/** Most rows of each list of the status. */
const SHOWN = 20;
/** Orders kept for the list of a page. */
const KEPT = 500;

/** An order in its present state. */
export interface RecentOrder {
  readonly order: LiveOrder;
  /** Wall-clock milliseconds at which this run first saw it. */
  readonly atMs: number;
}

/** No byte of such an order left, so it is not shown. */
const UNSENT: readonly OrderState[] = ['prepared', 'absent'];

/** The newest orders, and since when orders have an unknown outcome. */
export class RecentOrders {
  /** Oldest first. */
  readonly #orders = new Map<RequestUuid, RecentOrder>();
  /** Monotonic instant since which the outcome of an order is unknown. */
  readonly #unknown = new Map<RequestUuid, number>();

  /** `atMs` is monotonic, `wallMs` of the wall clock. */
  take(order: LiveOrder, atMs: number, wallMs: number): void {
    const { requestUuid, state } = order;
    if (state !== 'unknown') this.#unknown.delete(requestUuid);
    else if (!this.#unknown.has(requestUuid)) this.#unknown.set(requestUuid, atMs);
    const known = this.#orders.get(requestUuid);
    if (known === undefined && (UNSENT.includes(state) || isTerminal(state))) return;
    this.#orders.set(requestUuid, { order, atMs: known?.atMs ?? wallMs });
    const [oldest] = this.#orders.keys();
    if (this.#orders.size > KEPT && oldest !== undefined) this.#orders.delete(oldest);
  }

  /** The newest of the kept ones, newest first. */
  newest(count = SHOWN): readonly RecentOrder[] {
    return [...this.#orders.values()].slice(-count).reverse();
  }

  /** Milliseconds for which the outcome of an order has been unknown, the longest; null if no outcome is. */
  oldestUnknownMs(nowMs: number): number | null {
    if (this.#unknown.size === 0) return null;
    return Math.max(0, nowMs - Math.min(...this.#unknown.values()));
  }
}

/** The newest fills, in whatever order they are reported. */
export class RecentFills {
  #fills: readonly Fill[] = [];
  readonly #markouts10 = new Map<BetId, number>();

  /** Takes each bet once. */
  take(fill: Fill): void {
    this.#fills = [...this.#fills, fill].toSorted(newestFirst).slice(0, SHOWN);
    for (const betId of this.#markouts10.keys()) if (!this.#isKept(betId)) this.#markouts10.delete(betId);
  }

  /** Takes what a fill had gained ten seconds later, as a share of its stake. */
  mark(betId: BetId, ratio: number): void {
    if (this.#isKept(betId)) this.#markouts10.set(betId, ratio);
  }

  /** Null while it is not known. */
  markout10(betId: BetId): number | null {
    return this.#markouts10.get(betId) ?? null;
  }

  #isKept(betId: BetId): boolean {
    return this.#fills.some((fill) => fill.betId === betId);
  }

  /** Newest first. */
  all(): readonly Fill[] {
    return this.#fills;
  }
}

const newestFirst = (a: Fill, b: Fill): number => b.atMs - a.atMs || b.betId - a.betId;
