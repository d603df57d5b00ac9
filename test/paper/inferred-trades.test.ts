import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packLevels, type PriceList, totalMaxMicros } from '../../src/domain/price-list.ts';
import { tradesBetween } from '../../src/paper/inferred-trades.ts';

const list = (...levels: readonly (readonly [price: number, stake: number])[]): PriceList =>
  packLevels(levels.map(([price, maxMicros]) => ({ price, minMicros: null, maxMicros })));

const BEFORE = list([2.2, 50], [2.18, 30], [2.16, 20]);

describe('offers show a trade', () => {
  it.each([
    ['the best price has less', list([2.2, 40], [2.18, 30], [2.16, 20]), [[2.2, 10]]],
    ['the best price is gone', list([2.18, 30], [2.16, 20]), [[2.2, 50]]],
    [
      'a taker went through',
      list([2.18, 5], [2.16, 20]),
      [
        [2.2, 50],
        [2.18, 25],
      ],
    ],
  ])('when %s', (_what, after, trades) => {
    expect(tradesBetween(BEFORE, after, false).map(({ price, stakeMicros }) => [price, stakeMicros])).toEqual(
      trades,
    );
  });

  it.each([
    ['nothing changed', BEFORE],
    ['a price behind has less', list([2.2, 50], [2.18, 20], [2.16, 20])],
    ['a price behind has more', list([2.2, 40], [2.18, 31], [2.16, 20])],
    ['a price was added', list([2.2, 40], [2.19, 1], [2.18, 30], [2.16, 20])],
    ['a better price was added', list([2.22, 10], [2.2, 40], [2.18, 30], [2.16, 20])],
    ['the best price has more', list([2.2, 60], [2.18, 30], [2.16, 20])],
    ['the last price is gone', list([2.2, 50], [2.18, 30])],
    ['a price in the middle is gone', list([2.2, 40], [2.16, 20])],
  ])('but not when %s', (_what, after) => {
    expect(tradesBetween(BEFORE, after, false)).toEqual([]);
  });

  it('from the lowest price on, where prices are lay prices', () => {
    expect(tradesBetween(BEFORE, list([2.2, 50], [2.18, 30], [2.16, 5]), true)).toEqual([
      { price: 2.16, stakeMicros: 15 },
    ]);
    expect(tradesBetween(BEFORE, list([2.2, 40], [2.18, 30], [2.16, 20]), true)).toEqual([]);
  });
});

const levels = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 101, max: 140 }), fc.integer({ min: 1, max: 50 })), {
    selector: ([price]) => price,
    maxLength: 8,
    size: 'max',
  })
  .map((pairs) => list(...pairs.map(([price, stake]) => [price / 100, stake] as const)));

it('never shows more traded than left the offers', () => {
  fc.assert(
    fc.property(levels, levels, fc.boolean(), (before, after, isLay) => {
      const traded = tradesBetween(before, after, isLay).reduce(
        (sum, { stakeMicros }) => sum + stakeMicros,
        0,
      );
      expect(traded).toBeLessThanOrEqual(Math.max(0, totalMaxMicros(before) - totalMaxMicros(after)));
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
      const traded = tradesBetween(before, list(...after), false);
      expect(traded.reduce((sum, { stakeMicros }) => sum + stakeMicros, 0)).toBe(wanted - left);
    }),
  );
});
