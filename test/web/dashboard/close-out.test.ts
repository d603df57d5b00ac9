import { describe, expect, it } from 'vitest';

const { closedAt } = (await import(
  new URL('../../../src/web/dashboard/workspace/ladder/close-out.ts', import.meta.url).href
)) as {
  readonly closedAt: (of: object, price: number, commissionRate: number) => number | null;
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
    expect(closedAt({ ifWin: 0.004, ifLose: -0.004 }, 2, 0)).toBeNull();
    expect(closedAt({ ifWin: 0.006, ifLose: 0 }, 2, 0)).toBeCloseTo(0.003, 9);
  });
});
