import type { LiveSelection } from '../../../../read-model/live/message.ts';

/** Half a cent: less reads as nothing. */
const LEAST_SHOWN = 0.005;

/**
 * What a selection's bets pay, whatever its outcome, if they are closed at a price of the selection; after commission as if they were all that
 * the event has. Null without a position.
 */
export function closedAt(
  { ifWin, ifLose }: Pick<LiveSelection, 'ifWin' | 'ifLose'>,
  price: number,
  commissionRate: number,
): number | null {
  if (!isPosition({ ifWin, ifLose })) return null;
  // The other side has as many contracts, so that its stake is their number divided by the price.
  const pays = ifLose + (ifWin - ifLose) / price;
  return pays - commissionRate * Math.max(0, pays);
}

/** Whether bets on a selection pay anything that the page shows. */
export const isPosition = ({ ifWin, ifLose }: Pick<LiveSelection, 'ifWin' | 'ifLose'>): boolean =>
  Math.max(Math.abs(ifWin), Math.abs(ifLose)) >= LEAST_SHOWN;
