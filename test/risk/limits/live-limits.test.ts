import { describe, expect, it } from 'vitest';
import type { PlaceOrder } from '../../../src/domain/orders.ts';
import { LIVE_LIMITS } from '../../../src/risk/index.ts';
import { ask, type Bench, bench, codesOf, fillOf, limitsWith, START_MS } from '../support/harness.ts';
import { betsOf } from '../../support/account.ts';

type Table = Readonly<Record<string, object>>;

const none = (): void => undefined;
const opposed = ({ risk }: Bench): void => {
  for (const betType of ['for,a', 'against,a']) betsOf(risk).report(fillOf(ask({ betType }), 1_995));
};
const resting = ({ risk }: Bench): void => void risk.approve(ask({ stake: 1 }));
const matched = ({ risk, wallMs }: Bench): void => betsOf(risk).report(fillOf(ask(), 495, { atMs: wallMs }));
const WITHIN_NINE = { worstCase: { selectionUsdt: 9 }, order: { maxLiabilityUsdt: 9 } };

/** Limits that refuse an order of 11, which the moderate limits let through. */
const LIVE: readonly [section: string, prepare: (world: Bench) => void, table: Table, code: string][] = [
  ['order', none, { order: { maxStakeUsdt: 10 } }, 'stake_limit'],
  ['worstCase', none, WITHIN_NINE, 'selection_worst_case'],
  ['gross', opposed, { gross: { eventUsdt: 4_000 } }, 'event_gross'],
  ['openOrders', resting, { openOrders: { selection: 1 } }, 'selection_open_orders'],
  ['turnover', matched, { turnover: { dayUsdt: 500 } }, 'day_turnover'],
  ['balance', none, { balance: { required: true } }, 'balance_unknown'],
  ['take', none, { take: { minEdge: 0.5 } }, 'take_edge'],
  ['allow', none, { allow: { sports: ['tennis'] } }, 'sport_not_allowed'],
];

/** Limits that would refuse an order if a reload applied them. */
const FIXED: readonly [section: string, table: Table, order: PlaceOrder, prepare: (world: Bench) => void][] =
  [
    ['collar', { collar: { adverseProbability: 0.001 } }, ask({ price: 1.99 }), none],
    ['inPlay', { inPlay: { stopBeforeStartS: 100 } }, ask(), (world) => (world.wallMs = START_MS - 9_000)],
    ['throttle', { throttle: { ordersPerMinute: 1 } }, ask(), resting],
  ];

describe('limits that change', () => {
  it.each(LIVE)('of %s apply to the next order, back and forth', (_, prepare, table, code) => {
    const world = bench();
    prepare(world);
    world.risk.setLimits(limitsWith(table));
    const order = (): PlaceOrder =>
      code === 'take_edge'
        ? { ...ask({ stake: 11 }), take: { id: 'a', fairProbability: 0.6, reduces: false } }
        : ask({ stake: 11 });
    expect(codesOf(world.risk, order())).toContain(code);
    world.risk.setLimits(limitsWith());
    expect(codesOf(world.risk, order())).toEqual([]);
  });

  it('of losses apply to the next result', () => {
    const world = bench();
    world.risk.onProfitLoss({ kind: 'account' }, 0);
    world.risk.setLimits(limitsWith({ loss: { dayUsdt: 10, strategyDayUsdt: 10 } }));
    expect(world.risk.killed).toBeNull();
    world.risk.onProfitLoss({ kind: 'account' }, -10e6);
    expect(world.risk.killed?.reason).toBe('lost 10 since the day, limit 10');
  });

  it.each(FIXED)('of %s need a restart', (section, table, order, prepare) => {
    const world = bench();
    prepare(world);
    world.risk.setLimits(limitsWith(table));
    expect(codesOf(world.risk, order)).toEqual([]);
    expect(LIVE_LIMITS).not.toContain(section);
  });

  it('are those of money and of what may be traded', () => {
    expect([...LIVE_LIMITS].sort()).toEqual([...LIVE.map(([section]) => section), 'loss'].sort());
  });
});
