import type { LiveSelection } from '../../../read-model/live/message.ts';

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
