import { describe, expect, it } from 'vitest';
import { readRiskLimits } from '../../src/risk/index.ts';

const keysOf = (table: unknown, mode: 'simulated' | 'live' = 'simulated'): string[] => {
  const result = readRiskLimits(table, mode);
  return result.ok ? [] : result.problems.map(({ key }) => key);
};

const LIVE = {
  order: { max_stake_usdt: 10, max_liability_usdt: 50 },
  worst_case: {
    selection_usdt: 50,
    event_usdt: 100,
    competition_usdt: 200,
    sport_usdt: 200,
    day_usdt: 200,
    account_usdt: 200,
  },
  gross: { event_usdt: 500, account_usdt: 1000 },
  open_orders: { selection: 2, event: 10, account: 20 },
};

describe('risk limits', () => {
  it('has a moderate default for everything in simulated mode', () => {
    const result = readRiskLimits({}, 'simulated');
    expect(result.ok && result.limits.order).toEqual({ maxStakeUsdt: 500, maxLiabilityUsdt: 2000 });
    expect(result.ok && result.limits.inPlay.allowed).toBe(false);
  });

  it('lays what is given over the defaults, key by key', () => {
    const result = readRiskLimits({ order: { max_stake_usdt: 7 } }, 'simulated');
    expect(result.ok && result.limits.order).toEqual({ maxStakeUsdt: 7, maxLiabilityUsdt: 2000 });
  });

  it('takes a live table that says every limit of money', () => {
    expect(keysOf(LIVE, 'live')).toEqual([]);
  });

  it('names every limit that live mode misses', () => {
    const { gross: _, ...rest } = LIVE;
    const table = { ...rest, worst_case: { ...LIVE.worst_case, event_usdt: undefined } };
    expect(keysOf(table, 'live').sort()).toEqual(['risk.gross', 'risk.worst_case.event_usdt']);
    expect(keysOf({}, 'live')).toEqual(['risk.order', 'risk.worst_case', 'risk.gross', 'risk.open_orders']);
  });

  it.each([
    ['negative', { order: { max_stake_usdt: -1 } }, ['risk.order.max_stake_usdt']],
    ['no number', { order: { max_stake_usdt: '1' } }, ['risk.order.max_stake_usdt']],
    ['not finite', { gross: { event_usdt: Infinity } }, ['risk.gross.event_usdt']],
    ['not a whole count', { open_orders: { selection: 1.5 } }, ['risk.open_orders.selection']],
    ['a probability above one', { collar: { adverse_probability: 1 } }, ['risk.collar.adverse_probability']],
    ['an unknown key', { order: { max_steak: 1 } }, ['risk.order.max_steak']],
    ['an unknown section', { orders: {} }, ['risk.orders']],
    ['no table', { order: 5 }, ['risk.order']],
  ])('refuses %s, by name', (_, table, keys) => {
    expect(keysOf(table)).toEqual(keys);
  });

  it('names both limits of a contradiction', () => {
    const result = readRiskLimits({ worst_case: { event_usdt: 1000 } }, 'simulated');
    expect(result.ok ? [] : result.problems).toEqual([
      {
        key: 'risk.worst_case.selection_usdt',
        message: 'is 2000, above worst_case.event_usdt (1000): it could never be reached',
      },
    ]);
  });
});
