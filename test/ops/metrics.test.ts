import { describe, expect, it } from 'vitest';
import { createPrometheusMetrics } from '../../src/ops/metrics.ts';
import { knownValues } from '../../src/ports/metrics.ts';
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

  it('shows known labels at 0 before anything is measured', async () => {
    const metrics = createPrometheusMetrics({ processMetrics: false });
    const known = knownValues('kind', ['a', 'b']);
    metrics.counter('c_total', 'C.', ['kind'], known).inc({ kind: 'a' });
    metrics.gauge('g', 'G.', ['kind'], known);
    metrics.histogram('h_seconds', 'H.', [1], ['kind'], known);
    const { text } = await metrics.expose();
    for (const line of [
      'c_total{kind="a"} 1',
      'c_total{kind="b"} 0',
      'g{kind="b"} 0',
      'h_seconds_count{kind="b"} 0',
      'h_seconds_bucket{le="1",kind="b"} 0',
    ])
      expect(text).toContain(`${line}\n`);
  });

  it('runs updates before each exposition', async () => {
    const metrics = createPrometheusMetrics({ processMetrics: false });
    let exposed = 0;
    const gauge = metrics.gauge('exposed', 'E.');
    metrics.beforeExposing(() => gauge.set(++exposed));
    expect((await metrics.expose()).text).toContain('exposed 1\n');
    expect((await metrics.expose('openmetrics')).text).toContain('exposed 2\n');
  });

  it('keeps the plain names of counters after an exposition in OpenMetrics', async () => {
    const metrics = createPrometheusMetrics({ processMetrics: true });
    metrics.counter('a_total', 'A.').inc();
    const before = await metrics.expose();
    const open = await metrics.expose('openmetrics');
    const after = await metrics.expose();
    expect(open.contentType).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(open.text).toContain('# TYPE a counter\na_total 1\n');
    expect(open.text).toMatch(/\n# EOF\n$/);
    expect(after.text).toContain('# TYPE a_total counter\na_total 1\n');
    const names = ({ text }: { text: string }) => text.match(/^# TYPE \S+/gm);
    expect(names(after)).toEqual(names(before));
  });
});
