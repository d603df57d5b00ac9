import type { Direction } from '../../domain/selection.ts';
import type { SettlementGrid } from '../../domain/settlement-grid.ts';
import { rootBetween } from '../../lib/roots.ts';
import { fairPrice, type ScoreGrid } from './score-grid.ts';

/** Prices between which an indifference price is looked for. */
const LOWEST = 1 + 1e-9;
const HIGHEST = 1e6;

/**
 * The price at which someone with constant absolute risk aversion would as soon make a bet of this stake as not:
 * E_π̃[e^(-aversion × stake × profit)] = 1 on the tilted grid. A `for` bet is wanted at this price or above, an
 * `against` bet at it or below. Without stake it is the tilted grid's fair price. Null when no price is right: the bet
 * is certain, or its loss weighs more than any win.
 */
export function indifferencePrice(
  direction: Direction,
  tilted: ScoreGrid,
  settlement: SettlementGrid,
  stake: number,
  aversion: number,
): number | null {
  const fair = fairPrice(tilted, settlement);
  if (!(fair > LOWEST && fair < HIGHEST)) return null;
  const scale = aversion * stake * (direction === 'for' ? 1 : -1);
  if (scale === 0) return fair;
  const excess = (price: number): number => moment(tilted, settlement, scale, price) - 1;
  const [from, to] = direction === 'for' ? [fair, HIGHEST] : [LOWEST, fair];
  return Math.sign(excess(from)) === Math.sign(excess(to)) ? null : rootBetween(excess, from, to);
}

function moment(tilted: ScoreGrid, { won, lost }: SettlementGrid, scale: number, price: number): number {
  let total = 0;
  for (let at = 0; at < tilted.length; at++) {
    const profit = (won[at] as number) * (price - 1) - (lost[at] as number);
    total += (tilted[at] as number) * Math.exp(-scale * profit);
  }
  return total;
}
