import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import { LADDER, tickOf } from '../../../src/domain/ladder.ts';
import { quoteValue, TYPICAL_FILLS } from '../../../src/strategy/pricing/placement.ts';

const at = (price: number): number => tickOf(price) as number;
const stakeMicros = toMicros(20);

describe('the value of a quote', () => {
  it('is the profit of a fill at the fair probability times the rate of fills', () => {
    // 20 USDT `for` at 2.04 when fair is even money: 0.40 USDT a fill, ln(1.04) of log-odds away from fair.
    const perFill = toMicros(0.4);
    const rate = (3 / 60) * Math.exp(-40 * Math.log(1.04));
    const value = quoteValue({ direction: 'for', tick: at(2.04), stakeMicros }, 0.5);
    expect(value).toBeCloseTo(perFill * rate, 6);
  });

  it('is zero without an edge', () => {
    expect(quoteValue({ direction: 'for', tick: at(1.9), stakeMicros }, 0.5)).toBe(0);
    expect(quoteValue({ direction: 'against', tick: at(2.1), stakeMicros }, 0.5)).toBe(0);
  });

  it('is highest neither at fair nor far from it, and grows with stake and arrivals', () => {
    const values = LADDER.map((_, tick) => quoteValue({ direction: 'for', tick, stakeMicros }, 0.4));
    const best = values.indexOf(Math.max(...values));
    expect(LADDER[best]).toBeGreaterThan(2.5);
    expect(LADDER[best]).toBeLessThan(2.65);
    const quote = fc.record({
      direction: fc.constantFrom('for' as const, 'against' as const),
      tick: fc.integer({ min: 0, max: LADDER.length - 1 }),
      stakeMicros: fc.integer({ min: 1, max: 1e12 }),
    });
    fc.assert(
      fc.property(quote, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (given, fair) => {
        const value = quoteValue(given, fair);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(Number.isFinite(value)).toBe(true);
        const busier = { ...TYPICAL_FILLS, arrivalsPerS: 2 * TYPICAL_FILLS.arrivalsPerS };
        expect(quoteValue(given, fair, busier)).toBeCloseTo(2 * value, 3);
      }),
    );
  });
});
