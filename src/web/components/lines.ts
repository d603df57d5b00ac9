import { csvLine } from '../../lib/csv.ts';

/** A line of a chart. */
export interface Line {
  readonly name: string;
  /** One value for each instant; null leaves a gap. */
  readonly values: readonly (number | null)[];
  /** Single points instead of a line. */
  readonly isMarks?: boolean;
}

/** A stretch of time, in wall-clock seconds. */
export interface Stretch {
  readonly fromS: number;
  readonly toS: number;
}

/** The lines of a chart as a file: a row for each instant, a column for each line. */
export function csvOfLines(atS: readonly number[], lines: readonly Line[]): string {
  const rows = atS.map((seconds, at) => [
    new Date(seconds * 1_000).toISOString(),
    ...lines.map(({ values }) => values[at] ?? null),
  ]);
  return [['at', ...lines.map(({ name }) => name)], ...rows].map((row) => `${csvLine(row)}\r\n`).join('');
}

/** Where a condition holds: from each instant at which it does until the next one. */
export function stretchesOf(atS: readonly number[], holds: (at: number) => boolean): readonly Stretch[] {
  const found: Stretch[] = [];
  for (const [at, fromS] of atS.entries()) {
    if (!holds(at)) continue;
    const toS = atS[at + 1] ?? fromS;
    const last = found.at(-1);
    if (last?.toS === fromS) found[found.length - 1] = { fromS: last.fromS, toS };
    else found.push({ fromS, toS });
  }
  return found;
}
