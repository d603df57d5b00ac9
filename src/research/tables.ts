/** Writes tables of results for other programs. */
import { parquetWriteBuffer } from 'hyparquet-writer';
import { csvLine } from '../lib/csv.ts';

/** A column of a table with its values by row. */
export type Column =
  | { readonly name: string; readonly type: 'string'; readonly values: readonly (string | null)[] }
  | { readonly name: string; readonly type: 'double'; readonly values: readonly (number | null)[] }
  /** Whole numbers up to 2^53, such as micros. */
  | { readonly name: string; readonly type: 'integer'; readonly values: readonly (number | null)[] }
  | { readonly name: string; readonly type: 'boolean'; readonly values: readonly (boolean | null)[] }
  /** Wall-clock milliseconds; CSV shows ISO 8601 in UTC. */
  | { readonly name: string; readonly type: 'timestamp'; readonly values: readonly (number | null)[] };

/** A table of results in columns. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** CSV (RFC 4180) with a line of names. Instants are ISO 8601 in UTC; null is empty. */
export function tableCsv({ columns }: Table): string {
  const cells = columns.map(csvCells);
  const lines = Array.from(cells[0] ?? [], (_, row) => csvLine(cells.map((column) => column[row])));
  return `${[csvLine(columns.map(({ name }) => name)), ...lines].join('\n')}\n`;
}

function csvCells({ type, values }: Column): readonly unknown[] {
  return type === 'timestamp'
    ? values.map((ms) => (ms === null ? null : new Date(ms).toISOString()))
    : values;
}

/** An Apache Parquet file, compressed by Snappy. Whole numbers are 64 bits, instants milliseconds in UTC; null is null. */
export function tableParquet({ columns }: Table): Uint8Array {
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: columns.map((column) => ({ name: column.name, nullable: true, ...parquetData(column) })),
    }),
  );
}

function parquetData({ type, values }: Column) {
  if (type === 'string') return { type: 'STRING' as const, data: [...values] };
  if (type === 'boolean') return { type: 'BOOLEAN' as const, data: [...values] };
  if (type === 'double') return { type: 'DOUBLE' as const, data: [...values] };
  if (type === 'integer')
    return {
      type: 'INT64' as const,
      data: values.map((value) => (value === null ? null : BigInt(Math.round(value)))),
    };
  return { type: 'TIMESTAMP' as const, data: values.map((ms) => (ms === null ? null : new Date(ms))) };
}
