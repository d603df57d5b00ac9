import type { SQLOutputValue } from 'node:sqlite';
import { type PriceKind, SELECTION_KINDS } from '../domain/odds.ts';
import type { Direction } from '../domain/selection.ts';

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

/** What a bet's price is, as a column: null for the price of the selection itself. */
export const storedKind = ({ direction, priceKind }: Side): PriceKind | null =>
  priceKind === SELECTION_KINDS[direction] ? null : priceKind;

/** The direction of a bet and what its price is. */
export interface Side {
  readonly direction: Direction;
  readonly priceKind: PriceKind;
}

export function sideIn(row: Row): Side {
  const direction = textIn(row, 'direction') as Direction;
  return {
    direction,
    priceKind: (textOrNull(row, 'price_kind') as PriceKind | null) ?? SELECTION_KINDS[direction],
  };
}
