export type Table = Readonly<Record<string, unknown>>;

export const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands at a dotted key, however deep; undefined where nothing does. */
export const valueAt = (table: object, key: string): unknown =>
  key.split('.').reduce<unknown>((at, name) => (isTable(at) ? at[name] : undefined), table);

/** A copy of a table with one value, however deep, replaced, or left out where it is undefined. */
export function withValue(table: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const fields = isTable(table) ? table : {};
  const copy = { ...fields, [name]: withValue(fields[name], rest, value) };
  if (copy[name] === undefined) delete copy[name];
  return copy;
}
