import { type BudgetName, Budgets } from '../../src/simulator/core/limits.ts';
import { type BucketSettings, DEFAULT_LIMITS } from '../../src/simulator/core/settings.ts';
import type { FaultKind } from '../../src/simulator/faults/schema.ts';
import type { SimPlan } from './plan.ts';
import type { SentRequest } from './witness.ts';

const BUDGETS: Readonly<Record<string, BudgetName>> = {
  'POST /v2/orders/': 'orders',
  'POST /v2/betslips/': 'betslips',
};

/** Networks that bunch or repeat requests that were spread when sent. */
const SHIFTING: readonly FaultKind[] = ['delayed', 'late', 'applied_twice'];
/** The requests with which a person places one order. */
const REQUESTS_BY_HAND = 4;

/**
 * 21: all requests of the daemon, over all its runs, stay within the exchange's own budgets, counted at the instants of
 * sending. The daemon can know no more. `excused` counts what networks and people add.
 */
export class SentBudgets {
  readonly #budgets: Budgets;
  readonly #bunched: Budgets;
  #notOurs = 0;

  constructor({ world }: SimPlan, startMs: number) {
    const limits = { ...DEFAULT_LIMITS, betslipsPerDay: world.betslipsPerDay };
    const [lowMs, highMs] = world.latencyMs;
    const smaller = smallerBy((highMs - lowMs) / 1000);
    const { general, betslips, orders } = limits;
    this.#budgets = new Budgets(limits, startMs);
    this.#bunched = new Budgets(
      {
        ...limits,
        general: general.map(smaller),
        betslips: betslips.map(smaller),
        orders: orders.map(smaller),
      },
      startMs,
    );
  }

  /**
   * The budget that a request overdraws; null when it stays within. A request whose connection is refused spends
   * nothing.
   */
  overdrawn({ what, atMs }: SentRequest, isNetworkDown: boolean): BudgetName | null {
    if (isNetworkDown) return null;
    const name = BUDGETS[what] ?? 'general';
    this.#bunched.spend(name, atMs);
    return this.#budgets.spend(name, atMs) > 0 ? name : null;
  }

  /**
   * The greatest number of "throttled" answers that are not the daemon's fault: those of others, and requests that were
   * within their budgets when sent but perhaps not on arrival. The number only grows, and is computed when it is too
   * small.
   */
  notOurs(throttled: number, others: () => number): number {
    if (throttled > this.#notOurs) this.#notOurs = others() + this.#bunched.throttledCount;
    return this.#notOurs;
  }
}

/**
 * Requests that arrive within a span were sent within a span that is longer by the spread of the latency. If the sends
 * stay within a budget that is smaller by the refill in that spread, the arrivals stay within the whole budget.
 */
const smallerBy =
  (spreadS: number) =>
  ({ burst, perSecond }: BucketSettings): BucketSettings => ({
    burst: burst - perSecond * spreadS,
    perSecond,
  });

/**
 * The greatest number of "throttled" answers that are not the daemon's fault: one for each request shifted, repeated or
 * added.
 */
export function excused(faults: Readonly<Partial<Record<FaultKind, number>>>, ordersByHand: number): number {
  const shifted = SHIFTING.reduce((sum, kind) => sum + (faults[kind] ?? 0), 0);
  return shifted + ordersByHand * REQUESTS_BY_HAND;
}
