/** Prices of bets that were matched before another runner left. */
import type { EventTape } from '../research/tape.ts';

/** A smaller factor, in percent, does not reduce bets on the winner. */
const LEAST_WIN_PERCENT = 2.5;

/**
 * The price at which a bet of an instant stands at a later one: of bets on the winner `p Π (1 − f)`, of bets on a place
 * `1 + (p − 1) Π (1 − f)`, over the factors of the runners that left in between.
 */
export function reducedPrice(
  { markets, removals, selections }: Pick<EventTape, 'markets' | 'removals' | 'selections'>,
  selection: number,
  price: number,
  fromMs: number,
  untilMs: number,
): number {
  const market = selections[selection]?.market ?? -1;
  const isWin = markets[market]?.marketType === 'win';
  const kept = removals
    .filter((each) => each.market === market && each.selection !== selection)
    .filter(({ atMs }) => atMs > fromMs && atMs <= untilMs)
    .map(({ factor }) => factor ?? 0)
    .filter((percent) => !isWin || percent >= LEAST_WIN_PERCENT)
    .reduce((product, percent) => product * (1 - percent / 100), 1);
  if (kept === 1) return price;
  return isWin ? price * kept : 1 + (price - 1) * kept;
}
