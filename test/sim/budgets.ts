import { type BudgetName, Budgets } from '../../src/simulator/core/limits.ts';
import { type BucketSettings, DEFAULT_LIMITS } from '../../src/simulator/core/settings.ts';
import type { FaultKind } from '../../src/simulator/faults/schema.ts';
import type { SimPlan } from './plan.ts';
import type { SentRequest } from './witness.ts';

const BUDGETS: Readonly<Record<string, BudgetName>> = {
  'POST /v2/orders/': 'orders',
  'POST /v2/betslips/': 'betslips',
};

/** Networks that bunch or repeat what was spread when it was sent. */
const SHIFTING: readonly FaultKind[] = ['delayed', 'late', 'applied_twice'];
/** What a person sends to place one order. */
const REQUESTS_BY_HAND = 4;

/**
 * 21: what the daemon sends, over all its runs, stays within the exchange's own budgets, drawn on at the instants of
 * sending. That is all that it can know; what networks and people add is told apart by `excused`.
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
        ...{ general: general.map(smaller), betslips: betslips.map(smaller), orders: orders.map(smaller) },
      },
      startMs,
    );
  }

  /** The budget that a request overdraws, null when it keeps within: one whose connection is refused draws on none. */
  overdrawn({ what, atMs }: SentRequest, isNetworkDown: boolean): BudgetName | null {
    if (isNetworkDown) return null;
    const name = BUDGETS[what] ?? 'general';
    this.#bunched.spend(name, atMs);
    return this.#budgets.spend(name, atMs) > 0 ? name : null;
  }

  /**
   * How many answers "throttled" are not the daemon's doing, at most: the others', and requests that kept within their
   * budgets when they were sent and may not have when they arrived. It only grows, and is asked for when it is too few.
   */
  notOurs(throttled: number, others: () => number): number {
    if (throttled > this.#notOurs) this.#notOurs = others() + this.#bunched.throttledCount;
    return this.#notOurs;
  }
}

/**
 * Requests that arrive within a stretch of time were sent within one that is longer by the spread of the latency: where
 * a budget smaller by what it refills in that spread holds for the sends, the whole one holds for the arrivals.
 */
const smallerBy =
  (spreadS: number) =>
  ({ burst, perSecond }: BucketSettings): BucketSettings => ({
    burst: burst - perSecond * spreadS,
    perSecond,
  });

/** Answers "throttled" that are not the daemon's doing, at most: one for each request shifted, repeated or added. */
export function excused(faults: Readonly<Partial<Record<FaultKind, number>>>, ordersByHand: number): number {
  const shifted = SHIFTING.reduce((sum, kind) => sum + (faults[kind] ?? 0), 0);
  return shifted + ordersByHand * REQUESTS_BY_HAND;
}
