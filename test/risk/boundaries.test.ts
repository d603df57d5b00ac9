import { describe, expect, it } from 'vitest';
import { eventId } from '../../src/domain/ids.ts';
import type { PlaceOrder } from '../../src/domain/orders.ts';
import { ask, type Bench, bench, FACTS, fillOf, live, START_MS } from './support/harness.ts';
import { betsOf } from '../support/account.ts';

type Reason = readonly [code: string, message: string, actual: unknown, limit: unknown];

interface Boundary {
  readonly table: Readonly<Record<string, object>>;
  readonly prepare?: (world: Bench) => void;
  /** Exactly at the limit. */
  readonly at: PlaceOrder;
  /** The least step past it: a micro, a millisecond, the next double. */
  readonly past: PlaceOrder | ((world: Bench) => void);
  readonly reason: Reason;
}

const OTHER = eventId('2026-11-22,3,4');
const HOUR_MS = 3_600_000;
const WIDE = {
  order: { maxStakeUsdt: 1e5, maxLiabilityUsdt: 1e5 },
  worstCase: {
    selectionUsdt: 1e5,
    eventUsdt: 1e5,
    competitionUsdt: 1e5,
    sportUsdt: 1e5,
    dayUsdt: 1e5,
    accountUsdt: 1e5,
  },
  gross: { eventUsdt: 1e6, accountUsdt: 1e6 },
  collar: { adverseProbability: 0.9, adverseLogOdds: 9, awayLogOdds: 9, driftProbability: 0.9 },
};

/** The widest limits, with one section tightened. */
const only = (section: keyof typeof WIDE, tight: object): Boundary['table'] => ({
  ...WIDE,
  [section]: { ...WIDE[section], ...tight },
});
const oneMore = (order: PlaceOrder): PlaceOrder => ({ ...order, stakeMicros: order.stakeMicros + 1 });
/** Holds bets of 10 on two selections of one event. Both may lose. */
const held = ({ risk }: Bench): void => {
  for (const betType of ['for,a', 'for,d']) betsOf(risk).report(fillOf(ask({ betType }), 10));
};
const fair =
  (probability: number, ageMs = 0) =>
  (world: Bench): void =>
    void (world.reference = { forBest: null, againstBest: null, fair: probability, ageMs });
/** Log-odds from a probability of a quarter to the price 2.00, whose log-odds are 0. */
const FROM_A_QUARTER = -Math.log(0.25 / 0.75);
/** The next smaller double. */
const justBelow = (value: number): number => value * (1 - Number.EPSILON);

/** Limits that must be as tight as the scope’s own: none may be wider than the limit of its container. */
const WITHIN = {
  selection: ['selection'],
  event: ['selection', 'event'],
  competition: ['selection', 'event', 'competition'],
  sport: ['selection', 'event', 'competition', 'sport'],
  day: ['day'],
  account: ['selection', 'event', 'competition', 'sport', 'day', 'account'],
};

/** An order of 5 that exactly fills a scope with this loss already at stake. */
function worstCase(
  kind: keyof typeof WITHIN,
  already: number,
  prepare: (world: Bench) => void,
): readonly [string, Boundary] {
  const limit = already + 5;
  const tight = Object.fromEntries(WITHIN[kind].map((name) => [`${name}Usdt`, limit]));
  const table = { ...only('worstCase', tight), order: { maxStakeUsdt: 6, maxLiabilityUsdt: 6 } };
  const message = `the worst case of the ${kind} would pass its limit`;
  const reason: Reason = [`${kind}_worst_case`, message, limit + 1e-6, limit];
  const past = oneMore(ask({ stake: 5 }));
  return [`the worst case of the ${kind}`, { table, prepare, at: ask({ stake: 5 }), past, reason }];
}

const elsewhere = ({ risk }: Bench): void => betsOf(risk).report(fillOf(ask({ event: OTHER }), 30));

const CASES: readonly (readonly [string, Boundary])[] = [
  [
    'the stake of an order',
    {
      table: { order: { maxStakeUsdt: 7 } },
      at: ask({ stake: 7 }),
      past: oneMore(ask({ stake: 7 })),
      reason: ['stake_limit', 'the stake is above the limit', 7.000001, 7],
    },
  ],
  [
    'the liability of an order',
    {
      table: { order: { maxLiabilityUsdt: 7 } },
      at: ask({ betType: 'against,h', stake: 7 }),
      past: oneMore(ask({ betType: 'against,h', stake: 7 })),
      reason: ['liability_limit', 'the possible loss of the order is above the limit', 7.000001, 7],
    },
  ],
  [
    'gross exposure of the event',
    {
      table: only('gross', { eventUsdt: 1e5 }),
      prepare: ({ risk }) => {
        for (const betType of ['for,a', 'against,a']) betsOf(risk).report(fillOf(ask({ betType }), 49_995));
      },
      at: ask(),
      past: oneMore(ask()),
      reason: ['event_gross', 'the gross exposure of the event would pass its limit', 100_000.000001, 1e5],
    },
  ],
  [
    'gross exposure of the account, other events included',
    {
      table: only('gross', { eventUsdt: 1e5, accountUsdt: 1e5 }),
      prepare: ({ risk }) => {
        for (const betType of ['for,a', 'against,a'])
          betsOf(risk).report(fillOf(ask({ betType, event: OTHER }), 49_995));
      },
      at: ask(),
      past: oneMore(ask()),
      reason: [
        'account_gross',
        'the gross exposure of the account would pass its limit',
        100_000.000001,
        1e5,
      ],
    },
  ],
  [
    'the turnover of the day: matched, open, and the order itself',
    {
      table: { turnover: { dayUsdt: 500 } },
      prepare: ({ risk, wallMs }) => {
        betsOf(risk).report(fillOf(ask({ betType: 'for,a' }), 300, { atMs: wallMs }));
        risk.onOrder(live(ask({ betType: 'for,d', stake: 150 })));
      },
      at: ask({ stake: 50 }),
      past: oneMore(ask({ stake: 50 })),
      reason: ['day_turnover', 'the turnover of the day would pass its limit', 500.000001, 500],
    },
  ],
  [
    'the balance, for the worst case of every event together',
    {
      table: { balance: { reserveUsdt: 2 } },
      prepare: ({ risk }) => {
        betsOf(risk).report(fillOf(ask({ event: OTHER }), 30));
        risk.onChange(
          { kind: 'balance', balance: { balanceMicros: 42e6, openStakeMicros: 0, smartCreditMicros: null } },
          0,
        );
      },
      at: ask({ stake: 10 }),
      past: oneMore(ask({ stake: 10 })),
      reason: ['balance', 'the balance less the reserve does not cover the worst case', 40.000001, 40],
    },
  ],
  [
    'the age of the consensus',
    {
      table: { collar: { maxReferenceAgeS: 5 } },
      prepare: fair(0.5, 5_000),
      at: ask(),
      past: fair(0.5, 5_001),
      reason: ['stale_reference', 'the consensus is too old', 5.001, 5],
    },
  ],
  [
    'the time to the start',
    {
      table: { inPlay: { stopBeforeStartS: 60 } },
      prepare: (world) => (world.wallMs = START_MS - 60_001),
      at: ask(),
      past: (world) => (world.wallMs = START_MS - 60_000),
      reason: ['past_start', 'the start is too close or has passed', 60, 60],
    },
  ],
  [
    'open orders of the selection',
    {
      table: { openOrders: { selection: 2 } },
      prepare: ({ risk }) => risk.onOrder(live(ask({ stake: 3 }))),
      at: ask(),
      past: ({ risk }) => risk.onOrder(live(ask({ stake: 4 }))),
      reason: ['selection_open_orders', 'too many open orders of the selection', 3, 2],
    },
  ],
  [
    'orders within a minute',
    {
      table: { throttle: { ordersPerMinute: 2 } },
      prepare: ({ risk }) => void risk.approve(ask({ stake: 3 })),
      at: ask(),
      past: ({ risk }) => void risk.approve(ask({ stake: 4 })),
      reason: ['message_throttle', 'too many orders within a minute', 3, 2],
    },
  ],
  worstCase('selection', 10, ({ risk }) => betsOf(risk).report(fillOf(ask(), 10))),
  worstCase('event', 20, held),
  worstCase('competition', 30, elsewhere),
  worstCase('sport', 30, elsewhere),
  worstCase('day', 30, elsewhere),
  worstCase('account', 30, elsewhere),
];

/** The whole refusal of one code; null when the order is not refused for it. */
function reasonOf({ risk }: Bench, order: PlaceOrder, code: string): Reason | null {
  const result = risk.approve(order);
  const found = result.ok ? undefined : result.refusals.find((each) => each.code === code);
  return found === undefined ? null : [found.code, found.message, found.actual, found.limit];
}

describe('a limit', () => {
  it.each(CASES)('of %s may be reached and not exceeded', (_, { table, prepare, at, past, reason }) => {
    const [reached, passed] = [bench(table), bench(table)];
    for (const world of [reached, passed]) prepare?.(world);
    if (typeof past === 'function') past(passed);
    expect(reasonOf(reached, at, reason[0])).toBeNull();
    const order = typeof past === 'function' ? at : past;
    const refused = reasonOf(passed, order, reason[0]);
    const actual = typeof reason[2] === 'number' ? expect.closeTo(reason[2], 9) : reason[2];
    expect(refused).toEqual([reason[0], reason[1], actual, reason[3]]);
  });

  /** Distances are sums of logarithms, so the limit is set to the distance to the last bit. */
  it.each([
    ['adverseLogOdds', 'for,h', 'collar_adverse', 'the price is too far on the bad side of the consensus'],
    ['awayLogOdds', 'against,h', 'collar_away', 'the price is too far on the good side of the consensus'],
  ])('of %s holds at the distance itself, for %s', (key, betType, code, message) => {
    const [reached, passed] = [FROM_A_QUARTER, justBelow(FROM_A_QUARTER)].map((limit) => {
      const near = key === 'awayLogOdds' ? { adverseLogOdds: 0.5 } : {};
      const world = bench(only('collar', { ...near, [key]: limit }));
      fair(0.25)(world);
      return world;
    });
    if (reached === undefined || passed === undefined) throw new Error('two worlds');
    expect(reasonOf(reached, ask({ betType }), code)).toBeNull();
    expect(reasonOf(passed, ask({ betType }), code)).toEqual([
      code,
      message,
      FROM_A_QUARTER,
      justBelow(FROM_A_QUARTER),
    ]);
  });

  it.each([
    ['for,h', 0.25],
    ['against,h', 0.75],
  ])('of the distance in probability holds at the distance itself, for %s', (betType, probability) => {
    const [reached, passed] = [0.25, justBelow(0.25)].map((adverseProbability) => {
      const world = bench(only('collar', { adverseProbability }));
      fair(probability)(world);
      return reasonOf(world, ask({ betType }), 'collar_adverse');
    });
    expect([reached, passed?.[2], passed?.[3]]).toEqual([null, 0.25, justBelow(0.25)]);
  });

  it('of drift holds at the distance itself', () => {
    const [reached, passed] = [0.125, justBelow(0.125)].map((driftProbability) => {
      const world = bench(only('collar', { driftProbability }));
      world.risk.approve(ask());
      world.nowMs += 1_000;
      fair(0.625)(world);
      return reasonOf(world, ask({ stake: 3 }), 'collar_drift');
    });
    expect(reached).toBeNull();
    expect(passed).toEqual([
      'collar_drift',
      'the consensus has moved too far lately',
      0.125,
      justBelow(0.125),
    ]);
  });
});

describe('a limit on the account', () => {
  it('counts every event, and a limit on an event counts only that event', () => {
    const world = bench({
      ...WIDE,
      gross: { eventUsdt: 1e5, accountUsdt: 1.5e5 },
    });
    for (const event of [OTHER, undefined]) {
      for (const betType of ['for,a', 'against,a'])
        betsOf(world.risk).report(
          fillOf(ask({ betType, ...(event === undefined ? {} : { event }) }), 37_499),
        );
    }
    expect(reasonOf(world, ask(), 'event_gross')).toBeNull();
    expect(reasonOf(world, ask(), 'account_gross')?.[2]).toBe(150_006);
  });

  it('does not confuse sports, days and competitions with one another', () => {
    const inner = { selectionUsdt: 1e4, eventUsdt: 1e4, competitionUsdt: 1e4, dayUsdt: 1e4 };
    const world = bench({ ...only('worstCase', inner), order: { maxLiabilityUsdt: 500 } });
    world.facts = { ...FACTS, competitionId: 8, startTimeMs: START_MS + 24 * HOUR_MS };
    betsOf(world.risk).report(fillOf(ask({ event: OTHER }), 10_000));
    world.facts = FACTS;
    const result = world.risk.approve(ask());
    expect(result.ok ? [] : result.refusals).toEqual([]);
  });
});
