import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ceilTick, floorTick, HUNDREDTHS, LADDER, LAST_TICK } from '../../src/domain/ladder.ts';
import { areUncrossed, logOddsOf, priceOfLogOdds, reachesLogOdds } from '../../src/domain/odds.ts';

/** Any price around the ladder: anywhere, on a tick, and as near to a tick as a double can be. */
const prices = fc.oneof(
  fc.double({ min: 0.5, max: 1_100, noNaN: true }),
  fc.double(),
  fc.tuple(fc.nat(LAST_TICK), fc.constantFrom(-2, -1, 0, 1, 2)).map(([tick, ulps]) => {
    const price = LADDER[tick] as number;
    return price * (1 + ulps * Number.EPSILON);
  }),
);

describe('the ticks around a price', () => {
  it('are those that a search of the whole ladder finds', () => {
    fc.assert(
      fc.property(prices, (price) => {
        const below = LADDER.findLastIndex((each) => each <= price);
        const above = LADDER.findIndex((each) => each >= price);
        expect(floorTick(price)).toBe(below === -1 || price === Infinity ? null : below);
        expect(ceilTick(price)).toBe(above === -1 || price === -Infinity ? null : above);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('offers to takers in both directions', () => {
  it.each([
    ['lay-for', 2.2, 2.2, true],
    ['lay-for', 2.2, 2.18, false],
    ['odds-against', 2, 2, true],
    ['odds-against', 2.02, 2, false],
    ['odds-against', 26, 1.04, true],
    ['odds-against', 13.5, 1.08, true],
    ['odds-against', 13.5, 1.09, false],
    ['odds-against', 1.01, 101, true],
  ] as const)('at %s %d and %d are a possible book: %s', (kind, forPrice, against, isPossible) => {
    expect(areUncrossed(kind, forPrice, against)).toBe(isPossible);
  });

  it('are possible at odds where their probabilities add up to one or more, exactly', () => {
    const tick = fc.nat(LAST_TICK).map((at) => LADDER[at] as number);
    fc.assert(
      fc.property(tick, tick, (f, a) => {
        const [whole, other] = [BigInt(Math.round(f * 100)), BigInt(Math.round(a * 100))];
        expect(areUncrossed('odds-against', f, a)).toBe(100n * (whole + other) >= whole * other);
        expect(areUncrossed('lay-for', f, a)).toBe(a >= f);
      }),
    );
  });

  it('are possible at odds up to the exact complement, at every pair of ticks', () => {
    for (const [f, forPrice] of LADDER.entries())
      for (const [a, against] of LADDER.entries()) {
        const [whole, other] = [HUNDREDTHS[f] as number, HUNDREDTHS[a] as number];
        const isPossible = 100 * (whole + other) >= whole * other;
        if (areUncrossed('odds-against', forPrice, against) !== isPossible)
          expect([forPrice, against]).toBe(isPossible);
      }
  });

  it('are judged as they are where a price has more decimals', () => {
    expect(areUncrossed('odds-against', 2.000001, 2)).toBe(false);
    expect(areUncrossed('odds-against', 1.999999, 2)).toBe(true);
    expect(areUncrossed('lay-for', 2.001, 2)).toBe(false);
    expect(areUncrossed('lay-for', 2, 2.001)).toBe(true);
  });
});

describe('the log-odds of a price', () => {
  it.each([
    [2, 0],
    [1.5, Math.LN2],
    [3, -Math.LN2],
    [11, -Math.log(10)],
  ])('of %d are %d', (price, logOdds) => {
    expect(logOddsOf(price)).toBeCloseTo(logOdds, 12);
    expect(priceOfLogOdds(logOdds)).toBeCloseTo(price, 12);
  });

  it('are within reach of a ladder from its lowest to its highest price, of the selection or of its complement', () => {
    for (const [price, isReached] of [
      [1.0099, false],
      [1.0101, true],
      [2, true],
      [999.9, true],
      [1_000.1, false],
    ] as const) {
      expect([price, reachesLogOdds('odds-for', logOddsOf(price))]).toEqual([price, isReached]);
      expect([price, reachesLogOdds('odds-against', -logOddsOf(price))]).toEqual([price, isReached]);
    }
  });
});
