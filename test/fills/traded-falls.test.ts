import { expect, it } from 'vitest';
import type { Tick } from '../../src/domain/ladder.ts';
import { TradedFalls } from '../../src/fills/traded-falls.ts';

const [FIVE, SEVEN] = [5 as Tick, 7 as Tick];

it('a copy of a side waits with the same trades, and takes nothing from it', () => {
  const [first, second] = [new TradedFalls(), new TradedFalls()];
  second.trade(SEVEN, 90, 1);
  first.trade(FIVE, 40, 2);
  second.takeOver(first);
  expect([second.fall(FIVE, 30, 2), second.fall(FIVE, 30, 2), second.fall(SEVEN, 90, 2)]).toEqual([
    30, 10, 0,
  ]);
  expect(first.fall(FIVE, 50, 2)).toBe(40);
});
