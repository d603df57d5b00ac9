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

/** How often the truth is below and above the interval: effects of days are t-distributed, and some days lose a multiple more. */
function missesOf(runs: number, count: number, loss: number, often: number): [below: number, above: number] {
  const random = seededRandom(5, `${count} ${loss} ${often}`);
  const t3 = (): number => {
    const squares = [normal(random), normal(random), normal(random)].reduce((sum, z) => sum + z * z, 0);
    return normal(random) / Math.sqrt(squares / 3);
  };
  const truth = -0.05 * loss * often;
  const misses: [number, number] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const days = Array.from({ length: count }, () => {
      const stake = 50 + 100 * random.next();
      return { stake, worth: stake * 0.05 * (t3() - (random.next() < often ? loss : 0)) };
    });
    const [low, high] = intervalOf(days, seededRandom(run))?.interval ?? [-Infinity, Infinity];
    if (truth < low) misses[0]++;
    if (truth > high) misses[1]++;
  }
  return misses;
}

describe('the ratio of sums over days', () => {
  it('weights by stake', () => {
    const days = [
      { worth: 3, stake: 10 },
      { worth: -1, stake: 30 },
    ];
    expect(ratioOf(days)).toBe(0.05);
    expect(ratioOf([])).toBeNull();
  });

  it('has no interval if too few of the days differ', () => {
    const days = Array.from({ length: 40 }, () => ({ worth: 1, stake: 100 }));
    expect(intervalOf(days, seededRandom(1))).toBeNull();
  });

  it.each([1, 2])('has no interval if %i of the days differ from the others', (differing) => {
    const days = Array.from({ length: 40 }, (_, at) => ({ worth: at < differing ? 5 : 0, stake: 1 }));
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
        const ratio = ratioOf(days) ?? NaN;
        expect(low).toBeLessThan(ratio);
        expect(high).toBeGreaterThan(ratio);
        expect((low + high - 2 * ratio) / (high - low)).toBeCloseTo(0, 1);
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

  it.each([
    { days: 30, loss: 0, often: 0 },
    { days: 100, loss: 0, often: 0 },
    { days: 30, loss: 10, often: 0.05 },
    { days: 100, loss: 10, often: 0.02 },
  ])(
    'leaves the truth out on either side in at most 3.5 %, with effects of days by t3 and rare losses: %o',
    ({ days, loss, often }) => {
      const [below, above] = missesOf(400, days, loss, often);
      expect(below).toBeLessThanOrEqual(14);
      expect(above).toBeLessThanOrEqual(14);
    },
  );

  it('is not so wide that it never leaves the truth out', () => {
    const [below, above] = missesOf(1_000, 30, 10, 0.05);
    expect(below + above).toBeGreaterThan(5);
  });
});
