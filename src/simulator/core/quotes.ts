/** What a betslip is quoted: the book as everyone sees it, or for a parlay the product of its legs. */
import type { BetslipRecord, MarketBook, ShownLevel } from './model.ts';
import { money, type Money } from './wire.ts';

export interface QuoteJson {
  readonly priceList: readonly unknown[];
  readonly total: Money | null;
}

/** Levels that a betslip is quoted, highest price first. */
export function quotedLevels(betslip: Pick<BetslipRecord, 'type' | 'selections'>): readonly ShownLevel[] {
  const [first] = betslip.selections;
  if (betslip.type !== 'parlay') return first?.market.shownLevels(first.parsed.direction) ?? [];
  const combined = parlayLevel(betslip.selections.map(({ market }) => market));
  return combined === null ? [] : [combined];
}

export function quoteOf(betslip: BetslipRecord): QuoteJson {
  const levels = quotedLevels(betslip);
  const total = levels.reduce((sum, level) => sum + level.stakeMicros, 0);
  return { priceList: levels.map(levelJson), total: money(total) };
}

const levelJson = ({ price, stakeMicros }: ShownLevel): unknown => ({
  effective: { price, min: null, max: money(stakeMicros) },
});

/**
 * The one level of a parlay: every leg at its best `for` price, as much as the thinnest leg shows there. Null when a
 * leg has no price.
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
  return { price: Math.round(price * 1e6) / 1e6, stakeMicros };
}
