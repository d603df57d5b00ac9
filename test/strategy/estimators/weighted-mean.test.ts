import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateOf, NOTHING_YET, withValue } from '../../../src/strategy/estimators/weighted-mean.ts';

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });

describe('a mean of weighted values', () => {
  it('is the one over all values at once, with weights that fade', () => {
    const sample = fc.record({ value: number(-5, 5), weight: number(0.1, 10) });
    fc.assert(
      fc.property(fc.array(sample, { minLength: 2, maxLength: 20 }), number(0.5, 1), (samples, kept) => {
        const found = estimateOf(
          samples.reduce((sum, { value, weight }) => withValue(sum, value, weight, kept), NOTHING_YET),
        );
        const weights = samples.map(({ weight }, i) => weight * kept ** (samples.length - 1 - i));
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        const over = (of: (value: number, weight: number) => number): number =>
          samples.reduce((sum, { value }, i) => sum + of(value, weights[i] as number), 0);
        const mean = over((value, weight) => value * weight) / total;
        const squares = over((_, weight) => weight ** 2);
        const variance = over((value, weight) => weight * (value - mean) ** 2) / (total - squares / total);
        expect(found?.value).toBeCloseTo(mean, 9);
        expect((found?.standardError ?? NaN) ** 2).toBeCloseTo((variance * squares) / total ** 2, 9);
      }),
    );
  });

  it('has the usual standard error for equal weights, and none for one value', () => {
    const three = [1, 2, 6].reduce((sum, value) => withValue(sum, value), NOTHING_YET);
    // The variance over n - 1 is 7.
    expect(estimateOf(three)?.value).toBeCloseTo(3, 12);
    expect(estimateOf(three)?.standardError).toBeCloseTo(Math.sqrt(7 / 3), 12);
    expect(estimateOf(withValue(NOTHING_YET, 4))).toEqual({ value: 4, standardError: null });
    expect(estimateOf(NOTHING_YET)).toBeNull();
  });
});
