/** Quotes of betslips: the book as everyone sees it, or the product of a parlay's legs. */
import type { DangerList } from './danger.ts';
import type { Resting } from './fill-model.ts';
import type { BetslipRecord, ShownLevel } from './model.ts';
import { parlayLevel } from './parlays.ts';
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
