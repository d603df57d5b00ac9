/** The tables of Avellaneda and Stoikov (2008, pages 222 and 223), and the comparison of ours with them. */
import type { Dealer, Figures } from './avellaneda-stoikov.ts';

export interface PrintedRow {
  readonly aversion: number;
  readonly dealer: Dealer;
  readonly printed: Figures;
}

/** Tables 1 to 3. Each figure is the mean or the deviation of 1,000 paths. */
export const PRINTED: readonly PrintedRow[] = [
  row(0.1, 'inventory', [1.49, 65.0, 6.6, 0.08, 2.9]),
  row(0.1, 'symmetric', [1.49, 68.4, 12.7, 0.26, 8.4]),
  row(0.01, 'inventory', [1.35, 68.6, 8.7, 0.12, 5.1]),
  row(0.01, 'symmetric', [1.35, 68.8, 12.8, 0.09, 8.7]),
  row(1, 'inventory', [3.02, 31.4, 5.0, 0.02, 1.7]),
  row(1, 'symmetric', [3.02, 44.0, 11.0, 0.0, 5.1]),
];

const PRINTED_PATHS = 1000;
const MOST_STANDARD_ERRORS = 4;
/** A deviation may differ from the printed one by this share of it. */
const DEVIATION_SHARE = 0.12;

function row(aversion: number, dealer: Dealer, values: readonly [number, number, number, number, number]) {
  const [averageSpread, profit, profitDeviation, finalHeld, finalHeldDeviation] = values;
  return {
    aversion,
    dealer,
    printed: { averageSpread, profit, profitDeviation, finalHeld, finalHeldDeviation },
  };
}

/** A figure of a table beside ours. */
export interface Compared {
  readonly figure: keyof Figures;
  readonly printed: number;
  readonly ours: number;
  /** How far they differ, as a share of what is allowed. Above 1 is outside. */
  readonly share: number;
}

/**
 * Compares all figures of a row. The average spread must print the same. Means may differ by 4 standard errors of their
 * difference: both sides are samples. Deviations may differ by 12 %.
 */
export function compare(printed: Figures, ours: Figures, paths: number): Compared[] {
  const meanError = (deviation: 'profitDeviation' | 'finalHeldDeviation'): number =>
    Math.sqrt(printed[deviation] ** 2 / PRINTED_PATHS + ours[deviation] ** 2 / paths);
  const allowed: Figures = {
    averageSpread: 0.005,
    profit: MOST_STANDARD_ERRORS * meanError('profitDeviation'),
    profitDeviation: DEVIATION_SHARE * printed.profitDeviation,
    finalHeld: MOST_STANDARD_ERRORS * meanError('finalHeldDeviation'),
    finalHeldDeviation: DEVIATION_SHARE * printed.finalHeldDeviation,
  };
  return (Object.keys(allowed) as (keyof Figures)[]).map((figure) => ({
    figure,
    printed: printed[figure],
    ours: ours[figure],
    share: Math.abs(ours[figure] - printed[figure]) / allowed[figure],
  }));
}
