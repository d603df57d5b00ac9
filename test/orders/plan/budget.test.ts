import { describe, expect, it } from 'vitest';
import { type BudgetLevels, budgetFor, isPinnedSpending, spent } from '../../../src/orders/plan/budget.ts';
import { rotatingDurationS } from '../../../src/orders/plan/lifetime.ts';

const levels = (over: Partial<BudgetLevels> = {}): BudgetLevels => ({
  pace: 50,
  burst: 50,
  reserve: 5,
  goesSoon: { normal: true, reducing: true },
  ...over,
});
const SLOW = { normal: false, reducing: true };
const CLOSED = { normal: false, reducing: false };

describe('the budget of a betslip', () => {
  it.each<[what: string, over: Partial<BudgetLevels>, isPinned: boolean, reduces: boolean, budget: unknown]>([
    ['the pace, to its last one', { pace: 1 }, true, false, { isReserve: false, left: 1 }],
    ['the pace, in whole betslips', { pace: 2.9 }, true, false, { isReserve: false, left: 2 }],
    ['none below one', { pace: 0.99 }, true, false, 'betslip_pace'],
    [
      'of rotating markets the pace above a fifth of the burst',
      { pace: 10 },
      false,
      false,
      { isReserve: false, left: 1 },
    ],
    ['of rotating markets none of that fifth', { pace: 9.99 }, false, false, 'betslip_pace'],
    ['the pace before the reserve', { pace: 1 }, true, true, { isReserve: false, left: 1 }],
    [
      'the reserve once the pace is used up',
      { pace: 0, reserve: 1 },
      true,
      true,
      { isReserve: true, left: 1 },
    ],
    ['the reserve in whole betslips', { pace: 0, reserve: 3.7 }, true, true, { isReserve: true, left: 3 }],
    ['none of a reserve below one', { pace: 0, reserve: 0.99 }, true, true, 'betslip_pace'],
    ['none of the reserve without reducing risk', { pace: 0 }, true, false, 'betslip_pace'],
    [
      'the reserve while only what reduces goes soon',
      { goesSoon: SLOW },
      true,
      true,
      { isReserve: true, left: 5 },
    ],
    ['none while only what reduces goes soon', { goesSoon: SLOW }, true, false, 'betslip_budget'],
    ['none while nothing goes soon', { goesSoon: CLOSED }, true, true, 'betslip_budget'],
    [
      'none of the pace while nothing goes soon',
      { goesSoon: CLOSED, reserve: 0 },
      true,
      true,
      'betslip_budget',
    ],
  ])('is %s', (_, over, isPinned, reduces, budget) => {
    expect(budgetFor(levels(over), isPinned, reduces)).toEqual(budget);
  });

  it('is smaller by one once it is used, and the other one is not', () => {
    expect(spent(levels(), { isReserve: true, left: 5 })).toEqual(levels({ reserve: 4 }));
    expect(spent(levels(), { isReserve: false, left: 50 })).toEqual(levels({ pace: 49 }));
  });

  it('shows that pinned markets spend, once less is left than rotating ones can use up', () => {
    // Rotating markets stop below ten, so they leave more than nine.
    expect(isPinnedSpending(levels({ pace: 9 }))).toBe(false);
    expect(isPinnedSpending(levels({ pace: 8.99 }))).toBe(true);
  });
});

describe('the life of a rotating market’s order', () => {
  it.each([
    ['lets all renewals of a day fit', 10, 100, 8_640],
    ['is rounded up', 1, 700, 124],
    ['is the least where few markets rotate', 1, 1_440, 60],
    ['is the most where too many rotate', 500, 100, 14_400],
    ['is the most where there are no betslips', 1, 0, 14_400],
    ['is the most where there are less than none', 1, -5, 14_400],
    ['is found for a single betslip a day, too', 0, 1, 60],
  ])('%s', (_, markets, perDay, seconds) => {
    expect(rotatingDurationS(markets, perDay, 60, 14_400)).toBe(seconds);
  });
});
