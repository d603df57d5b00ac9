import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LADDER } from '../../src/domain/ladder.ts';
import { fromMicros, returnMicros, toMicros } from '../../src/domain/money.ts';
import { liabilityMicros, winMicros } from '../../src/domain/odds.ts';
import { InvariantError } from '../../src/lib/assert.ts';

const stakes = fc.integer({ min: 1, max: 1e10 });
const DECIMALS = 8;

/** Stake × (price - 1) without rounding, as a whole number of 1e-8 micros. */
const exactly = (stakeMicros: number, price: number): bigint =>
  BigInt(stakeMicros) * (BigInt(Math.round(price * 10 ** DECIMALS)) - 10n ** BigInt(DECIMALS));

const unit = 10n ** BigInt(DECIMALS);

describe('the profit of a bet and the liability of the other side', () => {
  it('is a whole micro, rounded down and up, at every price of the ladder', () => {
    fc.assert(
      fc.property(stakes, fc.constantFrom(...LADDER), (stakeMicros, price) => {
        const exact = exactly(stakeMicros, price);
        expect(BigInt(winMicros('odds-for', stakeMicros, price))).toBe(exact / unit);
        expect(BigInt(liabilityMicros('lay-for', stakeMicros, price))).toBe((exact + unit - 1n) / unit);
      }),
    );
  });

  it('keeps all decimals of a price off the ladder', () => {
    const prices = fc.integer({ min: 1, max: 2e7 }).map((part) => 1 + part / 1e6);
    fc.assert(
      fc.property(stakes, prices, (stakeMicros, price) => {
        const exact = exactly(stakeMicros, price);
        expect(
          Math.abs(winMicros('odds-for', stakeMicros, price) - Number(exact) / Number(unit)),
        ).toBeLessThanOrEqual(1);
        expect(
          liabilityMicros('lay-for', stakeMicros, price) - winMicros('odds-for', stakeMicros, price),
        ).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('an amount', () => {
  it.each([
    [20, 20_000_000],
    [0.1, 100_000],
    [1.0000005, 1_000_001],
    [1.0000004, 1_000_000],
    [-2.5, -2_500_000],
    [0, 0],
  ])('of %f is %d micros', (amount, micros) => {
    expect(toMicros(amount)).toBe(micros);
    expect(fromMicros(micros)).toBeCloseTo(amount, 6);
  });

  it.each([NaN, Infinity, -Infinity, 9_007_199_255, -9_007_199_255])('of %d is none', (amount) => {
    expect(() => toMicros(amount)).toThrow(InvariantError);
  });
});

describe('the return of a stake', () => {
  it.each([
    [10_000_000, 1.01, 100_000],
    [30_000_000, 1.1, 3_000_000],
    [7, 1000, 6_993],
    [100_000_000, 2.12345678, 112_345_678],
    [1_000_000, 1.00000001, 0.01],
  ])('of %d at %f is exactly %f', (stakeMicros, price, micros) => {
    expect(returnMicros(stakeMicros, price)).toBe(micros);
  });

  it('at a complement is that of the other stake, as exact as a double', () => {
    // 1.03 / 0.03 has no end.
    expect(returnMicros(3_000_000, 1.03 / 0.03)).toBeCloseTo(100_000_000, 6);
    expect(returnMicros(3_000_000, 1.07 / 0.07)).toBeCloseTo(3_000_000 / 0.07, 6);
  });
});
