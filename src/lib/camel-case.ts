type Camel<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : S;

/** The same record with `snake_case` keys, at every depth, spelt in camelCase. Lists and plain values stay. */
export type CamelKeys<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T as K extends string ? Camel<K> : never]: CamelKeys<T[K]> }
    : T;

/** Spells a record's keys as code does; the configuration's files have them in snake_case. */
export function camelKeys<T extends object>(record: T): CamelKeys<T> {
  const entries = Object.entries(record).map(([key, value]) => [camel(key), camelValue(value)]);
  return Object.fromEntries(entries) as CamelKeys<T>;
}

function camelValue(value: unknown): unknown {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? camelKeys(value) : value;
}

const camel = (key: string): string => key.replace(/_(\w)/gu, (_, letter: string) => letter.toUpperCase());
