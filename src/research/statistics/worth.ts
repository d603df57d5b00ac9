/** What fills are worth at a probability, before any result. */
import { priceOf } from '../../domain/ladder.ts';
import type { ResearchFill } from '../result.ts';

/** The expected profit of a fill at the probability `fair` that its `for` side wins, micros: stake × (price × fair − 1). */
export function worthMicros({ direction, tick, stakeMicros }: ResearchFill, fair: number): number {
  const forMicros = stakeMicros * (priceOf(tick) * fair - 1);
  return direction === 'for' ? forMicros : 0 - forMicros;
}

/** Profit of a fill if its selection wins, and if it loses, micros. */
export function payoffs({ direction, tick, stakeMicros }: ResearchFill): readonly [number, number] {
  const wonMicros = stakeMicros * (priceOf(tick) - 1);
  return direction === 'for' ? [wonMicros, -stakeMicros] : [-wonMicros, stakeMicros];
}
