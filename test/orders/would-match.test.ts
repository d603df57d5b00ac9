import { describe, expect, it } from 'vitest';
import { PRICE_KINDS, SELECTION_KINDS } from '../../src/domain/odds.ts';
import { packLevels, type PriceList } from '../../src/domain/price-list.ts';
import { DIRECTIONS } from '../../src/domain/selection.ts';
import { priceOf } from '../../src/domain/ladder.ts';
import { type PricedOrder, wouldCross, wouldTake } from '../../src/orders/would-match.ts';

const list = (...ticks: readonly number[]): PriceList =>
  packLevels(ticks.map((tick) => ({ price: priceOf(tick), minMicros: null, maxMicros: 1_000_000 })));
const order = (direction: 'for' | 'against', tick: number): PricedOrder => ({
  direction,
  priceKind: SELECTION_KINDS[direction],
  tick,
});

describe('an order comes too near to prices that it could take', () => {
  // A `for` order is better the higher its price, and takes what is at least as high.
  it.each([
    ['for', 101, 1, false],
    ['for', 100, 1, true],
    ['for', 99, 1, true],
    ['for', 102, 3, true],
    ['for', 103, 3, false],
    ['for', 100, 0, true],
    ['for', 101, 0, false],
    ['against', 99, 1, false],
    ['against', 100, 1, true],
    ['against', 101, 1, true],
    ['against', 98, 3, true],
    ['against', 97, 3, false],
    ['against', 100, 0, true],
    ['against', 99, 0, false],
  ] as const)('%s at tick %i with a margin of %i beside tick 100: %s', (direction, tick, margin, is) => {
    expect(wouldTake(order(direction, tick), margin, list(100))).toBe(is);
  });

  it('if the best price does, whatever the others are', () => {
    expect(wouldTake(order('for', 101), 1, list(101, 90))).toBe(true);
    expect(wouldTake(order('for', 102), 1, list(101, 90))).toBe(false);
    expect(wouldTake(order('against', 91), 1, list(101, 90))).toBe(true);
    expect(wouldTake(order('against', 89), 1, list(101, 90))).toBe(false);
  });

  it.each(PRICE_KINDS)('but not to an empty list: %s', (priceKind) => {
    for (const direction of DIRECTIONS)
      expect(wouldTake({ direction, priceKind, tick: 100 }, 1, [])).toBe(false);
  });
});

describe('an order meets one of ours', () => {
  it.each([
    ['at the same price', order('for', 100), order('against', 100), true],
    ['at a worse price for both', order('for', 99), order('against', 100), true],
    ['at a better price for both', order('for', 101), order('against', 100), false],
    ['of its own side', order('for', 100), order('for', 100), false],
  ])('%s', (_, a, b, crosses) => {
    expect([wouldCross(a, [b]), wouldCross(b, [a])]).toEqual([crosses, crosses]);
    expect(wouldCross(a, [order(a.direction, a.tick), b])).toBe(crosses);
    expect(wouldCross(a, [b, order(a.direction, a.tick)])).toBe(crosses);
  });

  it('of none only if there is none', () => {
    expect(wouldCross(order('for', 100), [])).toBe(false);
  });
});
