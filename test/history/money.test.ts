import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isExplained, type MoneyPoint, moneyOf, reconciled, winningsOf } from '../../src/history/money.ts';

const amount = fc.integer({ min: -1e12, max: 1e12 });
const point = fc.record({
  atMs: fc.nat(),
  moneyMicros: amount,
  settledMicros: amount,
  winningsMicros: fc.nat({ max: 1e12 }),
  depositsMicros: amount,
});

describe('a comparison of the balance', () => {
  it('splits the change into settled, commission, deposits and residual, to the micro', () => {
    fc.assert(
      fc.property(point, point, fc.double({ min: 0, max: 0.5, noNaN: true }), (base, now, rate) => {
        const made = reconciled(base, now, rate, 7);
        const { settledMicros, commissionMicros, depositsMicros, residualMicros } = made;
        expect(made.changeMicros).toBe(now.moneyMicros - base.moneyMicros);
        expect(settledMicros - commissionMicros + depositsMicros + residualMicros).toBe(made.changeMicros);
      }),
    );
  });

  it('has no residual if there is nothing to compare with', () => {
    const now: MoneyPoint = {
      atMs: 9,
      moneyMicros: 500,
      settledMicros: 70,
      winningsMicros: 80,
      depositsMicros: 3,
    };
    expect(reconciled(null, now, 0.1, 500)).toMatchObject({
      sinceMs: null,
      changeMicros: 0,
      residualMicros: 0,
    });
  });

  it.each([
    [10_000, true],
    [-10_000, true],
    [10_001, false],
  ])('with a residual of %i micros is explained: %s', (residualMicros, explained) => {
    expect(isExplained({ residualMicros })).toBe(explained);
  });
});

describe('the money in a balance record', () => {
  it('is the balance, or the balance and what is at risk', () => {
    const balance = { balanceMicros: 100, openStakeMicros: 30, smartCreditMicros: 12 };
    expect(moneyOf(balance, 'whole')).toBe(100);
    expect(moneyOf(balance, 'available')).toBe(118);
    expect(moneyOf({ ...balance, smartCreditMicros: null }, 'available')).toBe(130);
  });
});

it('winnings are the net profits of events that won', () => {
  expect(winningsOf([5, -7, 1])).toBe(6);
});
