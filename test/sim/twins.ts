import { isStalled } from './duties.ts';
import type { OwnOrder } from './exchange-orders.ts';
import type { SimPlan } from './plan.ts';
import { traitsOf } from './traits.ts';
import type { World } from './world.ts';

/** An order of somebody else counts this long after the run was told of it. */
export const TAKEN_IN_MS = 2_000;

/**
 * Creates that the network doubled: the answer "throttled" to one copy may be heard before the order that the other
 * became, and by the specification it says that nothing was created. Such an order counts, as somebody else's would,
 * once the run was told of it.
 */
export class ThrottledTwins {
  readonly #world: World;
  readonly #plan: SimPlan;

  constructor(world: World, plan: SimPlan) {
    this.#world = world;
    this.#plan = plan;
  }

  get any(): boolean {
    return traitsOf(this.#plan).doublesRequests && this.#world.throttledCreates.size > 0;
  }

  has(requestUuid: string): boolean {
    return this.any && this.#world.throttledCreates.has(requestUuid);
  }

  /** Whether the run cannot have taken it in yet; nor one that lands late, of which a damaged journal does not tell it. */
  isUnheard({ requestUuid, orderId }: OwnOrder): boolean {
    if (!this.has(requestUuid) && !this.#world.disk.damageMet) return false;
    const nowMs = this.#world.clock.monotonicMs();
    const toldMs = this.#world.run?.told.orders.get(orderId) ?? Infinity;
    return isStalled(this.#plan, nowMs) || nowMs - toldMs < TAKEN_IN_MS;
  }
}
