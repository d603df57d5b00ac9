import type { EventView, SelectionView } from '../../domain/event-view.ts';
import { fromMicros } from '../../domain/money.ts';
import { GRID_SIZE } from '../../domain/payoff.ts';
import { logOddsWidth, topOfBook, weightedMid } from './fair.ts';
import { fitScores, type FitTarget, type FittedScores } from './fit.ts';

/** Only three numbers are fitted. More markets cost time, and the widest hardly count. */
const MOST_TARGETS = 20;

/**
 * Fits the score grid to the event's two-sided markets with a known settlement that are at most `maxWidth` wide, in
 * log-odds. The twenty narrowest are used, each weighted by 1/width². Null when there are fewer than three.
 */
export function fitEvent({ selections }: EventView, maxWidth: number): FittedScores | null {
  const targets = selections.flatMap((selection) => targetOf(selection, maxWidth));
  return fitScores(targets.sort((a, b) => b.weight - a.weight).slice(0, MOST_TARGETS));
}

function targetOf({ market, grid }: SelectionView, maxWidth: number): FitTarget[] {
  const top = topOfBook(market);
  if (top === null || !grid) return [];
  const width = logOddsWidth(top);
  if (width > maxWidth) return [];
  return [{ settlement: grid, price: 1 / weightedMid(top), weight: 1 / width ** 2 }];
}

/**
 * Profit in USDT of all our matched bets on the event, in each of the 400 final scores (index home × 20 + away). Holdings
 * whose settlement is not known are left out, because they cannot be assigned to a score.
 */
export function bookPayoff({ holdings = [] }: EventView): Float64Array {
  const payoff = new Float64Array(GRID_SIZE ** 2);
  for (const { position, grid } of holdings) {
    if (grid === null) continue;
    const win = fromMicros(position.ifWinMicros);
    const lose = fromMicros(position.ifLoseMicros);
    for (let at = 0; at < payoff.length; at++) {
      payoff[at] = (payoff[at] as number) + win * (grid.won[at] as number) + lose * (grid.lost[at] as number);
    }
  }
  return payoff;
}
