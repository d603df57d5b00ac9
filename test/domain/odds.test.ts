import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ceilTick, floorTick, LADDER, LAST_TICK } from '../../src/domain/odds.ts';

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
