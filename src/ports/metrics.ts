/**
 * Measurements by name, in Prometheus's vocabulary (base units in the name: `_seconds`, `_total`, `_usdt`).
 * A second call with the same name returns the same series. The first call fixes the labels.
 */
export interface Metrics {
  counter<L extends string = never>(name: string, help: string, labels?: readonly L[]): Counter<L>;
  gauge<L extends string = never>(name: string, help: string, labels?: readonly L[]): Gauge<L>;
  histogram<L extends string = never>(
    name: string,
    help: string,
    buckets: readonly number[],
    labels?: readonly L[],
  ): Histogram<L>;
}

export type LabelValues<L extends string> = Readonly<Record<L, string>>;

export interface Counter<L extends string = never> {
  /** Adds `by` (default 1, never negative). */
  inc(labels?: LabelValues<L>, by?: number): void;
}

export interface Gauge<L extends string = never> {
  set(value: number, labels?: LabelValues<L>): void;
}

export interface Histogram<L extends string = never> {
  observe(value: number, labels?: LabelValues<L>): void;
}

const ignored = { inc: () => undefined, set: () => undefined, observe: () => undefined };

/** Drops every measurement. */
export const noMetrics: Metrics = {
  counter: () => ignored,
  gauge: () => ignored,
  histogram: () => ignored,
};
