import process from 'node:process';

/**
 * A lower `cost` is better, a higher `rate` is better. A `tail` (p99) is a cost that is shown and not judged: on a machine
 * with other work it measures the scheduler's time slices.
 */
export type FigureKind = 'cost' | 'rate' | 'tail';

/** A measured figure, as a bench prints it for a machine to read. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly kind: FigureKind;
}

/** The option with which a bench prints its figures, beside its text for people. */
export const JSON_OPTION = '--json';

/** Prints a figure as a line of JSON when the bench runs with `--json`. */
export function figure(name: string, value: number, unit: string, kind: FigureKind = 'cost'): void {
  if (!process.argv.includes(JSON_OPTION)) return;
  console.log(JSON.stringify({ figure: name, value, unit, kind }));
}

/** The value below which a share of ascending values lies. NaN without values. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
