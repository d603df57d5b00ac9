import { ceilTick, floorTick, LAST_TICK, logOddsOf, priceOf, priceOfLogOdds } from '../../domain/odds.ts';
import type { QuoteIntent } from '../../domain/quote-intent.ts';

/** A quote made worse for takers by a distance in log-odds, on the first tick that is at least as far away. */
export function widen(intent: QuoteIntent, byLogOdds: number): QuoteIntent {
  if (byLogOdds <= 0) return intent;
  const logOdds = logOddsOf(priceOf(intent.tick));
  // A higher price is a lower log-odds: `for` wants more, `against` gives less.
  const isFor = intent.direction === 'for';
  const price = priceOfLogOdds(isFor ? logOdds - byLogOdds : logOdds + byLogOdds);
  const tick = isFor ? (ceilTick(price) ?? LAST_TICK) : (floorTick(price) ?? 0);
  return { ...intent, tick };
}
