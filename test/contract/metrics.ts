import { describe, expect, it } from 'vitest';
import { InvariantError } from '../../src/lib/assert.ts';
import { knownValues, type Metrics } from '../../src/ports/metrics.ts';

/** The contract of the Metrics port. */
export function metricsContract(name: string, create: () => Metrics): void {
  describe(`Metrics contract: ${name}`, () => {
    it('gives the same series for the same name', () => {
      const metrics = create();
      expect(metrics.counter('x_total', 'X.')).toBe(metrics.counter('x_total', 'X.'));
    });

    it('refuses one name for two kinds', () => {
      const metrics = create();
      metrics.counter('x_total', 'X.');
      expect(() => metrics.gauge('x_total', 'X.')).toThrow(InvariantError);
    });

    it('takes values with and without labels', () => {
      const metrics = create();
      expect(() => {
        metrics.counter('plain_total', 'P.').inc();
        metrics.counter('labelled_total', 'L.', ['kind']).inc({ kind: 'a' }, 3);
        metrics.gauge('level', 'G.', ['side']).set(-1, { side: 'for' });
        metrics.histogram('wait_seconds', 'H.', [1], ['kind']).observe(0.2, { kind: 'a' });
        metrics.counter('known_total', 'K.', ['kind'], knownValues('kind', ['a'])).inc({ kind: 'b' });
        metrics.beforeExposing(() => undefined);
      }).not.toThrow();
    });
  });
}
