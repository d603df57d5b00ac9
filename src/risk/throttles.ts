import type { SelectionId } from '../domain/ids.ts';
import type { Fill } from '../domain/live-order.ts';
import type { RiskLimits } from './limits.ts';
import { RollingCount } from './rolling.ts';

const MINUTE_MS = 60_000;

/**
 * Counts what an algorithm repeats without a person looking: orders a minute on the account, and fills of one
 * selection in one direction. Whoever passes such a limit is stopped until a person releases it.
 */
export class Throttles {
  readonly #limits: RiskLimits['throttle'];
  readonly #orders = new RollingCount(MINUTE_MS);
  readonly #fills = new Map<string, RollingCount>();

  constructor(limits: RiskLimits['throttle']) {
    this.#limits = limits;
  }

  onApproved(nowMs: number): void {
    this.#orders.add(nowMs);
  }

  ordersLastMinute(nowMs: number): number {
    return this.#orders.count(nowMs);
  }

  /** Answers the number of fills when it passes the limit, else null. */
  onFill({ selectionId, direction }: Fill, nowMs: number): number | null {
    const key = `${selectionId}#${direction}`;
    const fills = this.#fills.get(key) ?? new RollingCount(this.#limits.repeatedWindowS * 1_000);
    this.#fills.set(key, fills);
    fills.add(nowMs);
    const count = fills.count(nowMs);
    return count > this.#limits.repeatedFills ? count : null;
  }

  /** A person released the stop: counting starts anew. */
  reset(): void {
    this.#orders.clear();
    this.#fills.clear();
  }

  forget(selectionIds: Iterable<SelectionId>): void {
    for (const id of selectionIds) {
      this.#fills.delete(`${id}#for`);
      this.#fills.delete(`${id}#against`);
    }
  }
}
