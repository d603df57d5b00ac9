/**
 * A hedge never worsens. Its bets are matched one by one, in part, or not at all. In each final state, what is matched now and the losses
 * of all bets of the hedge together must not be below the worst case that the event has now. Every subset of fills pays at least that.
 */
import { fromMicros, type Micros } from '../domain/money.ts';
import { type OutcomeBook, worstMicros } from './book.ts';
import { type PlannedLeg, withBets } from './legs.ts';

/** The least that any subset of the fills of a hedge can leave. */
export const leastOverFills = (book: OutcomeBook, legs: readonly PlannedLeg[]): Micros =>
  worstMicros(withBets(book, legs, 'losses'));

/** Why a hedge is refused; null if no subset of its fills makes the worst case worse. */
export function refusalOf(book: OutcomeBook, legs: readonly PlannedLeg[]): string | null {
  const [before, least] = [worstMicros(book), leastOverFills(book, legs)];
  if (least >= before) return null;
  return `if only a part of it is matched, the worst case falls from ${fromMicros(before)} to ${fromMicros(least)} USDT`;
}
