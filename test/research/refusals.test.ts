import { expect, it } from 'vitest';
import { refusalCount, refusalsTogether } from '../../src/research/refusals.ts';

it('refusals add up reason by reason, the most frequent first', () => {
  const together = refusalsTogether([{ stake_limit: 2 }, { halted: 1, stake_limit: 3 }, {}, { toString: 7 }]);
  expect(Object.entries(together)).toEqual([
    ['toString', 7],
    ['stake_limit', 5],
    ['halted', 1],
  ]);
  expect(refusalCount(together)).toBe(13);
  expect(refusalCount({})).toBe(0);
});
