/**
 * Price-time priority: the best price first, and the oldest stake first at one price. A cancellation removes the newest
 * stake, so that it never moves an order forward.
 */
import type { Micros } from '../domain/money.ts';
import { compareToLimit } from '../domain/odds.ts';
import {
  canMatch,
  type FillModel,
  isBackground,
  isShownAtLimit,
  limitOf,
  matchedStakes,
  minBetMicrosOf,
  type Level,
  type Match,
  type Share,
  type Taker,
} from './fill-model.ts';

export const PRICE_TIME: FillModel = {
  name: 'price-time',
  atTrade: 'nothing',
  match(levels, taker) {
    const matches: Match[] = [];
    const limit = limitOf(taker);
    let wantedMicros = taker.stakeMicros;
    for (const level of levels) {
      if (wantedMicros <= 0 || compareToLimit(level, limit) < 0) break;
      if (taker.exact === true && !isShownAtLimit(level, taker)) continue;
      wantedMicros -= matchLevel(level, taker, wantedMicros, matches);
    }
    return matches;
  },
  withdraw({ queue }, owner, stakeMicros) {
    const shares: Share[] = [];
    let leftMicros = stakeMicros;
    for (const resting of queue.toReversed()) {
      if (leftMicros <= 0) break;
      if (!isBackground(resting, owner)) continue;
      const shareMicros = Math.min(leftMicros, resting.remainingMicros);
      shares.push({ resting, stakeMicros: shareMicros });
      leftMicros -= shareMicros;
    }
    return shares;
  },
};

/** Matches a level in the order of its queue: adds to `matches`, and returns the taker's matched stake. */
export function matchLevel(level: Level, taker: Taker, wantedMicros: Micros, matches: Match[]): Micros {
  let takenMicros = 0;
  for (const resting of level.queue) {
    if (takenMicros >= wantedMicros) break;
    const { stakeMicros, takerMicros } = matchedStakes(resting, taker, wantedMicros - takenMicros);
    if (stakeMicros <= 0 || takerMicros <= 0) continue;
    if (taker.isAnySize !== true && stakeMicros < minBetMicrosOf(resting)) continue;
    if (!canMatch(resting, taker)) continue;
    takenMicros += takerMicros;
    matches.push({ resting, tick: level.tick, stakeMicros, takerMicros });
  }
  return takenMicros;
}
