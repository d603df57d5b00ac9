/**
 * The price of a selection as a price source gives it.
 *
 * @example
 * const price: SourcePrice = { key: 'Arsenal v Chelsea|home', price: 2.1, atMs: 1_700_000_000_000 };
 */
export interface SourcePrice {
  /** The source's own name of the selection. Not empty. */
  readonly key: string;
  /** Decimal, above 1; null: the source has withdrawn its price. */
  readonly price: number | null;
  /** The source's own time of this price, in wall-clock milliseconds. */
  readonly atMs?: number;
}

/** Prices that a source sent together. */
export interface SourceBatch {
  /** The name of the source in the configuration (`as`). */
  readonly source: string;
  readonly prices: readonly SourcePrice[];
}
