/** Quotes of betslips: the book as everyone sees it, or the product of a parlay's legs. */
import type { DangerList } from './danger.ts';
import type { Resting } from './fill-model.ts';
import type { BetslipRecord, MarketBook, ShownLevel } from './model.ts';
import { sourceOf } from './taker.ts';
import { money, type Money } from './wire.ts';

export interface QuoteJson {
  readonly priceList: readonly unknown[];
  readonly total: Money | null;
}

/** The current quote of a betslip. With `exclude_danger` it leaves out the stake of sources in danger. */
export function quoteOf(betslip: BetslipRecord, danger: DangerList): QuoteJson {
  const accepts = (entry: Resting): boolean => !danger.has(sourceOf(entry));
  const levels = quotedLevels(betslip, betslip.excludeDanger ? accepts : undefined);
  const total = levels.reduce((sum, level) => sum + level.stakeMicros, 0);
  return { priceList: levels.map(levelJson), total: money(total) };
}

/** The levels of a quote, the highest price first. */
function quotedLevels(betslip: BetslipRecord, accepts?: (entry: Resting) => boolean): readonly ShownLevel[] {
  const [first] = betslip.selections;
  if (betslip.type !== 'parlay') return first?.market.shownLevels(first.parsed.direction, accepts) ?? [];
  const combined = parlayLevel(betslip.selections.map(({ market }) => market));
  return combined === null ? [] : [combined];
}

const levelJson = ({ price, stakeMicros, minBetMicros }: ShownLevel): unknown => ({
  effective: { price, min: minBetMicros === 0 ? null : money(minBetMicros), max: money(stakeMicros) },
});

/**
 * The single level of a parlay: the product of the legs' best `for` prices, with the smallest stake that a leg shows
 * there. Null if a leg has no price.
 */
export function parlayLevel(markets: readonly MarketBook[]): ShownLevel | null {
  let price = 1;
  let stakeMicros = Infinity;
  for (const market of markets) {
    const best = market.shownLevels('for')[0];
    if (best === undefined) return null;
    price *= best.price;
    stakeMicros = Math.min(stakeMicros, best.stakeMicros);
  }
  return { price: Math.round(price * 1e6) / 1e6, stakeMicros, minBetMicros: 0 };
}
