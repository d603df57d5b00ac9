/** How the selections of a tape settle together. */
import { readSettlementGrid, type SettlementGrid } from '../../../domain/payoff.ts';
import type { RiskLimits } from '../../../risk/index.ts';
import { parseBetType, winLossGrid } from '../../../domain/bet-types/index.ts';
import type { EventTape } from '../../tape.ts';
import { codedGrid, type Link } from './exposure.ts';

/** The grid of final scores of each selection; null where scores do not decide it. */
export function gridsOf(tape: EventTape): readonly (SettlementGrid | null)[] {
  return tape.selections.map(({ outcome }) => {
    const parsed = parseBetType(tape.event.sport, `for,${outcome}`);
    return parsed?.onGrid === true ? readSettlementGrid('for', winLossGrid(parsed)) : null;
  });
}

/** As risk nets them: by the score grid in its sports, by the winner of a winner market, else each selection alone. */
export function linksOf(
  tape: EventTape,
  grids: readonly (SettlementGrid | null)[],
  { grids: rules }: RiskLimits,
): readonly Link[] {
  const isScored = rules.scoreSports.includes(tape.event.sport);
  return tape.selections.map(({ market }, at) => {
    const grid = grids[at] ?? null;
    if (isScored && grid !== null) return { kind: 'grid', grid: codedGrid(grid) };
    const marketType = tape.markets[market]?.marketType ?? '';
    return rules.winnerMarketTypes.includes(marketType) ? { kind: 'winner', market } : { kind: 'alone' };
  });
}
