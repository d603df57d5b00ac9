import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normal, seededRandom } from '../../../src/lib/random.ts';
import { intervalOf, ratioOf } from '../../../src/research/statistics/bootstrap.ts';

const drawn = (seed: number, days: number, mean: number) => {
  const random = seededRandom(seed, 'days');
  return Array.from({ length: days }, () => {
    const stake = 50 + 100 * random.next();
    return { stake, worth: stake * (mean + 0.05 * normal(random)) };
  });
};

describe('the ratio of sums over days', () => {
  it('weights by stake', () => {
    const days = [
      { worth: 3, stake: 10 },
      { worth: -1, stake: 30 },
    ];
    expect(ratioOf(days)).toBe(0.05);
    expect(ratioOf([])).toBeNull();
  });

  it('has no interval if the days do not differ', () => {
    const days = Array.from({ length: 40 }, () => ({ worth: 1, stake: 100 }));
    expect(intervalOf(days, seededRandom(1))).toBeNull();
  });

  it('has an interval around the mean that excludes zero just where the p-value is below 5 %', () => {
    fc.assert(
      fc.property(fc.integer(), fc.double({ min: -0.03, max: 0.03, noNaN: true }), (seed, mean) => {
        const days = drawn(seed, 40, mean);
        const found = intervalOf(days, seededRandom(seed));
        expect(found).not.toBeNull();
        if (found === null) return;
        const [low, high] = found.interval;
        expect((low + high) / 2).toBeCloseTo(ratioOf(days) ?? NaN, 10);
        // At the very bound, the two roundings of a rank may differ.
        if (Math.abs(found.pValue - 0.05) > 0.001) expect(low > 0 || high < 0).toBe(found.pValue < 0.05);
      }),
      { numRuns: 30 },
    );
  });

  it('is the same for the same seed', () => {
    const days = drawn(7, 60, 0.01);
    expect(intervalOf(days, seededRandom(3))).toEqual(intervalOf(days, seededRandom(3)));
  });

  it('covers the truth in about 95 of 100 cases, also with 30 days', () => {
    let covered = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const found = intervalOf(drawn(seed, 30, 0.01), seededRandom(seed));
      if (found !== null && found.interval[0] <= 0.01 && found.interval[1] >= 0.01) covered++;
    }
    // With a coverage of 95 %, fewer than 180 of 200 have a chance of 0.3 %.
    expect(covered).toBeGreaterThanOrEqual(180);
    expect(covered).toBeLessThan(200);
  });
});
