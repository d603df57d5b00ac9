import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { invariant } from '../lib/assert.ts';
import type { Metrics } from '../ports/metrics.ts';

/** The Metrics port on prom-client. No other module uses the library. */
export interface PrometheusMetrics extends Metrics {
  /** The exposition text of all metrics, and its content type. */
  expose(): Promise<{ readonly contentType: string; readonly text: string }>;
}

type Kind = 'counter' | 'gauge' | 'histogram';
type Series = { readonly kind: Kind; readonly port: unknown };

export function createPrometheusMetrics(options: { processMetrics: boolean }): PrometheusMetrics {
  const registry = new Registry();
  const known = new Map<string, Series>();
  if (options.processMetrics) collectDefaultMetrics({ register: registry });

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
    counter: (name, help, labels = []) =>
      once('counter', name, () => {
        const series = new Counter({ name, help, labelNames: [...labels], registers: [registry] });
        return { inc: (values, by = 1) => (values ? series.inc(values, by) : series.inc(by)) };
      }),
    gauge: (name, help, labels = []) =>
      once('gauge', name, () => {
        const series = new Gauge({ name, help, labelNames: [...labels], registers: [registry] });
        return { set: (value, values) => (values ? series.set(values, value) : series.set(value)) };
      }),
    histogram: (name, help, buckets, labels = []) =>
      once('histogram', name, () => {
        const labelNames = [...labels];
        const series = new Histogram({
          name,
          help,
          buckets: [...buckets],
          labelNames,
          registers: [registry],
        });
        return {
          observe: (value, values) => (values ? series.observe(values, value) : series.observe(value)),
        };
      }),
    expose: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}
