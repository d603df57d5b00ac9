/**
 * Betfair shows all traded volume in one currency, and at times converts it anew: every total of the market then changes by one ratio, although
 * nothing traded.
 */
import type { RunnerChange } from './message.ts';

/** Traded volume of a runner before a message. */
export interface TradedBefore {
  tradedAt(price: number): number;
  readonly tradedPrices: ReadonlyMap<number, number>;
}

/** Totals are rounded to hundredths, before and after. */
const ROUNDING = 0.0101;
/** Fewer totals may change by one ratio by chance. */
const LEAST_TOTALS = 3;
/** A currency does not move further between two messages. */
const [LEAST_RATIO, MOST_RATIO] = [0.75, 1 / 0.75];
/** A few totals may trade with the same message. */
const SHARE_AT_RATIO = 0.8;

/** Whether a total went to another one by the ratio, as far as rounding tells. */
export const isAtRatio = (before: number, after: number, ratio: number): boolean =>
  Math.abs(after - before * ratio) <= (ROUNDING * (1 + ratio)) / 2 + before * ratio * 1e-5;

/**
 * The ratio by which all traded volume of a market changed; 1 if it did not. Totals that a message leaves out must be too small to change in the
 * second decimal.
 */
export function currencyRatio(
  changes: readonly RunnerChange[],
  bookOf: (change: RunnerChange) => TradedBefore,
): number {
  let totals = 0;
  for (const { trd } of changes) totals += trd?.length ?? 0;
  const changed = totals < LEAST_TOTALS ? [] : changedTotals(changes, bookOf);
  const ratio = changed.length < LEAST_TOTALS ? 1 : middleRatio(changed);
  if (ratio === 1 || ratio < LEAST_RATIO || ratio > MOST_RATIO) return 1;
  const atRatio = changed.filter(([before, after]) => isAtRatio(before, after, ratio)).length;
  const isMost = atRatio >= LEAST_TOTALS && atRatio >= SHARE_AT_RATIO * changed.length;
  return isMost && restStays(changes, bookOf, ratio) ? ratio : 1;
}

type Changed = readonly (readonly [before: number, after: number])[];

const changedTotals = (
  changes: readonly RunnerChange[],
  bookOf: (change: RunnerChange) => TradedBefore,
): Changed =>
  changes.flatMap((change) =>
    (change.trd ?? []).flatMap(([price, total]) => {
      const before = bookOf(change).tradedAt(price);
      return before > 0 && total > 0 && total !== before ? [[before, total] as const] : [];
    }),
  );

/** The ratio of the larger totals, which rounding blurs least. */
function middleRatio(changed: Changed): number {
  const large = changed.toSorted((a, b) => b[0] - a[0]).slice(0, Math.max(LEAST_TOTALS, changed.length / 2));
  const ratios = large.map(([before, after]) => after / before).sort((a, b) => a - b);
  return ratios[Math.floor(ratios.length / 2)] ?? 1;
}

/** Whether the totals that the message does not name would show the ratio only behind the second decimal. */
function restStays(
  changes: readonly RunnerChange[],
  bookOf: (change: RunnerChange) => TradedBefore,
  ratio: number,
): boolean {
  return changes.every((change) => {
    const named = new Set((change.trd ?? []).map(([price]) => price));
    return [...bookOf(change).tradedPrices].every(
      ([price, total]) => named.has(price) || isAtRatio(total, total, ratio),
    );
  });
}
