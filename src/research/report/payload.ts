/**
 * What a page of a report holds: the result with its fills as columns. A hundred thousand fills as objects would repeat every name a
 * hundred thousand times. Plain data in both directions.
 */
import type { ResearchFill, ScenarioResult } from '../result.ts';
import type { BacktestReport } from '../summary.ts';

/** The id of the page's element with the payload, as JSON. */
export const DATA_ID = 'touchline-data';

type FillKey = keyof ResearchFill;

/** A column: the distinct values and the place of each row's value, or the rows' own values. */
type Column =
  | { readonly values: readonly unknown[]; readonly at: readonly number[] }
  | { readonly rows: readonly unknown[] };

/** Fills by column; all columns have the same length. */
export interface PackedFills {
  readonly count: number;
  readonly columns: Readonly<Record<string, Column>>;
}

/** A report whose fills are packed. */
export interface PackedReport {
  readonly report: BacktestReport;
  /** By scenario, in the order of the result. */
  readonly fills: readonly PackedFills[];
  readonly real: PackedFills | null;
}

/** What the page shows: one report, or two of them side by side. */
export type Payload =
  | { readonly kind: 'report'; readonly report: PackedReport }
  | { readonly kind: 'compare'; readonly a: PackedReport; readonly b: PackedReport };

/** Columns whose values repeat. */
const NAMES: ReadonlySet<string> = new Set<FillKey>([
  'event',
  'selectionId',
  'marketId',
  'direction',
  'cause',
  'inPlay',
]);

/** Moves the fills of a report into columns. */
export function packReport(report: BacktestReport): PackedReport {
  const { result, real, ...rest } = report;
  const withoutFills = result.scenarios.map((scenario): ScenarioResult => ({ ...scenario, fills: [] }));
  return {
    report: { ...rest, result: { ...result, scenarios: withoutFills } },
    fills: result.scenarios.map(({ fills }) => packFills(fills)),
    real: real === undefined ? null : packFills(real),
  };
}

/** The report that was packed. */
export function unpackReport({ report, fills, real }: PackedReport): BacktestReport {
  const scenarios = report.result.scenarios.map((scenario, at) => ({
    ...scenario,
    fills: unpackFills(fills[at] ?? { count: 0, columns: {} }),
  }));
  const whole = { ...report, result: { ...report.result, scenarios } };
  return real === null ? whole : { ...whole, real: unpackFills(real) };
}

function packFills(fills: readonly ResearchFill[]): PackedFills {
  const [first] = fills;
  const keys = first === undefined ? [] : Object.keys(first);
  const columns: Record<string, Column> = {};
  for (const key of keys) {
    const rows = fills.map((fill) => fill[key as FillKey]);
    columns[key] = NAMES.has(key) ? withoutRepeats(rows) : { rows };
  }
  return { count: fills.length, columns };
}

function withoutRepeats(rows: readonly unknown[]): Column {
  const places = new Map<string, number>();
  const values: unknown[] = [];
  const at = rows.map((value) => {
    const name = JSON.stringify(value);
    const known = places.get(name);
    if (known !== undefined) return known;
    places.set(name, values.length);
    return values.push(value) - 1;
  });
  return { values, at };
}

function unpackFills({ count, columns }: PackedFills): ResearchFill[] {
  const readers = Object.entries(columns).map(([key, column]) => [key as FillKey, readerOf(column)] as const);
  return Array.from({ length: count }, (_, row) => {
    const fill: Partial<Record<FillKey, unknown>> = {};
    for (const [key, read] of readers) fill[key] = read(row);
    return fill as ResearchFill;
  });
}

function readerOf(column: Column): (row: number) => unknown {
  if ('rows' in column) return (row) => column.rows[row];
  return (row) => column.values[column.at[row] as number];
}
