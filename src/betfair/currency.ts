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
/** Rounding blurs the ratio of smaller totals by more than a thousandth: several of them have one in common by chance. */
const LEAST_TOTAL = 5;
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
  const { ratio, count } = commonRatio(changed);
  if (ratio < LEAST_RATIO || ratio > MOST_RATIO) return 1;
  const isMost = count >= LEAST_TOTALS && count >= SHARE_AT_RATIO * changed.length;
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
      return before >= LEAST_TOTAL && total > 0 && total !== before ? [[before, total] as const] : [];
    }),
  );

/** The ratio that most of the changes may have, as far as rounding tells, and how many that are. */
function commonRatio(changed: Changed): { readonly ratio: number; readonly count: number } {
  const half = ROUNDING / 2;
  const edges = changed.flatMap(([before, after]) => [
    { ratio: (after - half) / (before + half), by: 1 },
    { ratio: (after + half) / Math.max(before - half, Number.EPSILON), by: -1 },
  ]);
  edges.sort((one, other) => one.ratio - other.ratio || other.by - one.by);
  let best = { ratio: 1, count: 0 };
  let count = 0;
  for (const [at, { ratio, by }] of edges.entries()) {
    count += by;
    const next = edges[at + 1]?.ratio ?? ratio;
    if (count > best.count) best = { ratio: (ratio + next) / 2, count };
  }
  return best;
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
