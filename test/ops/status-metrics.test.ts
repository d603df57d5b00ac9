import { describe, expect, it } from 'vitest';
import { createPrometheusMetrics } from '../../src/ops/metrics.ts';
import { statusMetrics } from '../../src/ops/status-metrics.ts';
import type { ProfitWords, Status } from '../../src/read-model/status.ts';
import { aProfit, aReadiness, aStatus } from '../support/status.ts';

/** The samples of an exposition after these statuses, each by its name and labels. */
async function shown(...statuses: readonly Status[]): Promise<Record<string, string>> {
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const show = statusMetrics(metrics);
  for (const status of statuses) show(status);
  const lines = (await metrics.expose()).text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), line.split(' ').at(-1)!]),
  );
}

const words = (settled: number, closeNow: number | null): ProfitWords => ({
  settled,
  locked: settled - 2,
  expected: settled + 1,
  closeNow,
  commission: 0.5,
});

const LIMITS = [
  { name: 'loss.dayUsdt', use: 12.5, limit: 100, unit: 'usdt' },
  { name: 'openOrders.account', use: 3, limit: 40, unit: 'count' },
] as const;

describe('the metrics of the status', () => {
  it('show every figure', async () => {
    const status = aStatus({
      profit: aProfit({
        run: { ...words(10, 9), notClosable: ['A v B', 'C v D'] },
        today: words(1, null),
        byStrategy: [
          { name: 'symmetric', ...words(7, 6) },
          { name: 'inventory', ...words(3, null) },
        ],
        sources: { spread: 4, move: -1, settlement: 2, unattributed: 5 },
        markouts: [{ horizonS: 10, fills: 4, ratio: -0.01 }],
      }),
      account: { balance: 1_000.25, openStake: 40, ageS: 3 },
      turnover: 250,
      limits: LIMITS,
      ordersOpen: 6,
      oldestUnknownOrderS: 61,
      twoSidedQuoteRatio: 0.9,
      quoting: { wanted: 5, quoted: 4, twoSided: 3, notQuotingS: null, readiness: aReadiness() },
    });
    expect(await shown(status)).toEqual({
      touchline_ready: '1',
      'touchline_selections{state="wanted"}': '5',
      'touchline_selections{state="quoted"}': '4',
      'touchline_selections{state="two_sided"}': '3',
      touchline_two_sided_ratio: '0.9',
      touchline_not_quoting_seconds: '0',
      'touchline_account_profit_usdt{kind="settled"}': '10',
      'touchline_account_profit_usdt{kind="locked"}': '8',
      'touchline_account_profit_usdt{kind="expected"}': '11',
      'touchline_account_profit_usdt{kind="close_now"}': '9',
      touchline_not_closable_events: '2',
      'touchline_profit_usdt{kind="settled",strategy="symmetric"}': '7',
      'touchline_profit_usdt{kind="locked",strategy="symmetric"}': '5',
      'touchline_profit_usdt{kind="expected",strategy="symmetric"}': '8',
      'touchline_profit_usdt{kind="close_now",strategy="symmetric"}': '6',
      'touchline_profit_usdt{kind="settled",strategy="inventory"}': '3',
      'touchline_profit_usdt{kind="locked",strategy="inventory"}': '1',
      'touchline_profit_usdt{kind="expected",strategy="inventory"}': '4',
      'touchline_profit_usdt{kind="close_now",strategy="inventory"}': 'Nan',
      'touchline_profit_today_usdt{kind="settled"}': '1',
      'touchline_profit_today_usdt{kind="locked"}': '-1',
      'touchline_profit_today_usdt{kind="expected"}': '2',
      'touchline_profit_today_usdt{kind="close_now"}': 'Nan',
      'touchline_profit_sources_usdt{source="spread"}': '4',
      'touchline_profit_sources_usdt{source="move"}': '-1',
      'touchline_profit_sources_usdt{source="settlement"}': '2',
      'touchline_profit_sources_usdt{source="unattributed"}': '5',
      'touchline_markout_ratio{horizon_seconds="10"}': '-0.01',
      touchline_balance_usdt: '1000.25',
      touchline_open_stake_usdt: '40',
      touchline_turnover_usdt: '250',
      'touchline_risk_use{limit="loss.dayUsdt"}': '12.5',
      'touchline_risk_limit{limit="loss.dayUsdt"}': '100',
      'touchline_risk_use{limit="openOrders.account"}': '3',
      'touchline_risk_limit{limit="openOrders.account"}': '40',
      'touchline_budget_left{budget="orders"}': '5',
      'touchline_budget_left{budget="betslips"}': '9',
      'touchline_budget_left{budget="betslips_today"}': '1991',
      touchline_oldest_unknown_order_seconds: '61',
      touchline_open_orders: '6',
    });
  });

  it('show the paper fills of every model, on paper alone', async () => {
    const models = [
      { model: 'touch', fills: 7, stakeMatched: 70, profitLoss: 4.5, unpriced: 0 },
      { model: 'through', fills: 3, stakeMatched: 30, profitLoss: -1.25, unpriced: 0 },
    ];
    expect(
      await shown(aStatus({ paperFills: { account: 'queue', models, causes: {}, nearMisses: 0 } })),
    ).toMatchObject({
      'touchline_paper_fills{model="touch"}': '7',
      'touchline_paper_fills{model="through"}': '3',
      'touchline_paper_stake_matched_usdt{model="touch"}': '70',
      'touchline_paper_profit_usdt{model="through"}': '-1.25',
    });
    expect(Object.keys(await shown(aStatus())).filter((name) => name.includes('paper'))).toEqual([]);
  });

  it.each([
    ['starting', '0'],
    ['quoting', '1'],
    ['blocked', '0'],
    ['stopping', '0'],
  ] as const)('in state %s are ready: %s', async (state, ready) => {
    expect(await shown(aStatus({ state }))).toMatchObject({ touchline_ready: ready });
  });

  it('show what is not known as no number, and follow the status', async () => {
    const unknown = await shown(aStatus());
    expect(unknown).toMatchObject({
      touchline_balance_usdt: 'Nan',
      touchline_open_stake_usdt: 'Nan',
      'touchline_profit_today_usdt{kind="locked"}': 'Nan',
      touchline_oldest_unknown_order_seconds: '0',
    });
    const stuck = aStatus({
      state: 'blocked',
      oldestUnknownOrderS: 5,
      quoting: { wanted: 1, quoted: 0, twoSided: 0, notQuotingS: 301, readiness: aReadiness() },
    });
    const seen = { touchline_not_quoting_seconds: '301', touchline_oldest_unknown_order_seconds: '5' };
    expect(await shown(aStatus(), stuck)).toMatchObject(seen);
    expect(await shown(stuck, aStatus())).toMatchObject({
      touchline_not_quoting_seconds: '0',
      touchline_oldest_unknown_order_seconds: '0',
    });
  });
});
