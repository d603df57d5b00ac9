import { describe, expect, it } from 'vitest';
import { createPrometheusMetrics } from '../../src/ops/metrics.ts';
import { metricsContract } from '../contract/metrics.ts';

metricsContract('prometheus', () => createPrometheusMetrics({ processMetrics: false }));

describe('prometheus exposition', () => {
  it('shows counters, gauges and histograms with their labels', async () => {
    const metrics = createPrometheusMetrics({ processMetrics: false });
    metrics.counter('a_total', 'A.', ['reason']).inc({ reason: 'x' }, 2);
    metrics.gauge('b_seconds', 'B.').set(1.5);
    metrics.histogram('c_seconds', 'C.', [0.1, 1]).observe(0.5);
    const { text, contentType } = await metrics.expose();
    expect(contentType).toContain('text/plain');
    for (const line of [
      'a_total{reason="x"} 2',
      'b_seconds 1.5',
      'c_seconds_bucket{le="1"} 1',
      '# HELP a_total A.',
    ]) {
      expect(text).toContain(line);
    }
  });
});
