import { logOddsOf } from '../../domain/odds.ts';
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

/** Largest distance in log-odds over the directions in which both have a price. */
export function divergenceOf(offers: BestPrices, quotes: BestPrices): number {
  const distances = DIRECTIONS.map((direction) => {
    const offer = offers[direction];
    const quote = quotes[direction];
    return offer === null || quote === null ? 0 : Math.abs(logOddsOf(offer) - logOddsOf(quote));
  });
  return Math.max(...distances);
}
