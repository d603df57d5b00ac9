import { describe, expect, it } from 'vitest';

const { closedAt, ticksBetween } = (await import(
  new URL('../../../src/web/dashboard/match/close-out.ts', import.meta.url).href
)) as {
  readonly closedAt: (of: object, price: number, commissionRate: number) => number | null;
  readonly ticksBetween: (lowest: number, highest: number) => readonly number[];
};

describe('a position that is closed at a price', () => {
  it('pays the same whatever the outcome, after commission on a gain', () => {
    // 100 at 3.00 for it: laid 120 at 2.50, 20 remain.
    expect(closedAt({ ifWin: 200, ifLose: -100 }, 2.5, 0)).toBeCloseTo(20, 9);
    expect(closedAt({ ifWin: 200, ifLose: -100 }, 2.5, 0.05)).toBeCloseTo(19, 9);
    expect(closedAt({ ifWin: 200, ifLose: -100 }, 4, 0.05)).toBeCloseTo(-25, 9);
    // 100 at 3.00 against it: backed 75 at 4.00.
    expect(closedAt({ ifWin: -200, ifLose: 100 }, 4, 0)).toBeCloseTo(25, 9);
  });

  it('is none without bets', () => {
    expect(closedAt({ ifWin: 0, ifLose: 0 }, 2, 0)).toBeNull();
  });
});

describe('the ticks between two prices', () => {
  it('are all of the ladder, both ends left out', () => {
    expect(ticksBetween(1.98, 2.04)).toEqual([1.99, 2, 2.02]);
    expect(ticksBetween(2, 2.02)).toEqual([]);
  });

  it('are none of a market that is too wide to show', () => {
    expect(ticksBetween(1.01, 1_000)).toEqual([]);
    expect(ticksBetween(Infinity, -Infinity)).toEqual([]);
  });
});
