import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exponential, poisson, seededRandom, uniformBetween } from '../../../src/lib/random.ts';
import {
  fitIntensity,
  intensityEstimator,
  type IntensityReading,
  type QuotedSample,
} from '../../../src/strategy/sdk.ts';
import { expectStatedErrors } from './errors.ts';

const ARRIVALS_PER_HOUR = 180;
const DECAY = 40;
const SEEDS = Array.from({ length: 60 }, (_, i) => i + 1);

/** Stretches of quoting at random distances, and the fills that the model gives them. */
function quoting(seed: number, hours: number, arrivalsPerHour = ARRIVALS_PER_HOUR): QuotedSample[] {
  const random = seededRandom(seed, 'quoting');
  const samples: QuotedSample[] = [];
  for (let leftS = hours * 3600; leftS > 0;) {
    const quotedS = 1 + exponential(random, 1 / 20);
    const distance = uniformBetween(random, 0, 0.1);
    const rate = (arrivalsPerHour * Math.exp(-DECAY * distance)) / 3600;
    samples.push({ distance, quotedS, fills: poisson(random, rate * quotedS) });
    leftS -= quotedS;
  }
  return samples;
}

function read(samples: readonly QuotedSample[], halfLifeS = 1e12): IntensityReading | null {
  const { reduce, seed, read: reading } = intensityEstimator({ halfLifeS });
  return reading(samples.reduce(reduce, seed));
}

const reading = (samples: readonly QuotedSample[], halfLifeS?: number): IntensityReading =>
  read(samples, halfLifeS) as IntensityReading;

describe('A and k of fills', () => {
  it('are the generating ones, within their stated standard errors', () => {
    const runs = SEEDS.map((seed) => reading(quoting(seed, 20)));
    expectStatedErrors(
      Math.log(ARRIVALS_PER_HOUR),
      runs.map((run) => ({
        value: Math.log(run.arrivalsPerHour),
        standardError: run.standardErrors.logArrivals,
      })),
    );
    expectStatedErrors(
      DECAY,
      runs.map((run) => ({ value: run.decay, standardError: run.standardErrors.decay })),
    );
    for (const { standardErrors } of runs) {
      expect(standardErrors.logArrivals).toBeLessThan(0.06);
      expect(standardErrors.decay).toBeLessThan(2.2);
    }
  });

  it('state an upper bound of the error once something is forgotten', () => {
    const runs = SEEDS.map((seed) => reading(quoting(seed, 40), 5 * 3600));
    const decays = runs.map((run) => ({ value: run.decay, standardError: run.standardErrors.decay }));
    expectStatedErrors(DECAY, decays, { least: 0.5, most: 1.1 });
  });

  it('follow a change', () => {
    const { arrivalsPerHour } = reading(
      [...quoting(1, 50), ...quoting(2, 60, 10 * ARRIVALS_PER_HOUR)],
      6 * 3600,
    );
    expect(arrivalsPerHour / (10 * ARRIVALS_PER_HOUR)).toBeCloseTo(1, 1);
  });

  it('are those of the published counts', () => {
    const counts = [
      [0.25, 960],
      [0.5, 665],
      [1, 310],
      [1.5, 150],
    ] as const;
    const { reduce, seed, read: of } = intensityEstimator({ bucketWidth: 0.25, buckets: 8, halfLifeS: 1e15 });
    const samples = counts.map(([distance, fills]) => ({ distance, fills, quotedS: 10 * 3600 }));
    const found = of(samples.reduce(reduce, seed));
    expect(found?.arrivalsPerHour.toFixed(3)).toBe('139.646');
    expect(found?.decay.toFixed(5)).toBe('1.49383');
    expect(found?.fills).toBeCloseTo(2085, 6);
    expect(found?.quotedHours).toBeCloseTo(40, 6);
  });

  it('are not guessed while fills do not determine them', () => {
    const at = (distance: number, fills: number): QuotedSample => ({ distance, fills, quotedS: 60 });
    expect(read([at(0.01, 0), at(0.02, 0)])).toBeNull();
    expect(read([at(0.01, 3)])).toBeNull();
    expect(read([at(0.01, 3), at(0.02, 0)])).toBeNull();
    expect(read([at(0.01, 0), at(0.02, 3)])).toBeNull();
    expect(read([at(0.01, 2), at(0.02, 1)])).not.toBeNull();
    // Nothing was quoted where this fill is reported.
    expect(read([at(0.01, 2), { distance: 0.05, quotedS: 0, fills: 1 }])).toBeNull();
  });

  it('count quotes outside the buckets in the nearest one', () => {
    const { reduce, seed } = intensityEstimator({ bucketWidth: 0.01, buckets: 3 });
    const samples = [-5, 0, 0.029, 7].map((distance) => ({ distance, quotedS: 1, fills: 1 }));
    expect(samples.reduce(reduce, seed).fills.map(Math.round)).toEqual([2, 0, 2]);
  });
});

describe('the fit', () => {
  const count = fc.record({
    distance: fc.double({ min: 0, max: 3, noNaN: true }),
    time: fc.double({ min: 0.01, max: 1e6, noNaN: true }),
    fills: fc.integer({ min: 0, max: 50 }),
  });

  it('solves its equations for any counts that determine it', () => {
    fc.assert(
      fc.property(fc.array(count, { minLength: 2, maxLength: 8 }), (counts) => {
        const fills = counts.reduce((sum, one) => sum + one.fills, 0);
        const mean = counts.reduce((sum, one) => sum + one.fills * one.distance, 0) / fills;
        const distances = counts.map(({ distance }) => distance);
        const [near, far] = [Math.min(...distances), Math.max(...distances)];
        fc.pre(far - near > 1e-3 && mean > near + 1e-4 && mean < far - 1e-4);
        const { arrivals, decay } = fitIntensity(counts);
        const means = counts.map(({ distance, time }) => time * arrivals * Math.exp(-decay * distance));
        const expected = means.reduce((sum, value) => sum + value, 0);
        const byDistance = means.reduce((sum, value, i) => sum + value * (counts[i]?.distance ?? NaN), 0);
        expect(expected / fills).toBeCloseTo(1, 8);
        expect(byDistance / fills).toBeCloseTo(mean, 8);
      }),
    );
  });
});
