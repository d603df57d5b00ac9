/** A table of results in columns, which is written as CSV or Parquet. */
export type Column =
  | { readonly name: string; readonly type: 'string'; readonly values: readonly (string | null)[] }
  | { readonly name: string; readonly type: 'double'; readonly values: readonly (number | null)[] }
  /** Whole numbers up to 2^53, such as micros. */
  | { readonly name: string; readonly type: 'integer'; readonly values: readonly (number | null)[] }
  | { readonly name: string; readonly type: 'boolean'; readonly values: readonly (boolean | null)[] }
  /** Wall-clock milliseconds; CSV shows ISO 8601 in UTC. */
  | { readonly name: string; readonly type: 'timestamp'; readonly values: readonly (number | null)[] };

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
}
