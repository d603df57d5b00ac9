import type { SQLOutputValue } from 'node:sqlite';

/** A row of a table or of a query. The tables are strict, so a column has the type that its schema names. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

export const textIn = (row: Row, column: string): string => row[column] as string;

export const numberIn = (row: Row, column: string): number => Number(row[column]);

/** Null also if there is no row. */
export function textOrNull(row: Row | undefined, column: string): string | null {
  const value = row?.[column];
  return typeof value === 'string' ? value : null;
}

/** Null also if there is no row. */
export function numberOrNull(row: Row | undefined, column: string): number | null {
  const value = row?.[column] ?? null;
  return value === null ? null : Number(value);
}
