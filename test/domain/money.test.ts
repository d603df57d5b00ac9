import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LADDER } from '../../src/domain/ladder.ts';
import { liabilityMicros, winMicros } from '../../src/domain/odds.ts';

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
