import { LADDER } from '../../../domain/ladder.ts';
import type { LiveSelection } from '../../../read-model/live/message.ts';

/** With more prices between the highest and the lowest shown, only those that are shown have a rung. */
const MOST_TICKS = 60;

/**
 * What a selection's bets pay, whatever its outcome, if they are closed at a price of the selection; after commission as if they were all that
 * the event has. Null without a position.
 */
export function closedAt(
  { ifWin, ifLose }: Pick<LiveSelection, 'ifWin' | 'ifLose'>,
  price: number,
  commissionRate: number,
): number | null {
  if (ifWin === 0 && ifLose === 0) return null;
  // The other side has as many contracts, so that its stake is their number divided by the price.
  const pays = ifLose + (ifWin - ifLose) / price;
  return pays - commissionRate * Math.max(0, pays);
}

/** Every price of the ladder between two prices, both left out; none if there are too many. */
export function ticksBetween(lowest: number, highest: number): readonly number[] {
  const ticks = LADDER.filter((price) => price > lowest && price < highest);
  return ticks.length > MOST_TICKS ? [] : ticks;
}
