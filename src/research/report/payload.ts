/**
 * The content of a page of a report: the result with fills and equity as columns. A hundred thousand fills as objects would repeat every
 * name a hundred thousand times. Plain data in both directions.
 */
import type { EquityPoint, ResearchFill, ScenarioResult } from '../result.ts';
import type { BacktestReport } from '../summary.ts';

/** The id of the page's element with the payload, as JSON. */
export const DATA_ID = 'touchline-data';

/** A column: distinct values and the place of each row's value; differences from the row before; or the rows' own values. */
type Column =
  | { readonly values: readonly unknown[]; readonly at: readonly number[] }
  | { readonly steps: readonly number[] }
  | { readonly rows: readonly unknown[] };

/** Rows by column; all columns have the same length. */
interface Packed {
  readonly count: number;
  readonly columns: Readonly<Record<string, Column>>;
}

/** A report whose fills and equity are packed. */
export interface PackedReport {
  readonly report: BacktestReport;
  /** By scenario, in the order of the result. */
  readonly fills: readonly Packed[];
  readonly equity: readonly Packed[];
  readonly real: Packed | null;
}

/** The subject of the page: one report, or two of them side by side. */
export type Payload =
  | { readonly kind: 'report'; readonly report: PackedReport }
  | { readonly kind: 'compare'; readonly a: PackedReport; readonly b: PackedReport };

/** Columns whose values repeat. */
const REPEATING: ReadonlySet<string> = new Set<keyof ResearchFill>([
  'event',
  'selectionId',
  'marketId',
  'direction',
  'cause',
  'hedge',
  'inPlay',
  'markKinds',
  'noClosing',
  'perUnpushed',
]);

/** Columns of whole numbers that are close to those of the row before. */
const STEPPING: ReadonlySet<string> = new Set<keyof ResearchFill | keyof EquityPoint>([
  'atMs',
  'restedFromMs',
  'startsInMs',
]);

/** Probabilities keep so many decimals: the worth of a stake of 1,000 is then right to the micro. */
const DECIMALS = 9;

/** Moves fills and equity of a report into columns. */
export function packReport(report: BacktestReport): PackedReport {
  const { result, real, ...rest } = report;
  const { scenarios } = result;
  const withoutRows = scenarios.map((scenario) => ({ ...scenario, fills: [], equity: [] }));
  return {
    report: { ...rest, result: { ...result, scenarios: withoutRows } },
    fills: scenarios.map(({ fills }) => pack(fills)),
    equity: scenarios.map(({ equity }) => pack(equity)),
    real: real === undefined ? null : pack(real),
  };
}

/** The report that was packed. Probabilities are rounded to nine decimals. Fills become objects when they are first read. */
export function unpackReport({ report, fills, equity, real }: PackedReport): BacktestReport {
  const scenarios = report.result.scenarios.map((scenario, at): ScenarioResult => {
    let unpacked: readonly ResearchFill[] | null = null;
    return {
      ...scenario,
      equity: unpack<EquityPoint>(equity[at]),
      get fills() {
        unpacked ??= unpack<ResearchFill>(fills[at]);
        return unpacked;
      },
    };
  });
  const whole = { ...report, result: { ...report.result, scenarios } };
  return real === null ? whole : { ...whole, real: unpack<ResearchFill>(real) };
}

function pack<T extends object>(rows: readonly T[]): Packed {
  const [first] = rows;
  const columns: Record<string, Column> = {};
  for (const key of Object.keys(first ?? {}))
    columns[key] = columnOf(
      key,
      rows.map((row) => row[key as keyof T]),
    );
  return { count: rows.length, columns };
}

function columnOf(key: string, rows: readonly unknown[]): Column {
  if (REPEATING.has(key)) return withoutRepeats(rows);
  if (STEPPING.has(key) && rows.every(Number.isSafeInteger)) return stepsOf(rows as readonly number[]);
  return { rows: rows.map(rounded) };
}

const stepsOf = (rows: readonly number[]): Column => ({
  steps: rows.map((value, at) => value - (rows[at - 1] ?? 0)),
});

function rounded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rounded);
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toFixed(DECIMALS)) : value;
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

/** Turns columns of rows of the type `T` into rows. */
function unpack<T extends object>(packed: Packed | undefined): T[] {
  const { count, columns } = packed ?? { count: 0, columns: {} };
  const whole = Object.entries(columns).map(([key, column]) => [key as keyof T, valuesOf(column)] as const);
  return Array.from({ length: count }, (_, row) => {
    const made: Partial<Record<keyof T, unknown>> = {};
    for (const [key, values] of whole) made[key] = values[row];
    return made as T;
  });
}

function valuesOf(column: Column): readonly unknown[] {
  if ('rows' in column) return column.rows;
  if ('at' in column) return column.at.map((place) => column.values[place]);
  let value = 0;
  return column.steps.map((step) => (value += step));
}
