import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../../src/domain/approval.ts';
import { betType, eventId, sport } from '../../../src/domain/ids.ts';
import type { PlaceOrder } from '../../../src/domain/orders.ts';
import { ACCOUNT, scopeName } from '../../../src/risk/index.ts';
import {
  ask,
  type Bench,
  bench,
  codesOf,
  EVENT,
  FACTS,
  fillOf,
  FIXTURE,
  FOOTBALL,
  live,
  START_MS,
} from '../support/harness.ts';
import { betsOf } from '../../support/account.ts';

type Table = Readonly<Record<string, object>>;
type Named = [code: string, message: string, actual: unknown, limit: unknown];

const named = (refusals: readonly Refusal[]): Named[] =>
  refusals.map(({ code, message, actual, limit }) => [code, message, actual, limit]);

function refusalsOf(table: Table, order: PlaceOrder, prepare: (world: Bench) => void): Named[] {
  const world = bench(table);
  prepare(world);
  const result = world.risk.approve(order);
  return result.ok ? [] : named(result.refusals);
}

const nothing = (): void => undefined;
const fairOf = (fair: number | null, ageMs = 0) => ({ forBest: null, againstBest: null, fair, ageMs });

/** Each whole refusal: its text, its measured number, and the limit. */
const CASES: readonly [string, Table, PlaceOrder, (world: Bench) => void, Named[]][] = [
  ['off tick', {}, ask({ price: 2.01 }), nothing, [['off_tick', 'the price is not on a tick', 2.01, null]]],
  [
    'no stake',
    {},
    { ...ask(), stakeMicros: -1 },
    nothing,
    [['bad_stake', 'the stake is not a positive number of micros', -1, null]],
  ],
  [
    'no duration',
    {},
    { ...ask(), durationS: 0 },
    nothing,
    [['bad_duration', 'the duration is not positive', 0, null]],
  ],
  [
    'no direction',
    {},
    ask({ betType: 'lay,h' }),
    nothing,
    [['unknown_direction', 'the bet type has no known direction', 'lay,h', null]],
  ],
  [
    'liability',
    { order: { maxLiabilityUsdt: 5 } },
    ask(),
    nothing,
    [['liability_limit', 'the possible loss of the order is above the limit', 10, 5]],
  ],
  [
    'no event',
    {},
    ask(),
    (world) => (world.facts = null),
    [['unknown_event', 'the event is not in the catalogue', null, null]],
  ],
  [
    'in play',
    {},
    ask(),
    (world) => (world.facts = { ...FACTS, inRunning: true }),
    [['in_play', 'the event is in play', null, null]],
  ],
  [
    'staying open in play',
    {},
    { ...ask(), keepOpenInRunning: true },
    nothing,
    [['keep_open_in_play', 'the order would stay open in play', null, null]],
  ],
  [
    'no start',
    {},
    ask(),
    (world) => (world.facts = { ...FACTS, startTimeMs: null }),
    [['start_unknown', 'the start of the event is not known', null, null]],
  ],
  [
    'close to the start',
    { inPlay: { stopBeforeStartS: 60 } },
    ask(),
    (world) => (world.wallMs = START_MS - 59_000),
    [['past_start', 'the start is too close or has passed', 59, 60]],
  ],
  [
    'no consensus',
    {},
    ask(),
    (world) => (world.reference = fairOf(null)),
    [['no_reference', 'there is no consensus to judge the price by', null, null]],
  ],
  [
    'an old consensus',
    {},
    ask(),
    (world) => (world.reference = fairOf(0.5, 61_000)),
    [['stale_reference', 'the consensus is too old', 61, 60]],
  ],
  [
    'a price too bad in probability',
    { collar: { adverseProbability: 0.125, adverseLogOdds: 1.9 } },
    ask({ price: 1.25 }),
    nothing,
    [['collar_adverse', 'the price is too far on the bad side of the consensus', expect.closeTo(0.3), 0.125]],
  ],
  [
    'a price too good',
    { collar: { awayLogOdds: 2 } },
    ask({ price: 11 }),
    nothing,
    [
      [
        'collar_away',
        'the price is too far on the good side of the consensus',
        expect.closeTo(Math.log(10)),
        2,
      ],
    ],
  ],
  [
    'an open order of the selection',
    { openOrders: { selection: 1 } },
    ask(),
    ({ risk }) => risk.onOrder(live(ask({ stake: 3 }))),
    [['selection_open_orders', 'too many open orders of the selection', 2, 1]],
  ],
  [
    'a stranger to the list',
    { allow: { sports: ['tennis', 'basket'] } },
    ask(),
    nothing,
    [['sport_not_allowed', 'its value is not on the allow list', 'fb', 'tennis, basket']],
  ],
  [
    'an unknown balance',
    { balance: { required: true } },
    ask(),
    nothing,
    [['balance_unknown', 'the balance is not known', null, null]],
  ],
  [
    'a small balance',
    {},
    ask(),
    ({ risk }) =>
      risk.onChange(
        { kind: 'balance', balance: { balanceMicros: 9e6, openStakeMicros: 0, smartCreditMicros: null } },
        0,
      ),
    [['balance', 'the balance less the reserve does not cover the worst case', 10, 9]],
  ],
  [
    'gross exposure',
    { gross: { eventUsdt: 4_000, accountUsdt: 9_000 } },
    ask({ betType: 'for,d', stake: 11 }),
    ({ risk }) => {
      for (const type of ['for,h', 'against,h']) betsOf(risk).report(fillOf(ask({ betType: type }), 1_995));
    },
    [['event_gross', 'the gross exposure of the event would pass its limit', 4_001, 4_000]],
  ],
  [
    'a halt',
    {},
    ask(),
    ({ risk }) => risk.setState(ACCOUNT, 'halted', 'me', 'a drill'),
    [['halted', 'halted by me: a drill', 'halted', 'active']],
  ],
  [
    'reducing only',
    {},
    ask(),
    ({ risk }) => risk.setState(ACCOUNT, 'reducing', 'me', 'a drill'),
    [['reducing_only', 'only orders that reduce the worst case, by me: a drill', 'reducing', 'active']],
  ],
];

describe('refusals', () => {
  it.each(CASES)('explain %s', (_, table, order, prepare, expected) => {
    expect(refusalsOf(table, order, prepare)).toEqual(expected);
  });

  it('explain drift, turnover, a throttle and twins', () => {
    const world = bench({
      collar: { driftProbability: 0.1 },
      turnover: { dayUsdt: 500 },
      throttle: { ordersPerMinute: 1, duplicateWindowS: 2 },
      allow: { sports: ['fb'] },
    });
    const first = ask();
    expect(world.risk.approve(first).ok).toBe(true);
    world.nowMs += 500;
    world.reference = fairOf(0.625);
    const result = world.risk.approve({ ...ask({ stake: 10 }), requestUuid: first.requestUuid });
    expect(result.ok ? [] : named(result.refusals)).toEqual([
      ['message_throttle', 'too many orders within a minute', 2, 1],
      ['collar_drift', 'the consensus has moved too far lately', 0.125, 0.1],
      ['duplicate_uuid', 'an order with this request_uuid already exists', first.requestUuid, null],
      ['duplicate_order', `the order repeats ${first.requestUuid} within a short time`, 0.5, 2],
    ]);
    betsOf(world.risk).report(fillOf(ask(), 480, { atMs: world.wallMs }));
    expect(codesOf(world.risk, ask({ stake: 11 }))).toContain('day_turnover');
  });
});

describe('a limit that is reached exactly', () => {
  it.each<[Table, PlaceOrder, (world: Bench) => void]>([
    [
      { collar: { adverseProbability: 0.125, adverseLogOdds: 1 } },
      ask({ price: 4 }),
      (world) => (world.reference = fairOf(0.125)),
    ],
    [{ collar: { maxReferenceAgeS: 60 } }, ask(), (world) => (world.reference = fairOf(0.5, 60_000))],
    [
      { gross: { eventUsdt: 4_000, accountUsdt: 9_000 } },
      ask({ betType: 'for,d', stake: 10 }),
      ({ risk }) => {
        for (const type of ['for,h', 'against,h']) betsOf(risk).report(fillOf(ask({ betType: type }), 1_995));
      },
    ],
    [{}, ask({ stake: 500 }), nothing],
    [{ inPlay: { stopBeforeStartS: 60 } }, ask(), (world) => (world.wallMs = START_MS - 60_001)],
  ])('of %j lets the order through', (table, order, prepare) => {
    expect(refusalsOf(table, order, prepare)).toEqual([]);
  });
});

describe('a consensus', () => {
  it.each([0, 1, -0.1, 1.1, NaN])('with a fair probability of %s is none', (fair) => {
    const world = bench();
    world.reference = fairOf(fair);
    expect(codesOf(world.risk, ask())).toEqual(['no_reference']);
  });

  it('takes the only side that has a price above 1', () => {
    const world = bench();
    world.reference = { forBest: 2, againstBest: 1, fair: null, ageMs: 0 };
    expect(codesOf(world.risk, ask())).toEqual([]);
    world.reference = { forBest: null, againstBest: 2, fair: null, ageMs: 0 };
    expect(codesOf(world.risk, ask({ stake: 2 }))).toEqual([]);
  });
});

describe('twins', () => {
  const rested =
    (ms: number, change: Partial<PlaceOrder> = {}, state: 'live' | 'closing' = 'live') =>
    (order: PlaceOrder, { risk, nowMs }: Bench): void =>
      risk.onOrder(live({ ...order, ...change }, { state, createdMonotonicMs: nowMs - ms }));

  it.each<[string, (order: PlaceOrder, world: Bench) => void, boolean]>([
    ['an own open order', rested(0), true],
    ['an own open order almost as old as the window', rested(4_999), true],
    ['an own open order as old as the window', rested(5_000), false],
    ['an approved order', (order, { risk }) => void risk.approve(order), true],
    ['an order that is closing', rested(0, {}, 'closing'), false],
    ['an order at another price', rested(0, { price: 2.02 }), false],
    ['an order at a price of another kind', rested(0, { priceKind: 'lay-against' }), false],
    ['an order of another stake', rested(0, { stakeMicros: 9_999_999 }), false],
    ['an order on the other side', rested(0, { betType: betType('for,h'), priceKind: 'odds-for' }), false],
    ['an order on another selection', rested(0, { betType: betType('against,a') }), false],
    ['an order on another event', rested(0, { eventId: eventId('2026-01-01,9,9') }), false],
    ['an order in another sport', rested(0, { sport: sport('fb_ht') }), false],
  ])('%s, beside the same order again', (_, prepare, isTwin) => {
    const world = bench({ throttle: { duplicateWindowS: 5 } });
    world.nowMs += 60_000;
    const order = () => ask({ betType: 'against,h', priceKind: 'odds-against', stake: 10 });
    prepare(order(), world);
    expect(codesOf(world.risk, order())).toEqual(isTwin ? ['duplicate_order'] : []);
  });
});

describe('a scope that already exceeds its limit', () => {
  it('accepts an order that leaves it unchanged', () => {
    const { risk } = bench({ grids: { scoreSports: [] } });
    const elsewhere = { event: eventId('2026-01-01,9,9'), sport: sport('fb') };
    betsOf(risk).report(fillOf(ask(elsewhere), 20_000));
    betsOf(risk).report(fillOf(ask({ betType: 'against,h', stake: 10 }), 10));
    const hedge = ask({ betType: 'for,h', stake: 10 });
    risk.onOrder(live(ask({ betType: 'for,h', stake: 10 })));
    expect(codesOf(risk, hedge)).toEqual([]);
    expect(codesOf(risk, ask({ betType: 'for,a' }))).toContain('account_worst_case');
  });
});

describe('names of scopes', () => {
  it('tell the scopes apart', () => {
    const { selectionId } = live(ask());
    expect([
      scopeName(ACCOUNT),
      scopeName({ kind: 'strategy', strategy: 's' }),
      scopeName({ kind: 'event', ...FIXTURE }),
      scopeName({ kind: 'selection', ...FIXTURE, selectionId }),
    ]).toEqual(['account', 'strategy s', `event fb/${EVENT}`, `selection ${selectionId}`]);
  });

  it('a halt of one event leaves others alone', () => {
    const { risk } = bench();
    const here = { kind: 'event', ...FIXTURE } as const;
    const there = { kind: 'event', sport: FOOTBALL, eventId: eventId('2026-01-01,9,9') } as const;
    risk.setState(here, 'halted', 'me', 'x');
    risk.setState(there, 'reducing', 'me', 'y');
    expect([
      risk.effectiveState(here).state,
      risk.effectiveState(there).state,
      risk.effectiveState(ACCOUNT).state,
    ]).toEqual(['halted', 'reducing', 'active']);
    risk.onEventOver(FIXTURE);
    expect(risk.snapshot().states).toMatchObject([{ why: 'y' }]);
  });
});

describe('results', () => {
  const loss = { dayUsdt: 100, fromPeakUsdt: 150, strategyDayUsdt: 50, strategyFromPeakUsdt: 60 };
  const strategy = (name: string) => ({ kind: 'strategy', strategy: name }) as const;

  it('are counted separately for the account and each strategy', () => {
    const world = bench({ loss });
    world.risk.onProfitLoss({ kind: 'account' }, 0);
    world.risk.onProfitLoss(strategy('a'), 0);
    world.risk.onProfitLoss(strategy('b'), 100e6);
    world.risk.onProfitLoss({ kind: 'account' }, 90e6);
    world.risk.onProfitLoss(strategy('a'), -10e6);
    world.risk.onProfitLoss(strategy('b'), 90e6);
    expect(world.risk.snapshot()).toMatchObject({
      kill: null,
      states: [],
      results: [
        { of: { kind: 'account' }, day: 20_778, dayMicros: 90e6, fromPeakMicros: 0 },
        { of: strategy('a'), dayMicros: -10e6, fromPeakMicros: -10e6 },
        { of: strategy('b'), dayMicros: -10e6, fromPeakMicros: -10e6 },
      ],
    });
    world.risk.onProfitLoss(strategy('b'), 40e6);
    expect(world.risk.snapshot().states).toMatchObject([
      { by: 'loss limit', scope: strategy('b'), latched: true },
    ]);
  });

  it('of a new day start at zero', () => {
    const world = bench({ loss });
    world.risk.onProfitLoss({ kind: 'account' }, 0);
    world.risk.onProfitLoss({ kind: 'account' }, -90e6);
    world.wallMs += 86_400_000;
    world.risk.onProfitLoss({ kind: 'account' }, -100e6);
    expect(world.risk.snapshot().results).toMatchObject([{ dayMicros: -10e6, fromPeakMicros: -100e6 }]);
    expect(world.risk.killed).toBeNull();
  });

  it('stop counting at a resume when they were restored', () => {
    const [before, after] = [bench({ loss }), bench({ loss })];
    before.risk.onProfitLoss({ kind: 'account' }, 0);
    before.risk.onProfitLoss({ kind: 'account' }, -99e6);
    after.risk.restore(before.risk.snapshot());
    after.risk.resume('a fresh start', 'me');
    expect(after.risk.snapshot().results).toMatchObject([{ dayMicros: 0, fromPeakMicros: 0 }]);
    after.risk.onProfitLoss({ kind: 'account' }, -99e6);
    after.risk.onProfitLoss({ kind: 'account' }, -198e6);
    expect(after.risk.killed).toBeNull();
    expect(after.risk.snapshot().results).toHaveLength(1);
  });

  it('records who, why and when of a kill and a resume', () => {
    const { risk, notices, wallMs } = bench();
    risk.kill('a drill', 'me');
    risk.resume('the drill is over', 'you');
    expect(notices).toEqual([
      { kind: 'killed', record: { by: 'me', reason: 'a drill', atMs: wallMs } },
      { kind: 'resumed', record: { by: 'you', reason: 'the drill is over', atMs: wallMs } },
    ]);
  });
});
