import { priceOf } from '../../domain/ladder.ts';
import { betterLogOdds, furthestTick, selectionLogOdds, tickAtLogOdds } from '../../domain/odds.ts';
import { kindOfIntent, type QuoteIntent } from '../../domain/quote-intent.ts';

/** A quote made worse for takers by a distance in log-odds, on the first tick of its own ladder that is at least as far away. */
export function widen(intent: QuoteIntent, byLogOdds: number): QuoteIntent {
  if (byLogOdds <= 0) return intent;
  const kind = kindOfIntent(intent);
  const logOdds = selectionLogOdds(kind, priceOf(intent.tick));
  const tick = tickAtLogOdds(kind, betterLogOdds(kind, logOdds, byLogOdds)) ?? furthestTick(kind);
  return { ...intent, tick };
}
