import { logOddsOf, roundedFrom } from '../../domain/odds.ts';
import { DIRECTIONS } from '../../domain/selection.ts';
import { selectionScope } from '../states/trading-states.ts';
import { type Alarm, pull } from './alarm.ts';
import type { BestPrices, SelectionSighting } from './sightings.ts';

/** Our private quote and the public offers show different prices: one of them has stopped moving. */
export function divergence(
  maxLogOdds: number,
  coolDownS: number,
): (sighting: SelectionSighting) => Alarm | null {
  return (sighting) => {
    const distance = divergenceOf(sighting.offers, sighting.quotes);
    if (distance <= maxLogOdds) return null;
    const numbers = { actual: distance, limit: maxLogOdds };
    return pull(
      'divergence',
      selectionScope(sighting),
      coolDownS,
      'quote and offers show different prices',
      numbers,
    );
  };
}

/**
 * Largest distance in log-odds over the directions in which both have a price. One of them may be shown on another ladder than the
 * other, and rounded: what rounding explains is no distance.
 */
export function divergenceOf(offers: BestPrices, quotes: BestPrices): number {
  const distances = DIRECTIONS.map((direction) => {
    const offer = offers[direction];
    const quote = quotes[direction];
    return offer === null || quote === null ? 0 : Math.max(0, beyond(offer, quote), beyond(quote, offer));
  });
  return Math.max(...distances);
}

/** How far the lowest log-odds that one price may stand for are above the highest of the other; negative if they overlap. */
const beyond = (price: number, below: number): number => logOddsOf(price) - logOddsOf(roundedFrom(below));
