/**
 * How far settled profit may stray from what the closing line expected. The closing line gives each selection a probability; what is
 * held on it pays one amount if it wins and another if it loses.
 *
 * Selections of one market that exclude each other (home, draw, away) make one position with a payoff for each winner, whose
 * standard deviation is exact. The deviations of positions that may go together (several handicaps, several markets of a match) are
 * added, as if they always did: an upper bound, so the distance from luck is never overstated. Matches are independent: their
 * variances add.
 */
import { selectionFrom } from '../../domain/selection.ts';
import type { ResearchFill } from '../result.ts';
import { payoffs } from './worth.ts';

/** Bet types of which at most one wins in a market. */
const EXCLUSIVE = new Set(['h', 'd', 'a', 'cs', 'win', 'dnb', 'odd', 'even', 'exact_total']);

/** What is held on one selection. */
interface Held {
  readonly fair: number;
  wonMicros: number;
  lostMicros: number;
}

/** Variance of the profit of fills with a closing line, micros squared. */
export function varianceAtClose(fills: readonly ResearchFill[]): number {
  let variance = 0;
  for (const event of Map.groupBy(fills, ({ event: { sport, eventId } }) => `${sport}|${eventId}`).values()) {
    let deviation = 0;
    for (const position of positionsOf(event)) deviation += Math.sqrt(varianceOf(position));
    variance += deviation ** 2;
  }
  return variance;
}

/** What is held on selections that exclude each other, one list for each market; other selections alone. */
function positionsOf(fills: readonly ResearchFill[]): Iterable<readonly Held[]> {
  const positions = new Map<string, Map<string, Held>>();
  for (const fill of fills) {
    if (fill.fairAtClose === null) continue;
    const { selectionId, marketId } = fill;
    const family = selectionFrom(selectionId)?.outcome.split(',')[0] ?? '';
    const name = EXCLUSIVE.has(family) ? marketId : `${marketId} ${selectionId}`;
    const position = positions.get(name) ?? new Map<string, Held>();
    positions.set(name, position);
    const held = position.get(selectionId) ?? { fair: fill.fairAtClose, wonMicros: 0, lostMicros: 0 };
    position.set(selectionId, held);
    const [won, lost] = payoffs(fill);
    held.wonMicros += won;
    held.lostMicros += lost;
  }
  return [...positions.values()].map((position) => [...position.values()]);
}

/** Variance of a position of which at most one selection wins. */
function varianceOf(position: readonly Held[]): number {
  const allLost = position.reduce((sum, { lostMicros }) => sum + lostMicros, 0);
  const sum = position.reduce((total, { fair }) => total + fair, 0);
  // Mids of one market may add up to a little more than one.
  const scale = Math.max(1, sum);
  let mean = allLost * (1 - sum / scale);
  let square = allLost ** 2 * (1 - sum / scale);
  for (const { fair, wonMicros, lostMicros } of position) {
    const paid = allLost - lostMicros + wonMicros;
    mean += (fair / scale) * paid;
    square += (fair / scale) * paid ** 2;
  }
  return Math.max(0, square - mean ** 2);
}
