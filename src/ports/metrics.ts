/**
 * Measurements by name, in Prometheus's vocabulary (base units in the name: `_seconds`, `_total`, `_usdt`).
 * A second call with the same name returns the same series. The first call fixes the labels.
 *
 * The series of `known` labels exist at 0 before anything is measured: an alerting rule sees no increase if a series
 * begins with its first event.
 */
export interface Metrics {
  counter<L extends string = never>(
    name: string,
    help: string,
    labels?: readonly L[],
    known?: readonly LabelValues<L>[],
  ): Counter<L>;
  gauge<L extends string = never>(
    name: string,
    help: string,
    labels?: readonly L[],
    known?: readonly LabelValues<L>[],
  ): Gauge<L>;
  histogram<L extends string = never>(
    name: string,
    help: string,
    buckets: readonly number[],
    labels?: readonly L[],
    known?: readonly LabelValues<L>[],
  ): Histogram<L>;
  /** Runs `update` before each exposition, for values that change without an event, such as an age. */
  beforeExposing(update: () => void): void;
}

export type LabelValues<L extends string> = Readonly<Record<L, string>>;

/** Label values of one label, as `known` takes them. */
export const knownValues = <L extends string>(label: L, values: Iterable<string>): LabelValues<L>[] =>
  Array.from(values, (value) => ({ [label]: value }) as LabelValues<L>);

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
  beforeExposing: () => undefined,
};
