type Value = string | number | boolean;

/** Query parameters. An array is a repeated parameter. Null and undefined are left out. */
export type Query = Readonly<Record<string, Value | readonly Value[] | null | undefined>>;

/** A path under `/v2/` with its query. Segments must be encoded already (`segment`). */
export function pathOf(path: string, query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    valuesOf(value).map((v) => [name, v] as const),
  );
  const encoded = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return encoded.length === 0 ? `/v2/${path}` : `/v2/${path}?${encoded.join('&')}`;
}

function valuesOf(value: Query[string]): readonly string[] {
  if (value === null || value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}

/** A segment of a path, encoded. */
export const segment = (value: string | number): string => encodeURIComponent(value);

/** A wall-clock instant (milliseconds) in the exchange's format. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

export const isoTimeOrNull = (ms: number | undefined): string | null =>
  ms === undefined ? null : isoTime(ms);
