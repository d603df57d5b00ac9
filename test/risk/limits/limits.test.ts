import { describe, expect, it } from 'vitest';
import { readRiskLimits } from '../../../src/risk/index.ts';
import { ask, bench, codesOf } from '../support/harness.ts';

const keysOf = (table: unknown, mode: 'simulated' | 'live' = 'simulated'): string[] => {
  const result = readRiskLimits(table, mode);
  return result.ok ? [] : result.problems.map(({ key }) => key);
};

const LIVE = {
  order: { maxStakeUsdt: 10, maxLiabilityUsdt: 50 },
  worstCase: {
    selectionUsdt: 50,
    eventUsdt: 100,
    competitionUsdt: 200,
    sportUsdt: 200,
    dayUsdt: 200,
    accountUsdt: 200,
  },
  gross: { eventUsdt: 500, accountUsdt: 1000 },
  openOrders: { selection: 2, event: 10, account: 20 },
  loss: { dayUsdt: 50, fromPeakUsdt: 50, strategyDayUsdt: 50, strategyFromPeakUsdt: 50 },
  turnover: { dayUsdt: 1000 },
  balance: { reserveUsdt: 10, required: true },
  take: { eventUsdt: 20, hourUsdt: 40, minEdge: 0.02 },
};

describe('risk limits', () => {
  it('has a moderate default for everything in simulated mode', () => {
    const result = readRiskLimits({}, 'simulated');
    expect(result.ok && result.limits.order).toEqual({ maxStakeUsdt: 500, maxLiabilityUsdt: 2000 });
    expect(result.ok && result.limits).toMatchObject({
      balance: { reserveUsdt: 0, required: false },
      inPlay: { allowed: false, stopBeforeStartS: 0 },
      allow: { sports: [], competitions: [], marketTypes: [] },
      grids: { scoreSports: ['fb', 'fb_ht'], winnerMarketTypes: ['win'] },
      guards: { disabled: [] },
    });
  });

  it('overrides the defaults key by key', () => {
    const result = readRiskLimits({ order: { maxStakeUsdt: 7 } }, 'simulated');
    expect(result.ok && result.limits.order).toEqual({ maxStakeUsdt: 7, maxLiabilityUsdt: 2000 });
  });

  it('accepts amounts as large as can be counted exactly, and names larger ones', () => {
    const huge = { gross: { accountUsdt: 9e9 }, turnover: { dayUsdt: 9e9 }, balance: { reserveUsdt: 9e9 } };
    expect(codesOf(bench(huge).risk, ask())).toEqual([]);
    const beyond = { turnover: { dayUsdt: 1e10 }, balance: { reserveUsdt: 1e10 } };
    expect(keysOf(beyond)).toEqual(['risk.turnover.dayUsdt', 'risk.balance.reserveUsdt']);
  });

  it('accepts a live table that sets every limit of money', () => {
    expect(keysOf(LIVE, 'live')).toEqual([]);
  });

  it('names every limit that live mode lacks', () => {
    const { gross: _, ...rest } = LIVE;
    const table = { ...rest, worstCase: { ...LIVE.worstCase, eventUsdt: undefined } };
    expect(keysOf(table, 'live').sort()).toEqual([
      'risk.gross.accountUsdt',
      'risk.gross.eventUsdt',
      'risk.worstCase.eventUsdt',
    ]);
    const { order, worstCase, gross, openOrders, loss, turnover, balance, take } = LIVE;
    const all = Object.entries({ order, worstCase, gross, openOrders, loss, turnover, balance, take });
    expect(keysOf({}, 'live')).toEqual(
      all.flatMap(([section, limits]) => Object.keys(limits).map((key) => `risk.${section}.${key}`)),
    );
  });

  it.each([
    ['missing', { ...LIVE.order, maxStakeUsdt: undefined }, 'is missing'],
    ['negative', { ...LIVE.order, maxStakeUsdt: -5 }, 'is -5: expected number to be >0'],
    ['zero', { ...LIVE.order, maxStakeUsdt: 0 }, 'is 0: expected number to be >0'],
    ['not a number', { ...LIVE.order, maxStakeUsdt: NaN }, 'is NaN: expected number, received NaN'],
    ['a text', { ...LIVE.order, maxStakeUsdt: '5' }, 'is "5": expected number, received string'],
  ])('reports a live limit that is %s, with its value', (_, order, message) => {
    const result = readRiskLimits({ ...LIVE, order }, 'live');
    expect(result.ok ? [] : result.problems).toEqual([{ key: 'risk.order.maxStakeUsdt', message }]);
  });

  it.each([
    ['negative', { order: { maxStakeUsdt: -1 } }, ['risk.order.maxStakeUsdt']],
    ['no number', { order: { maxStakeUsdt: '1' } }, ['risk.order.maxStakeUsdt']],
    ['not finite', { gross: { eventUsdt: Infinity } }, ['risk.gross.eventUsdt']],
    ['not a whole count', { openOrders: { selection: 1.5 } }, ['risk.openOrders.selection']],
    ['a probability above one', { collar: { adverseProbability: 1 } }, ['risk.collar.adverseProbability']],
    ['an unknown key', { order: { max_steak: 1 } }, ['risk.order.max_steak']],
    ['an unknown section', { orders: {} }, ['risk.orders']],
    ['no table', { order: 5 }, ['risk.order']],
  ])('refuses %s, by name', (_, table, keys) => {
    expect(keysOf(table)).toEqual(keys);
  });

  it('names both limits of a contradiction', () => {
    const result = readRiskLimits({ worstCase: { eventUsdt: 1000 } }, 'simulated');
    expect(result.ok ? [] : result.problems).toEqual([
      {
        key: 'risk.worstCase.selectionUsdt',
        message: 'is 2000, above worstCase.eventUsdt (1000): it could never be reached',
      },
    ]);
  });

  it.each([
    ['null', null, [{ key: 'risk' }]],
    ['a list', [], [{ key: 'risk' }]],
    ['nothing for a section', { order: null }, [{ key: 'risk.order' }]],
    ['a list for a section', { order: [] }, [{ key: 'risk.order' }]],
    [
      'two unknown keys',
      { order: { a: 1, b: 2 } },
      [
        { key: 'risk.order.a', message: 'is not a known limit' },
        { key: 'risk.order.b', message: 'is not a known limit' },
      ],
    ],
  ])('reports what is wrong with %s', (_, table, problems) => {
    const result = readRiskLimits(table, 'simulated');
    expect(result.ok ? [] : result.problems).toMatchObject(problems);
    expect(result.ok ? 0 : result.problems.length).toBe(problems.length);
  });

  it('accepts a partial table of a guard', () => {
    const result = readRiskLimits({ guards: { loopLag: { maxS: 9 } } }, 'live');
    expect(result.ok).toBe(false);
    const moderate = readRiskLimits({ guards: { loopLag: { maxS: 9 } } }, 'simulated');
    expect(moderate.ok && moderate.limits.guards.loopLag).toEqual({ maxS: 9, coolDownS: 2 });
  });
});
