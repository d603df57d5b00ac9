import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { levelsOf, packLevels, type PriceList } from '../../src/domain/price-list.ts';
import { partlyChanged, type SeenList, tradesBetween } from '../../src/paper/inferred-trades.ts';

const list = (...levels: readonly (readonly [price: number, stake: number])[]): PriceList =>
  packLevels(levels.map(([price, maxMicros]) => ({ price, minMicros: null, maxMicros })));

/** A list as it was seen, with the prices whose stake has changed in part before. */
const seen = (before: PriceList, ...partly: readonly number[]): SeenList => ({
  list: before,
  partly: new Set(partly),
});

const BEFORE = list([2.2, 50], [2.18, 30], [2.16, 20]);

describe('offers show a trade', () => {
  it.each([
    ['the best price has less', [], list([2.2, 40], [2.18, 30], [2.16, 20]), [[2.2, 10, false]]],
    ['the best price is gone that had had less', [2.2], list([2.18, 30], [2.16, 20]), [[2.2, 50, true]]],
    [
      'a taker went through',
      [],
      list([2.18, 5], [2.16, 20]),
      [
        [2.2, 50, true],
        [2.18, 25, false],
      ],
    ],
    [
      'two prices are gone, whatever came behind them',
      [],
      list([2.16, 20], [2.14, 70]),
      [
        [2.2, 50, true],
        [2.18, 30, true],
      ],
    ],
    [
      'all prices are gone, and a worse one came',
      [],
      list([2.1, 5]),
      [
        [2.2, 50, true],
        [2.18, 30, true],
        [2.16, 20, true],
      ],
    ],
    [
      'the next price has less, and one behind it changed',
      [],
      list([2.18, 29], [2.16, 25]),
      [
        [2.2, 50, true],
        [2.18, 1, false],
      ],
    ],
    ['a price behind has more', [], list([2.2, 40], [2.18, 31], [2.16, 20]), [[2.2, 10, false]]],
    ['a price was added behind', [], list([2.2, 40], [2.19, 1], [2.18, 30], [2.16, 20]), [[2.2, 10, false]]],
    ['a price in the middle is gone', [], list([2.2, 40], [2.16, 20]), [[2.2, 10, false]]],
  ])('when %s', (_what, partly, after, trades) => {
    const found = tradesBetween(seen(BEFORE, ...partly), after, false);
    expect(found.map(({ price, stakeMicros, isAll }) => [price, stakeMicros, isAll])).toEqual(trades);
  });

  it.each([
    ['nothing changed', BEFORE],
    ['the best price is gone as it came', list([2.18, 30], [2.16, 20])],
    ['it is gone, and the next one has more', list([2.18, 31], [2.16, 20])],
    ['a price behind has more', list([2.2, 50], [2.18, 31], [2.16, 20])],
    ['a price in the middle is gone', list([2.2, 50], [2.16, 20])],
    ['a price behind has less', list([2.2, 50], [2.18, 20], [2.16, 20])],
    ['a better price was added', list([2.22, 10], [2.2, 40], [2.18, 30], [2.16, 20])],
    ['the best price has more', list([2.2, 60], [2.18, 30], [2.16, 20])],
    ['the last price is gone', list([2.2, 50], [2.18, 30])],
    ['everything is gone', list()],
  ])('but not when %s', (_what, after) => {
    expect(tradesBetween(seen(BEFORE), after, false)).toEqual([]);
  });

  it('from the lowest price on, where prices are lay prices', () => {
    expect(tradesBetween(seen(BEFORE), list([2.2, 50], [2.18, 30], [2.16, 5]), true)).toEqual([
      { price: 2.16, stakeMicros: 15, isAll: false },
    ]);
    expect(tradesBetween(seen(BEFORE), list([2.2, 40], [2.18, 30], [2.16, 20]), true)).toEqual([]);
    expect(tradesBetween(seen(BEFORE, 2.16), list([2.2, 50], [2.18, 30]), true)).toEqual([
      { price: 2.16, stakeMicros: 20, isAll: true },
    ]);
  });
});

describe('a price has changed in part', () => {
  it('once its stake became less or more, until it is gone', () => {
    const first = partlyChanged(seen(BEFORE), list([2.2, 49], [2.18, 30], [2.16, 21], [2.14, 5]));
    expect([...first]).toEqual([2.2, 2.16]);
    const second = seen(list([2.2, 49], [2.18, 30], [2.16, 21], [2.14, 5]), ...first);
    expect([...partlyChanged(second, list([2.2, 49], [2.18, 30]))]).toEqual([2.2]);
    const third = seen(list([2.18, 30]));
    expect([...partlyChanged(third, list([2.2, 49], [2.18, 30]))]).toEqual([]);
  });
});

const levels = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 101, max: 140 }), fc.integer({ min: 1, max: 50 })), {
    selector: ([price]) => price,
    maxLength: 8,
    size: 'max',
  })
  .map((pairs) => list(...pairs.map(([price, stake]) => [price / 100, stake] as const)));

it('never shows more traded at a price than left it', () => {
  fc.assert(
    fc.property(levels, levels, fc.boolean(), (before, after, isLay) => {
      const had = new Map(levelsOf(before).map(({ price, maxMicros }) => [price, maxMicros]));
      const has = new Map(levelsOf(after).map(({ price, maxMicros }) => [price, maxMicros]));
      for (const { price, stakeMicros, isAll } of tradesBetween(seen(before), after, isLay)) {
        expect(stakeMicros).toBe((had.get(price) ?? 0) - (has.get(price) ?? 0));
        expect(stakeMicros).toBeGreaterThan(0);
        expect(isAll).toBe(!has.has(price));
      }
    }),
  );
});

it('shows what a taker took, whatever it took', () => {
  fc.assert(
    fc.property(levels, fc.integer({ min: 0, max: 400 }), (before, wanted) => {
      let left = wanted;
      const after: [number, number][] = [];
      for (let at = 0; at < before.length; at += 3) {
        const took = Math.min(left, before[at + 2] as number);
        left -= took;
        if ((before[at + 2] as number) > took)
          after.push([before[at] as number, (before[at + 2] as number) - took]);
      }
      const prices = levelsOf(before).map(({ price }) => price);
      const traded = tradesBetween(seen(before, ...prices), list(...after), false);
      const expected = after.length === 0 ? 0 : wanted - left;
      expect(traded.reduce((sum, { stakeMicros }) => sum + stakeMicros, 0)).toBe(expected);
    }),
  );
});
