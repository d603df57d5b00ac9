export type Table = Readonly<Record<string, unknown>>;

export const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a dotted key of any depth; undefined if there is none. */
export const valueAt = (table: object, key: string): unknown =>
  key.split('.').reduce<unknown>((at, name) => (isTable(at) ? at[name] : undefined), table);

/** A copy of a table with one value replaced, at any depth; an undefined value is left out. */
export function withValue(table: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const fields = isTable(table) ? table : {};
  const copy = { ...fields, [name]: withValue(fields[name], rest, value) };
  if (copy[name] === undefined) delete copy[name];
  return copy;
}
