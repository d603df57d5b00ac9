import { z } from 'zod';
import type { SourcePrice } from '../domain/source-price.ts';

/**
 * Options of a price source that reads rows of JSON. Spread them into its schema.
 *
 * @example
 * const options = z.strictObject({ url: z.url(), ...rowOptions });
 * options.parse({ url: 'https://odds.test/' }).fields.price; // 'price'
 */
export const rowOptions = {
  path: z
    .string()
    .default('')
    .describe('where the list of rows is in a message: names joined by dots; empty: the message itself'),
  fields: z
    .strictObject({
      key: z
        .string()
        .min(1)
        .default('{key}')
        .describe('the key of a row, made of its fields: `{home} v {away}|{market}|{outcome}`'),
      price: z.string().min(1).default('price').describe('the field of the decimal price; null withdraws it'),
      time: z
        .string()
        .default('')
        .describe(
          'the field of the source’s own time: milliseconds since 1970, or ISO 8601; empty: it has none',
        ),
    })
    .prefault({})
    .describe('which fields of a row are the key, the price and the time'),
};

/**
 * The parsed `rowOptions`.
 *
 * @example
 * const options: RowOptions = { path: 'data', fields: { key: '{home} v {away}', price: 'odds', time: '' } };
 */
export interface RowOptions {
  readonly path: string;
  readonly fields: { readonly key: string; readonly price: string; readonly time: string };
}

type Row = Readonly<Record<string, unknown>>;

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The prices in a message: a list of rows at `path`, or a single row. Null if there is neither. What is no price in a row is handed
 * on, so that the daemon counts it as invalid.
 *
 * @example
 * const fields = { key: '{pick}', price: 'odds', time: '' };
 * pricesInRows({ data: [{ pick: 'home', odds: '2.1' }] }, { path: 'data', fields }); // [{ key: 'home', price: 2.1 }]
 */
export function pricesInRows(message: unknown, { path, fields }: RowOptions): readonly SourcePrice[] | null {
  const found = path === '' ? message : valueAt(message, path);
  const rows: readonly unknown[] | null = Array.isArray(found) ? found : isRow(found) ? [found] : null;
  return rows?.map((row) => priceIn(row, fields)) ?? null;
}

function priceIn(row: unknown, { key, price, time }: RowOptions['fields']): SourcePrice {
  const atMs = time === '' ? undefined : timeOf(valueAt(row, time));
  return {
    key: keyOf(row, key),
    price: numberOf(valueAt(row, price)),
    ...(atMs === undefined ? {} : { atMs }),
  };
}

/** Empty if the row lacks a field. */
function keyOf(row: unknown, template: string): string {
  const parts = template.split(/\{([^{}]+)\}/).map((part, index) => {
    if (index % 2 === 0) return part;
    const value = valueAt(row, part);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  });
  const isWhole = parts.every((part, index) => index % 2 === 0 || part !== '');
  return isWhole ? parts.join('') : '';
}

/** Many sources write prices as texts. */
function numberOf(value: unknown): number | null {
  if (value === null) return null;
  return typeof value === 'string' && value.trim() !== ''
    ? Number(value)
    : typeof value === 'number'
      ? value
      : NaN;
}

function timeOf(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? Date.parse(value) : Number(value);
}

const valueAt = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((at, name) => (isRow(at) && Object.hasOwn(at, name) ? at[name] : undefined), value);
