import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  type OpenMetricsContentType,
  Registry,
} from 'prom-client';
import { invariant } from '../lib/assert.ts';
import type { Metrics } from '../ports/metrics.ts';

/** The text formats of an exposition. */
export type ExpositionFormat = 'prometheus' | 'openmetrics';

export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

/** The Metrics port on prom-client. No other module uses the library. */
export interface PrometheusMetrics extends Metrics {
  /** The exposition text of all metrics, and its content type. Default format: `prometheus`. */
  expose(format?: ExpositionFormat): Promise<Exposition>;
}

type Kind = 'counter' | 'gauge' | 'histogram';
type Series = { readonly kind: Kind; readonly port: unknown };

/** Gauges of the library that end in `_total`, which only counters may. The same numbers are there by type. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

export function createPrometheusMetrics(options: { processMetrics: boolean }): PrometheusMetrics {
  const registry = new Registry();
  const known = new Map<string, Series>();
  const updates: (() => void)[] = [];
  if (options.processMetrics) collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);

  /** Each name exists once; a second request returns the first metric. */
  function once<T>(kind: Kind, name: string, make: () => T): T {
    const existing = known.get(name);
    invariant(existing === undefined || existing.kind === kind, 'metric registered as another kind', {
      name,
    });
    if (existing !== undefined) return existing.port as T;
    const port = make();
    known.set(name, { kind, port });
    return port;
  }

  return {
    counter: (name, help, labels = [], values = []) =>
      once('counter', name, () => {
        const series = new Counter({ name, help, labelNames: [...labels], registers: [registry] });
        for (const each of values) series.inc(each, 0);
        return { inc: (at, by = 1) => (at ? series.inc(at, by) : series.inc(by)) };
      }),
    gauge: (name, help, labels = [], values = []) =>
      once('gauge', name, () => {
        const series = new Gauge({ name, help, labelNames: [...labels], registers: [registry] });
        for (const each of values) series.set(each, 0);
        return { set: (value, at) => (at ? series.set(at, value) : series.set(value)) };
      }),
    histogram: (name, help, buckets, labels = [], values = []) =>
      once('histogram', name, () => {
        const labelNames = [...labels];
        const bounds = [...buckets];
        const series = new Histogram({ name, help, buckets: bounds, labelNames, registers: [registry] });
        for (const each of values) series.zero(each);
        return { observe: (value, at) => (at ? series.observe(at, value) : series.observe(value)) };
      }),
    beforeExposing: (update) => void updates.push(update),
    async expose(format = 'prometheus') {
      for (const update of updates) update();
      const exposed = format === 'prometheus' ? registry : openMetricsOf(registry);
      return { contentType: exposed.contentType, text: await exposed.metrics() };
    },
  };
}

/** The same metrics in OpenMetrics. The library renames counters while it writes them, so it gets a cover of each metric. */
function openMetricsOf(registry: Registry): Registry<OpenMetricsContentType> {
  const open = new Registry<OpenMetricsContentType>();
  open.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  for (const { name } of registry.getMetricsAsArray()) {
    const metric = registry.getSingleMetric(name);
    if (metric !== undefined) open.registerMetric(Object.create(metric) as typeof metric);
  }
  return open;
}
