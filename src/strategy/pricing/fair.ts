import type { MarketSide, SelectionView } from '../../domain/event-view.ts';
import { logOddsOf, probabilityOf } from '../../domain/odds.ts';
import { bestLevel, type PriceLevel } from '../../domain/price-list.ts';

/** The two best prices of a selection, as takers see them. */
export interface TopOfBook {
  /** What `for` takers get: rests `against`. The lower price. */
  readonly forTakers: PriceLevel;
  /** What `against` takers get: rests `for`. The higher price. */
  readonly againstTakers: PriceLevel;
}

/** Null where one side is missing, empty or stale, or where the sides cross. */
export function topOfBook(market: SelectionView['market']): TopOfBook | null {
  const forTakers = bestOf('for', market.for);
  const againstTakers = bestOf('against', market.against);
  if (forTakers === undefined || againstTakers === undefined) return null;
  return forTakers.price < againstTakers.price ? { forTakers, againstTakers } : null;
}

const bestOf = (direction: 'for' | 'against', side: MarketSide | null): PriceLevel | undefined =>
  side === null ? undefined : bestLevel(direction, side.priceList);

/** Distance of the two sides in log-odds. */
export function logOddsWidth({ forTakers, againstTakers }: TopOfBook): number {
  return logOddsOf(forTakers.price) - logOddsOf(againstTakers.price);
}

/**
 * Weighted mid in probability: each side weighs as much as the *other* side's contracts (stake × price), since the
 * thinner side is the one about to give way.
 */
export function weightedMid({ forTakers, againstTakers }: TopOfBook): number {
  const ask = probabilityOf(forTakers.price);
  const bid = probabilityOf(againstTakers.price);
  const askContracts = forTakers.maxMicros * forTakers.price;
  const bidContracts = againstTakers.maxMicros * againstTakers.price;
  return (bidContracts * ask + askContracts * bid) / (bidContracts + askContracts);
}

/** Log-odds of a probability. */
export const logit = (probability: number): number => Math.log(probability / (1 - probability));
