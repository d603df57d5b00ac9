/** Series over time, as charts read them. */
import type { EquityPoint } from '../result.ts';

/** Values of several series at common instants; null before a series begins. */
export interface Aligned {
  /** Wall-clock seconds, ascending, without repeats. */
  readonly atS: readonly number[];
  readonly values: readonly (readonly (number | null)[])[];
}

/** The points of several series at the instants of all of them. A value stands until the next point of its series. */
export function align(
  series: readonly (readonly EquityPoint[])[],
  valueOf: (point: EquityPoint) => number,
): Aligned {
  const sorted = series.map((points) => points.toSorted((one, other) => one.atMs - other.atMs));
  const atMs = Float64Array.from(
    new Set(sorted.flatMap((points) => points.map((point) => point.atMs))),
  ).sort();
  return {
    atS: Array.from(atMs, (ms) => ms / 1000),
    values: sorted.map((points) => valuesAt(atMs, points, valueOf)),
  };
}

function valuesAt(
  atMs: Float64Array,
  points: readonly EquityPoint[],
  valueOf: (point: EquityPoint) => number,
): (number | null)[] {
  let next = 0;
  let value: number | null = null;
  return Array.from(atMs, (ms) => {
    for (let point = points[next]; point !== undefined && point.atMs <= ms; point = points[++next])
      value = valueOf(point);
    return value;
  });
}

/** How far each point is below the highest value so far, which is at least zero; never positive. */
export function fallsOf(values: readonly (number | null)[]): (number | null)[] {
  let highest = 0;
  return values.map((value) => {
    if (value === null) return null;
    highest = Math.max(highest, value);
    return value - highest;
  });
}
