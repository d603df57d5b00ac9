import type { InspectedOrder } from '../../../src/simulator/core/api.ts';
import { isSameEvent } from '../../../src/simulator/core/catalogue.ts';
import { PAID } from '../position-bracket.ts';
import { traitsOf } from '../traits.ts';
import type { World } from '../world.ts';
import type { MakeJudgement } from './judge.ts';

/** Judges nothing, and counts what happened at the exchange that its faults only make possible. */
export const paths: MakeJudgement = ({ world, plan }) => ({
  onEvent(changed) {
    if (traitsOf(plan).resultsMs > 0 && changed.some((order) => isPaidBeforeOthers(order, world)))
      world.note('path: order paid before others');
    const inDanger = world.run?.received.inDanger;
    if (inDanger === undefined || inDanger.size === 0) return;
    inDanger.clear();
    world.note('path: bet told in danger');
  },
});

/** Other orders with bets on its event, which is over, wait for their results still. */
function isPaidBeforeOthers(order: InspectedOrder, world: World): boolean {
  if (!PAID.has(order.status) || !world.isDecided(order)) return false;
  return world.orders
    .all()
    .some((other) => isSameEvent(other, order) && other.fills.length > 0 && !PAID.has(other.status));
}
