import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { profitMicros } from '../../src/domain/odds.ts';
import { LOSS, WIN } from '../../src/domain/payoff.ts';
import {
  cancelsLays,
  type ReducedMarket,
  reducedMarketOf,
  reducedPrice,
} from '../../src/domain/reduction.ts';

describe('the price of a bet after removals', () => {
  it.each<[ReducedMarket, number, readonly number[], number]>([
    ['win', 3, [], 3],
    ['win', 3, [30], 2.1],
    ['win', 2.92, [40], 1.752],
    ['win', 3, [2.49], 3],
    ['win', 3, [2.5], 2.925],
    ['win', 10, [10, 20], 7.2],
    ['win', 10, [10, 2, 20], 7.2],
    ['win', 1.2, [50], 1.01],
    ['place', 3, [30], 2.4],
    ['place', 3, [1], 2.98],
    ['place', 3, [10, 20], 2.44],
    ['place', 3, [100], 1.01],
  ])('%s at %d with %j is %d', (market, price, factors, expected) => {
    expect(reducedPrice(market, price, factors)).toBeCloseTo(expected, 12);
  });

  it.each<[ReducedMarket, readonly number[]]>([
    ['win', []],
    ['win', [0, 2.49]],
    ['place', []],
    ['place', [0]],
  ])('%s is the agreed one to the last digit where %j reduces nothing', (market, factors) => {
    fc.assert(
      fc.property(fc.double({ min: 1.01, max: 1_000, noNaN: true }), (price) => {
        expect(reducedPrice(market, price, factors)).toBe(price);
      }),
    );
  });

  it.each<[ReducedMarket, number, boolean]>([
    ['win', 2.49, false],
    ['win', 2.5, true],
    ['place', 2.5, false],
    ['place', 3.99, false],
    ['place', 4, true],
  ])('%s: a factor of %d cancels orders against: %j', (market, factor, expected) => {
    expect(cancelsLays(market, factor)).toBe(expected);
  });

  it('settles a bet of 10 at 3 with a factor of 30 at 11, to the micro, and the other side at its negative', () => {
    const price = reducedPrice('win', 3, [30]);
    expect(profitMicros('odds-for', 10e6, price, WIN)).toBe(11e6);
    expect(profitMicros('odds-for', 10e6, price, LOSS)).toBe(-10e6);
    expect(profitMicros('lay-for', 10e6, price, WIN)).toBe(-11e6);
  });

  it('falls with each factor, never below the lowest price, and the order of removals does not matter', () => {
    const factors = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { maxLength: 5, size: 'max' });
    fc.assert(
      fc.property(
        fc.constantFrom<ReducedMarket>('win', 'place'),
        fc.double({ min: 1.01, max: 1_000, noNaN: true }),
        factors,
        (market, price, all) => {
          const reduced = reducedPrice(market, price, all);
          expect(reduced).toBeLessThanOrEqual(price);
          expect(reduced).toBeGreaterThanOrEqual(1.01);
          expect(reducedPrice(market, price, all.toReversed())).toBeCloseTo(reduced, 8);
        },
      ),
    );
  });

  it('is known for winners and places alone', () => {
    expect(['win', 'top', 'wdw', 'ml'].map(reducedMarketOf)).toEqual(['win', 'place', null, null]);
  });
});
