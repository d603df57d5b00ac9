import type { PositionView } from '../domain/event-view.ts';
import { type Micros, ROUNDING_MICROS } from '../domain/money.ts';
import { levelAt, levelCount, type PriceList } from '../domain/price-list.ts';
import type { Direction } from '../domain/selection.ts';

/** Prices available to takers of each direction, without our own stake; null if they are not fresh. */
export type Depth = Readonly<Record<Direction, PriceList | null>>;

/**
 * What a selection's bets pay, whatever happens, if the position is closed now through the prices that are there. Rounded against us.
 * Null if the prices are not fresh, or hold too little stake. A difference between winning and losing that rounding may explain needs
 * no closing.
 */
export function closedMicros({ ifWinMicros, ifLoseMicros }: PositionView, depth: Depth): Micros | null {
  const contracts = ifWinMicros - ifLoseMicros;
  if (Math.abs(contracts) <= ROUNDING_MICROS) return Math.min(ifWinMicros, ifLoseMicros);
  const direction = contracts > 0 ? 'against' : 'for';
  const list = depth[direction];
  const stake = list === null ? null : stakeThrough(direction, list, Math.abs(contracts));
  if (stake === null) return null;
  // If the selection loses, a bet against it wins its stake, and a bet for it loses its stake.
  return Math.floor(direction === 'against' ? ifLoseMicros + stake : ifLoseMicros - stake);
}

/**
 * The stake that takes this many contracts (stake × price) from the best level on; null if the levels hold too few. A level whose
 * minimum is above the stake that is still needed cannot be taken.
 */
function stakeThrough(direction: Direction, list: PriceList, contracts: number): number | null {
  const count = levelCount(list);
  let left = contracts;
  let stake = 0;
  for (let at = 0; at < count; at++) {
    const level = levelAt(list, direction === 'for' ? at : count - 1 - at);
    if (level === undefined) break;
    const needed = left / level.price;
    if (needed < (level.minMicros ?? 0)) continue;
    if (needed <= level.maxMicros) return stake + needed;
    stake += level.maxMicros;
    left -= level.maxMicros * level.price;
  }
  return null;
}
