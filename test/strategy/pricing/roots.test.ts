import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvariantError } from '../../../src/lib/assert.ts';
import { rootBetween } from '../../../src/strategy/pricing/roots.ts';

describe('rootBetween', () => {
  it('finds the root of any rising curve, to the last digits, in few evaluations', () => {
    const root = fc.double({ min: -1e3, max: 1e3, noNaN: true });
    const shapes = [
      (x: number) => x,
      (x: number) => Math.expm1(x / 100),
      (x: number) => Math.atan(x),
      Math.cbrt,
    ];
    fc.assert(
      fc.property(root, fc.constantFrom(...shapes), (at, shape) => {
        let looks = 0;
        const found = rootBetween((x) => (looks++, shape(x - at)), -2e3, 3e3);
        expect(Math.abs(found - at)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(at)));
        expect(looks).toBeLessThan(75);
      }),
    );
    let looks = 0;
    expect(rootBetween((x) => (looks++, Math.exp(x) - 2), -5, 5)).toBeCloseTo(Math.LN2, 14);
    expect(looks).toBeLessThan(16);
  });

  it('accepts either order of the ends, and an end that is a root', () => {
    expect(rootBetween((x) => x - 2, 5, 1)).toBe(2);
    expect(rootBetween((x) => x - 2, 2, 5)).toBe(2);
    expect(rootBetween((x) => x - 2, 1, 2)).toBe(2);
  });

  it('refuses ends of the same sign', () => {
    expect(() => rootBetween((x) => x * x + 1, -1, 1)).toThrow(InvariantError);
  });
});
