import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bestLevel,
  bestPrice,
  EMPTY_PRICE_LIST,
  levelAt,
  levelCount,
  levelsOf,
  NO_MINIMUM,
  packLevels,
  type PriceLevel,
  samePrices,
  totalMaxMicros,
} from '../../src/domain/price-list.ts';

const HIGH: PriceLevel = { price: 2.3, minMicros: null, maxMicros: 100 };
const MIDDLE: PriceLevel = { price: 2.28, minMicros: 7, maxMicros: 50 };
const LOW: PriceLevel = { price: 2.2, minMicros: 0, maxMicros: 20 };
const LIST = [2.3, NO_MINIMUM, 100, 2.28, 7, 50, 2.2, 0, 20];

describe('a price list', () => {
  it('holds its levels in the order of the wire, the highest price first', () => {
    expect(packLevels([MIDDLE, LOW, HIGH])).toEqual(LIST);
    expect(levelsOf(LIST)).toEqual([HIGH, MIDDLE, LOW]);
    expect(levelCount(LIST)).toBe(3);
    expect([levelsOf(EMPTY_PRICE_LIST), levelCount(EMPTY_PRICE_LIST), packLevels([])]).toEqual([[], 0, []]);
  });

  it('has no level beyond its ends', () => {
    expect([-1, 0, 1, 2, 3].map((at) => levelAt(LIST, at))).toEqual([
      undefined,
      HIGH,
      MIDDLE,
      LOW,
      undefined,
    ]);
  });

  it('is best for a taker at its highest price, and against the selection at its lowest', () => {
    for (const [list, highest, lowest] of [
      [LIST, HIGH, LOW],
      [packLevels([MIDDLE]), MIDDLE, MIDDLE],
    ] as const) {
      expect([bestLevel('for', list), bestLevel('against', list)]).toEqual([highest, lowest]);
      expect([bestPrice('for', list), bestPrice('against', list)]).toEqual([highest.price, lowest.price]);
    }
    expect([bestLevel('for', []), bestLevel('against', [])]).toEqual([undefined, undefined]);
    expect([bestPrice('for', []), bestPrice('against', [])]).toEqual([null, null]);
  });

  it('offers the stakes of all its levels together', () => {
    expect(totalMaxMicros(LIST)).toBe(170);
    expect(totalMaxMicros([])).toBe(0);
  });

  it('is another one if any number of it differs, or if it is longer', () => {
    expect(samePrices(LIST, [...LIST])).toBe(true);
    expect(samePrices([], [])).toBe(true);
    for (const at of LIST.keys()) expect(samePrices(LIST, LIST.with(at, 99))).toBe(false);
    const shorter = LIST.slice(0, 6);
    expect([samePrices(LIST, shorter), samePrices(shorter, LIST)]).toEqual([false, false]);
  });

  it('gives back every level that was packed', () => {
    const level = fc.record({
      price: fc.double({ min: 1.01, max: 1000, noNaN: true }),
      minMicros: fc.option(fc.nat()),
      maxMicros: fc.nat(),
    });
    const levels = fc.uniqueArray(level, { maxLength: 9, size: 'max', selector: ({ price }) => price });
    fc.assert(
      fc.property(levels, (given) => {
        expect(levelsOf(packLevels(given))).toEqual(given.toSorted((a, b) => b.price - a.price));
      }),
    );
  });
});
