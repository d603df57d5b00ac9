import type { Direction } from '../../domain/selection.ts';
import type { SettlementGrid } from '../../domain/payoff.ts';
import { rootBetween } from '../../lib/roots.ts';
import { fairPrice, type Outcome, outcomesOf, type ScoreGrid } from './score-grid.ts';

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
  const outcomes = outcomesOf(tilted, settlement);
  const excess = (price: number): number => moment(outcomes, scale, price) - 1;
  // With so little at stake risk costs less than a double can tell, and rounding may even make it a gain.
  if (!(excess(fair) > 0)) return fair;
  const beyond = firstBeyond(direction, fair, (price) => excess(price) < 0);
  return beyond === null ? null : rootBetween(excess, fair, beyond);
}

/** A price further and further from fair, on the side that favours the bet, until it is good enough. */
function firstBeyond(
  direction: Direction,
  fair: number,
  isEnough: (price: number) => boolean,
): number | null {
  for (let reach = 1.25; ; reach *= reach) {
    const price = 1 + (fair - 1) * (direction === 'for' ? reach : 1 / reach);
    if (isEnough(price)) return price;
    if (price < LOWEST || price > HIGHEST) return null;
  }
}

function moment(outcomes: readonly Outcome[], scale: number, price: number): number {
  let total = 0;
  for (const { won, lost, probability } of outcomes) {
    total += probability * Math.exp(-scale * (won * (price - 1) - lost));
  }
  return total;
}
