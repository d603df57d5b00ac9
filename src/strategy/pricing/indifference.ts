import type { Direction } from '../../domain/selection.ts';
import type { SettlementGrid } from '../../domain/payoff.ts';
import { rootBetween } from './roots.ts';
import { fairPrice, type Outcome, outcomesOf, type ScoreGrid } from './score-grid.ts';

/** Bounds of the search for an indifference price. */
const LOWEST = 1 + 1e-9;
const HIGHEST = 1e6;

/**
 * The decimal price at which a bet of this stake neither gains nor loses utility under constant absolute risk aversion:
 * E_π̃[e^(-aversion × stake × profit)] = 1 on the tilted grid. `stake` is in USDT, `aversion` per USDT.
 *
 * A `for` bet is wanted at this price or above, an `against` bet at this price or below. With a stake of 0 it is the
 * tilted grid's fair price. Null when there is no such price: the bet is certain, or its loss outweighs any win.
 *
 * @example
 * const fair = scoreGrid({ home: 1.5, away: 1.2, rho: 0 });
 * const homeWins = settlementGrid((home, away) => (home > away ? WIN : LOSS));
 * fair && indifferencePrice('for', fair, homeWins, 0, 0.001); // 2.2652
 * fair && indifferencePrice('for', fair, homeWins, 100, 0.001); // 2.4279
 * fair && indifferencePrice('against', fair, homeWins, 100, 0.001); // 2.1368
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
  // With a tiny stake the cost of risk is below the precision of a double, and rounding may even make it a gain.
  if (!(excess(fair) > 0)) return fair;
  const beyond = firstBeyond(direction, fair, (price) => excess(price) < 0);
  return beyond === null ? null : rootBetween(excess, fair, beyond);
}

/** A price that is good enough, searched ever further from fair on the side that favours the bet; null when none is. */
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
