import { expect, it } from 'vitest';
import type { Risk } from '../../../src/risk/index.ts';
import { ask, bench, fillOf, limitsWith, live } from '../support/harness.ts';
import { betsOf } from '../../support/account.ts';

const TABLE = {
  loss: { dayUsdt: 100, fromPeakUsdt: 200, strategyDayUsdt: 50, strategyFromPeakUsdt: 60 },
  turnover: { dayUsdt: 5_000 },
  openOrders: { account: 90 },
};

const usesOf = (risk: Risk): Record<string, readonly [use: number, limit: number]> =>
  Object.fromEntries(risk.limitUses().map(({ name, use, limit }) => [name, [use, limit]]));

it('lists every limit of the account beside its use', () => {
  const world = bench(TABLE);
  const { risk } = world;
  const unused = usesOf(risk);
  expect(unused).toEqual({
    'worstCase.accountUsdt': [0, 9_000],
    'gross.accountUsdt': [0, 100_000],
    'loss.dayUsdt': [0, 100],
    'loss.fromPeakUsdt': [0, 200],
    'turnover.dayUsdt': [0, 5_000],
    'openOrders.account': [0, 90],
    'throttle.ordersPerMinute': [0, 400],
  });
  const order = ask({ stake: 10 });
  expect(risk.approve(order).ok).toBe(true);
  risk.onOrder(live(order));
  betsOf(risk).report(fillOf(order, 4, { atMs: world.wallMs }));
  risk.onProfitLoss({ kind: 'account' }, 50e6);
  risk.onProfitLoss({ kind: 'account' }, 80e6);
  risk.onProfitLoss({ kind: 'account' }, 20e6);
  expect(usesOf(risk)).toEqual({
    ...unused,
    'worstCase.accountUsdt': [10, 9_000],
    'gross.accountUsdt': [10, 100_000],
    'loss.dayUsdt': [30, 100],
    'loss.fromPeakUsdt': [60, 200],
    // The 4 that are matched, and the 6 that may still be.
    'turnover.dayUsdt': [10, 5_000],
    'openOrders.account': [1, 90],
    'throttle.ordersPerMinute': [1, 400],
  });
  expect(risk.matchedTodayMicros()).toBe(4e6);
});

it('shows a gain as no loss, and an earlier run’s loss before the first total', () => {
  const first = bench(TABLE).risk;
  first.onProfitLoss({ kind: 'account' }, 0);
  first.onProfitLoss({ kind: 'account' }, -25e6);
  const second = bench(TABLE).risk;
  second.restore(first.snapshot());
  expect(usesOf(second)).toMatchObject({ 'loss.dayUsdt': [25, 100], 'loss.fromPeakUsdt': [25, 200] });
  second.onProfitLoss({ kind: 'account' }, 10e6);
  expect(usesOf(second)).toMatchObject({ 'loss.dayUsdt': [0, 100], 'loss.fromPeakUsdt': [0, 200] });
});

it('shows a changed limit at once, where the limit may change', () => {
  const { risk } = bench(TABLE);
  risk.setLimits(
    limitsWith({
      ...TABLE,
      loss: { ...TABLE.loss, dayUsdt: 70, fromPeakUsdt: 80 },
      throttle: { ordersPerMinute: 9 },
    }),
  );
  expect(usesOf(risk)).toMatchObject({
    'loss.dayUsdt': [0, 70],
    'loss.fromPeakUsdt': [0, 80],
    'throttle.ordersPerMinute': [0, 400],
  });
});
