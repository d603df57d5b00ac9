import type { RecordedProfit } from '../../../read-model/live/records.ts';
import type { Line } from '../../components/lines.ts';

/** A chart with more lines is hard to read, and its legend too long. */
const MOST_LINES = 5;

/** The names of those that the readings are of, the one that was furthest from 0 first. */
export function profitNames(
  readings: readonly RecordedProfit[],
  of: RecordedProfit['of'],
): readonly string[] {
  const furthest = new Map<string, number>();
  for (const { of: whose, name, profit } of readings)
    if (whose === of) furthest.set(name, Math.max(furthest.get(name) ?? 0, Math.abs(profit)));
  return [...furthest].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
}

/**
 * A line of profit for each of the first names, over the instants of all of them. A profit is read only when it changed: it holds until its next reading.
 * `readings`: the oldest first.
 */
export function profitLines(
  readings: readonly RecordedProfit[],
  of: RecordedProfit['of'],
  names: readonly string[],
): { readonly atS: readonly number[]; readonly lines: readonly Line[] } {
  const drawn = names.slice(0, MOST_LINES);
  const instants = [...new Set(readings.map(({ atMs }) => atMs))];
  const lines = drawn.map((name) => {
    const read = new Map(
      readings.flatMap((each) => (each.of === of && each.name === name ? [[each.atMs, each.profit]] : [])),
    );
    let last: number | null = null;
    return { name, values: instants.map((atMs) => (last = read.get(atMs) ?? last)) };
  });
  return { atS: instants.map((atMs) => atMs / 1_000), lines };
}
