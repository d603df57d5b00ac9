import { isStalled } from './duties.ts';
import type { OwnOrder } from './exchange-orders.ts';
import type { SimPlan } from './plan.ts';
import { traitsOf } from './traits.ts';
import type { World } from './world.ts';

/** A foreign order counts this long after it was reported to the run. */
export const TAKEN_IN_MS = 2_000;

/**
 * Creates that the network doubled. The run may receive "throttled" for one copy before the order of the other, and by
 * the specification that means that nothing was created. Such an order counts as a foreign one, once it was reported to
 * the run.
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

  /** Whether the run cannot have counted it yet. A late lander that a damaged journal lacks is included. */
  isUnreported({ requestUuid, orderId }: OwnOrder): boolean {
    if (!this.has(requestUuid) && !this.#world.disk.damageMet) return false;
    const nowMs = this.#world.clock.monotonicMs();
    const receivedMs = this.#world.run?.received.orders.get(orderId) ?? Infinity;
    return isStalled(this.#plan, nowMs) || nowMs - receivedMs < TAKEN_IN_MS;
  }
}
