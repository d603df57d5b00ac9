import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventKey, type EventName } from '../../src/domain/events.ts';
import {
  betId,
  betType,
  eventId,
  type EventKey,
  orderId,
  requestUuid,
  type SelectionId,
  sport,
} from '../../src/domain/ids.ts';
import { ORDER_STATES, type OrderState } from '../../src/domain/lifecycle.ts';
import type { Fill, LiveOrder } from '../../src/domain/live-order.ts';
import type { Direction } from '../../src/domain/selection.ts';
import type { Decision } from '../../src/engine/turn.ts';
import { type ConnectionSignal, type Fact, ReadModel } from '../../src/read-model/read-model.ts';
import { type Readings, type Status, statusOf } from '../../src/read-model/status.ts';
import { summaryOf } from '../../src/read-model/summary.ts';
import type { StrategyProblem } from '../../src/strategy/host.ts';
import { liveOrder } from '../support/orders.ts';
import { readings } from '../support/readings.ts';
import { silentAccount } from '../support/account.ts';
import { bookedFact } from '../support/booked.ts';

const EVENT: EventName = { sport: sport('fb'), eventId: eventId('2026-01-01,1,2') };
/** Shares the event id. */
const HALF: EventName = { ...EVENT, sport: sport('fb_ht') };
const OTHER: EventName = { sport: sport('fb'), eventId: eventId('2026-01-01,3,4') };

const selectionOn = ({ sport: of, eventId: id }: EventName, outcome = 'h'): SelectionId =>
  `${of}|${id}|${outcome}` as SelectionId;

interface Decided {
  readonly event?: EventName;
  readonly atMs?: number;
  readonly wants?: boolean;
  readonly asked?: boolean;
  readonly problems?: readonly Pick<StrategyProblem, 'kind' | 'message' | 'strategy'>[];
}

function decision({ event = EVENT, atMs = 0, wants = false, asked = true, problems = [] }: Decided): Fact {
  const intent = { selectionId: selectionOn(event), direction: 'for', tick: 100, stakeMicros: 1, level: 0 };
  const decided = {
    turn: { seq: 1, monotonicMs: atMs, wallMs: 1_000_000 + atMs, inputs: [] },
    event,
    view: asked ? {} : null,
    intents: wants ? [intent] : [],
    problems,
    admission: { quotes: [], blocked: [] },
    targets: [],
  };
  return { kind: 'decision', decision: decided as unknown as Decision };
}

const threw = (message: string, decided: Decided = {}): Fact =>
  decision({ ...decided, problems: [{ kind: 'threw', strategy: 'mine', message }] });

interface OrderFact {
  readonly uuid?: string;
  readonly event?: EventName;
  readonly direction?: Direction;
  readonly tick?: number;
  readonly before?: OrderState | null;
  readonly atMs?: number;
  readonly part?: Partial<Pick<LiveOrder, 'filledMicros'>>;
}

function order(state: OrderState, fact: OrderFact = {}): Fact {
  const {
    uuid = 'a',
    event = EVENT,
    direction = 'for',
    tick = 100,
    before = null,
    atMs = 0,
    part = {},
  } = fact;
  const at = { ...event, selectionId: selectionOn(event) };
  return {
    kind: 'account',
    atMs,
    wallMs: 1_000_000 + atMs,
    change: {
      kind: 'order',
      order: liveOrder({ ...at, requestUuid: uuid, direction, tick, state, ...part }),
      before,
    },
  };
}

const fillWith = (id: number, changes: Partial<Fill> = {}): Fill => ({
  betId: betId(id),
  orderId: orderId(1),
  requestUuid: requestUuid('a'),
  ...EVENT,
  selectionId: selectionOn(EVENT),
  betType: betType('for,h'),
  direction: 'for',
  price: 2,
  priceKind: 'odds-for',
  stakeMicros: 1_000_000,
  role: 'maker',
  atMs: 1_000_000 + id,
  ...changes,
});

const fillOf = (id: number, changes: Partial<Fill> = {}): Fact => bookedFact(fillWith(id, changes));

const fill = (id: number, stakeMicros = 1_000_000): Fact => fillOf(id, { stakeMicros });

const connection = (kind: ConnectionSignal['kind']): Fact => ({
  kind: 'connection',
  signal: { kind, epoch: 1, reason: '', retryInMs: 1 } as ConnectionSignal,
});

const look = (events: readonly EventName[], titles: Record<string, string> = {}): Fact => ({
  kind: 'look',
  look: { events, chosen: new Map(events.map((event) => [eventKey(event), [selectionOn(event)]])) },
  titles: new Map(Object.entries(titles) as [EventKey, string][]),
});

function modelOf(...facts: readonly Fact[]): ReadModel {
  const model = new ReadModel(0);
  for (const fact of facts) model.take(fact);
  return model;
}

const statusAfter = (facts: readonly Fact[], over: Partial<Readings> = {}): Status =>
  statusOf(modelOf(...facts), readings(over));

const position = (
  event: EventName,
  micros: number,
): [SelectionId, { ifWinMicros: number; ifLoseMicros: number }] => [
  selectionOn(event),
  { ifWinMicros: micros, ifLoseMicros: -micros },
];

describe('the counts of a run', () => {
  it('include each refused order once, open orders only, and each booked bet', () => {
    const status = statusAfter([
      order('prepared'),
      order('sending'),
      order('refused'),
      order('refused', { before: 'refused' }),
      order('live', { uuid: 'b' }),
      order('closing', { uuid: 'b' }),
      order('unknown', { uuid: 'c' }),
      fill(1),
      fill(2, 2_500_000),
    ]);
    expect(status).toMatchObject({ ordersRefused: 1, ordersOpen: 2, fills: 2, stakeMatched: 3.5 });
  });

  it.each<[readonly ConnectionSignal['kind'][], string, number]>([
    [[], 'connecting', 0],
    [['connecting', 'open', 'synced'], 'synced', 0],
    [['synced', 'closed'], 'closed', 0],
    [['synced', 'closed', 'connecting', 'open', 'synced'], 'synced', 1],
  ])('show the connection after %j', (kinds, stream, reconnects) => {
    const model = modelOf(...kinds.map(connection));
    expect([model.stream, model.reconnects]).toEqual([stream, reconnects]);
  });

  it('include every event that was ever quoted, sport by sport', () => {
    const model = modelOf(
      decision({ wants: true }),
      decision({ wants: false }),
      decision({ wants: true }),
      decision({ event: HALF, wants: true }),
      decision({ event: OTHER, wants: false }),
    );
    expect(model.eventsQuoted).toBe(2);
  });

  it('equal those of the summary, with the outcome of the stop', () => {
    const model = modelOf(
      connection('synced'),
      decision({ wants: true, atMs: 0 }),
      order('live', { atMs: 0 }),
      order('live', { uuid: 'b', direction: 'against', atMs: 5_000 }),
      fill(1),
    );
    const held = [{ leastMicros: -433.59e6 }, { leastMicros: 20e6 }, { leastMicros: 0 }];
    const end = { ranMs: 10_000.4, ordersOpen: 2, exchangeOrdersOpen: null, held };
    expect(summaryOf(model, statusOf(model, readings()), end)).toEqual({
      mode: 'simulated',
      duration_s: 10,
      events: 1,
      selections_quoted: 1,
      orders_placed: 3,
      orders_refused: 0,
      orders_open_at_exit: 2,
      fills: 1,
      stake_matched: 1,
      two_sided_quote_ratio: 0.5,
      throttled_responses: 0,
      profit_loss: 1.5,
      events_held: 3,
      worst_case_of_held: -433.59,
      reconnects: 0,
      strategy_errors: {},
      exchange_orders_open_at_exit: null,
    });
  });

  it('has the fills under every model, if the run is on paper', () => {
    const model = modelOf();
    const of = { fills: 3, stakeMatched: 12.5, profitLoss: -1, unpriced: 0 };
    const paperFills = {
      account: 'queue',
      models: [{ model: 'queue', ...of }],
      causes: { latency: 3 },
      nearMisses: 1,
    } as const;
    const end = { ranMs: 1, ordersOpen: 0, exchangeOrdersOpen: 0, held: [] };
    const told = statusOf(model, readings({ paperFills }));
    expect(told.paperFills).toEqual(paperFills);
    expect(summaryOf(model, told, end)).toMatchObject({
      paper_fills: { queue: { fills: 3, stake_matched: 12.5, profit_loss: -1, unpriced: 0 } },
      paper_causes: { latency: 3 },
      paper_near_misses: 1,
    });
  });
});

describe('the events that are shown', () => {
  const shown = ({ events }: Status): unknown =>
    events.map(({ name, sport: of, quoted }) => [name, of, quoted]);

  it('are the chosen ones that the exchange describes', () => {
    expect(statusAfter([look([EVENT, OTHER])]).events).toMatchObject([
      { name: 'A v B', startsInMs: 60_000, quoted: true, selections: [{ outcome: 'h', ifWin: 0 }] },
      { quoted: true },
    ]);
    expect(statusAfter([look([EVENT])], { event: () => null }).events).toEqual([]);
  });

  it.each<[string, Partial<Readings>, readonly Fact[], boolean]>([
    ['a position', { positions: new Map([position(EVENT, 5)]) }, [], true],
    ['bets that cancel each other', { positions: new Map([position(EVENT, 0)]) }, [], false],
    ['an order that is closing', {}, [order('live'), order('closing')], true],
    ['an order that is over', {}, [order('live'), order('closed')], false],
  ])('include an event that left exactly when something is at stake on it: %s', (_, over, facts, isShown) => {
    const { events } = statusAfter([look([EVENT]), ...facts, look([])], over);
    expect(events).toHaveLength(isShown ? 1 : 0);
    if (isShown)
      expect(events).toMatchObject([{ quoted: false, selections: [{ selectionId: selectionOn(EVENT) }] }]);
  });

  it('show the names that they had when they were quoted, else their ids', () => {
    const wanted = [decision({ wants: true }), look([EVENT], { [`fb|${EVENT.eventId}`]: 'A v B' }), look([])];
    const over = { event: () => null, positions: new Map([position(EVENT, 5), position(OTHER, 5)]) };
    expect(shown(statusAfter(wanted, over))).toEqual([
      ['A v B', 'fb', false],
      [OTHER.eventId, 'fb', false],
    ]);
  });

  it('keep sports apart that share an event id', () => {
    const positions = new Map([position(HALF, 5)]);
    expect(shown(statusAfter([look([EVENT])], { positions }))).toEqual([
      ['A v B', 'fb_ht', false],
      ['A v B', 'fb', true],
    ]);
  });

  it('show a held selection that is no longer chosen, beside the chosen ones', () => {
    const draw = selectionOn(EVENT, 'd');
    const positions = new Map([[draw, { ifWinMicros: 2_000_000, ifLoseMicros: -1_000_000 }]]);
    expect(statusAfter([look([EVENT])], { positions }).events).toMatchObject([
      { quoted: true, selections: [{ outcome: 'h' }, { outcome: 'd', ifWin: 2, ifLose: -1 }] },
    ]);
  });

  it('show our best quotes: the lowest for, the highest against', () => {
    const quotes = [200, 100, 300].flatMap((tick) => [
      order('live', { uuid: `f${tick}`, tick }),
      order('live', { uuid: `a${tick}`, tick, direction: 'against' }),
    ]);
    const [event] = statusAfter([look([EVENT]), ...quotes, order('sending', { uuid: 'x', tick: 50 })]).events;
    const { quoted } = event!.selections[0]!;
    expect(quoted.for!).toBeLessThan(quoted.against!);
    const [lowest] = statusAfter([look([EVENT]), order('live', { tick: 100 })]).events;
    expect(quoted.for).toBe(lowest!.selections[0]!.quoted.for);
  });
});

describe('a strategy that throws on an event', () => {
  const throwsOf = (...facts: readonly Fact[]): unknown => modelOf(...facts).strategyThrows(EVENT);

  it.each<[string, readonly Fact[], unknown]>([
    ['once', [threw('a', { atMs: 5 })], { strategy: 'mine', message: 'a', sinceMs: 1_000_005, times: 1 }],
    [
      'again',
      [threw('a', { atMs: 5 }), threw('b', { atMs: 9 })],
      { strategy: 'mine', message: 'b', sinceMs: 1_000_005, times: 2 },
    ],
    ['and then answers', [threw('a'), decision({})], null],
    [
      'after an answer',
      [threw('a'), decision({}), threw('b', { atMs: 9 })],
      { strategy: 'mine', message: 'b', sinceMs: 1_000_009, times: 1 },
    ],
    [
      'and is not called since',
      [threw('a'), decision({ asked: false })],
      { strategy: 'mine', message: 'a', sinceMs: 1_000_000, times: 1 },
    ],
    [
      'while it answers on others',
      [threw('a'), decision({ event: HALF })],
      { strategy: 'mine', message: 'a', sinceMs: 1_000_000, times: 1 },
    ],
    ['on another event', [threw('a', { event: OTHER })], null],
    ['and is called for another event instead', [threw('a'), look([OTHER])], null],
    [
      'and keeps the event',
      [threw('a'), look([EVENT])],
      { strategy: 'mine', message: 'a', sinceMs: 1_000_000, times: 1 },
    ],
    [
      'nothing, but has other faults',
      [decision({ problems: [{ kind: 'self-cross', strategy: 'mine', message: 'x' }] })],
      null,
    ],
  ])('is reported: it throws %s', (_, facts, expected) => {
    expect(throwsOf(...facts)).toEqual(expected);
  });

  it('is reported with the event', () => {
    const [event] = statusAfter([look([EVENT]), threw('a')]).events;
    expect(event!.strategyThrows).toEqual({ strategy: 'mine', message: 'a', sinceMs: 1_000_000, times: 1 });
  });
});

describe('the state of a run', () => {
  const stateIn = (run: Partial<Readings['run']>, blocked: string | null = null): Status['state'] =>
    statusAfter([], { blocked, run: { ...readings().run, ...run } }).state;

  it.each([
    [{ hasStarted: false }, null, 'starting'],
    [{ hasStarted: false }, 'recovering', 'starting'],
    [{}, null, 'quoting'],
    [{}, 'killed', 'blocked'],
    [{ stopping: 'SIGTERM' }, 'killed', 'stopping'],
    [{ hasStarted: false, stopping: 'SIGTERM' }, null, 'stopping'],
  ] as const)('with %j, blocked by %s, is %s', (run, blocked, state) => {
    expect(stateIn(run, blocked)).toBe(state);
  });
});

describe('quoting', () => {
  const quotingAfter = (...facts: readonly Fact[]): unknown => {
    const { readiness: _, ...quoting } = statusAfter(facts).quoting;
    return quoting;
  };
  const other = { uuid: 'b', direction: 'against', atMs: 5_000 } as const;

  it('counts wanted selections, and for how long none of them is quoted', () => {
    const wanted = decision({ wants: true, atMs: 1_000 });
    expect(quotingAfter()).toEqual({ wanted: 0, quoted: 0, twoSided: 0, notQuotingS: null });
    expect(quotingAfter(wanted)).toEqual({ wanted: 1, quoted: 0, twoSided: 0, notQuotingS: 9 });
    const one = [wanted, order('live', { atMs: 4_000 })];
    expect(quotingAfter(...one)).toEqual({ wanted: 1, quoted: 1, twoSided: 0, notQuotingS: null });
    const both = [...one, order('live', other)];
    expect(quotingAfter(...both)).toEqual({ wanted: 1, quoted: 1, twoSided: 1, notQuotingS: null });
    const gone = [...one, order('closed', { atMs: 7_500 })];
    expect(quotingAfter(...gone)).toEqual({ wanted: 1, quoted: 0, twoSided: 0, notQuotingS: 2.5 });
    const unwanted = [...gone, decision({ wants: false, atMs: 8_000 })];
    expect(quotingAfter(...unwanted)).toEqual({ wanted: 0, quoted: 0, twoSided: 0, notQuotingS: null });
  });

  it('goes on while one of several wanted selections is quoted', () => {
    const facts = [decision({ wants: true }), decision({ event: OTHER, wants: true }), order('live')];
    expect(quotingAfter(...facts)).toEqual({ wanted: 2, quoted: 1, twoSided: 0, notQuotingS: null });
  });
});

describe('the readiness', () => {
  const settings = (minQuotedRatio: number): Fact => ({
    kind: 'settings',
    settings: { commissionRate: 0, minQuotedRatio },
  });
  const other = { uuid: 'b', direction: 'against' } as const;
  const readinessAfter = (facts: readonly Fact[], over: Partial<Readings> = {}): unknown =>
    statusAfter([look([EVENT, OTHER]), settings(0.5), ...facts], over).quoting.readiness;

  it('counts a chosen selection once each wanted side has a confirmed order', () => {
    const reasonOf = () => ({ for: 'budget.betslip_cap', against: 'strategy.threw' });
    const cap = { why: 'wait for betslips', count: 2 };
    expect(readinessAfter([], { reasonOf })).toEqual({ wanted: 2, quoted: 0, waiting: [cap], isShort: true });
    const sent = [order('live'), order('sending', other)];
    const half = { why: 'quoted on one side', count: 1 };
    expect(readinessAfter(sent, { reasonOf })).toMatchObject({
      quoted: 0,
      waiting: [half, { ...cap, count: 1 }],
    });
    const quoted = { quoted: 1, waiting: [{ ...cap, count: 1 }], isShort: false };
    expect(readinessAfter([order('live'), order('live', other)], { reasonOf })).toMatchObject(quoted);
    expect(readinessAfter([order('closing'), order('live', other)], { reasonOf })).toMatchObject(quoted);
    const ended = [order('live'), order('live', other), order('closed', other)];
    expect(readinessAfter(ended, { reasonOf })).toMatchObject({ quoted: 0 });
  });

  it('follows the share that was set last', () => {
    const one = [order('live'), order('live', other)];
    expect(readinessAfter([...one, settings(0.6)])).toMatchObject({ quoted: 1, isShort: true });
    expect(readinessAfter([...one, settings(0)])).toMatchObject({ quoted: 1, isShort: false });
  });

  it('tells how many selections the cap of open betslips carries', () => {
    const status = statusAfter([], { betslipCap: { open: 9, isLearned: true } });
    expect(status.betslipCap).toEqual({ open: 9, isLearned: true, carries: 4 });
  });
});

describe('orders of unknown outcome', () => {
  const oldestAfter = (...facts: readonly Fact[]): unknown => statusAfter(facts).oldestUnknownOrderS;

  it('age from the first report of the state until the outcome is known', () => {
    const first = order('unknown', { atMs: 2_000 });
    const second = order('unknown', { uuid: 'b', atMs: 6_000 });
    expect(oldestAfter(order('sending'))).toBeNull();
    expect(oldestAfter(first, second)).toBe(8);
    expect(oldestAfter(first, order('unknown', { atMs: 9_000 }))).toBe(8);
    expect(oldestAfter(first, second, order('live', { atMs: 7_000 }))).toBe(4);
    expect(oldestAfter(first, order('absent', { atMs: 7_000 }))).toBeNull();
  });
});

describe('recent orders and fills', () => {
  it('show orders once they may have left, in their present state, newest first', () => {
    const { recentOrders } = statusAfter([
      order('prepared'),
      order('sending', { atMs: 5 }),
      order('live', { atMs: 6 }),
      order('closed'),
      order('prepared', { uuid: 'b' }),
      order('absent', { uuid: 'b' }),
      order('sending', { uuid: 'c', direction: 'against', atMs: 7 }),
    ]);
    expect(recentOrders).toMatchObject([
      { requestUuid: 'c', direction: 'against', state: 'sending', atMs: 1_000_007 },
      { requestUuid: 'a', event: 'A v B', outcome: 'h', strategy: 'mine', state: 'closed', atMs: 1_000_005 },
    ]);
  });

  it('show at most twenty of each', () => {
    const uuids = Array.from({ length: 30 }, (_, at) => `order ${at}`);
    const facts = uuids.flatMap((uuid, at) => [order('live', { uuid }), fill(at)]);
    const { recentOrders, recentFills } = statusAfter(facts);
    expect(recentOrders.map(({ requestUuid: uuid }) => uuid)).toEqual(uuids.slice(10).toReversed());
    expect(recentFills.map(({ betId: id }) => id)).toEqual(Array.from({ length: 20 }, (_, at) => 29 - at));
  });

  it('name no strategy for bets of others', () => {
    const [others, ours] = statusAfter([fillOf(1), fillOf(2, { requestUuid: null })]).recentFills;
    expect([others!.strategy, ours!.strategy]).toEqual([null, 'mine']);
    expect(ours).toMatchObject({ event: 'A v B', outcome: 'h', price: 2, stake: 1, role: 'maker' });
  });
});

describe('the account', () => {
  it('shows the last reported balance and its age', () => {
    const balance = { balanceMicros: 12_500_000, openStakeMicros: 3_000_000, reportedMs: 7_500 };
    expect(statusAfter([]).account).toEqual({ balance: null, openStake: null, ageS: null });
    expect(statusAfter([], { balance }).account).toEqual({ balance: 12.5, openStake: 3, ageS: 2.5 });
  });

  it('pays the commission that was set last', () => {
    const money = [
      { ...EVENT, owner: 'mine', settledMicros: 10e6, isHeld: false, leastMicros: 0, selections: [] },
    ];
    const rate = (commissionRate: number): Fact => ({
      kind: 'settings',
      settings: { commissionRate, minQuotedRatio: 0 },
    });
    expect(statusAfter([], { money }).profit.run).toMatchObject({ settled: 10, commission: 0 });
    expect(statusAfter([rate(0.1), rate(0.05)], { money }).profit).toMatchObject({
      run: { settled: 9.5, commission: 0.5 },
      byEvent: [{ event: 'A v B', eventKey: eventKey(EVENT), settled: 9.5 }],
    });
  });
});

describe('a selection', () => {
  it('shows the stake at the best price, and our own open and matched stake', () => {
    const part = { filledMicros: 400_000 };
    const [event] = statusAfter([
      look([EVENT]),
      order('live', { part }),
      order('live', { uuid: 'b' }),
    ]).events;
    expect(event!.selections).toMatchObject([
      {
        market: { for: 2, against: null },
        depth: { for: 80, against: null },
        stake: { for: 1.6, against: 0 },
        filled: { for: 0.4, against: 0 },
      },
    ]);
  });
});

describe('the errors of strategies', () => {
  const fault = (kind: StrategyProblem['kind'], strategy: string, atMs: number): Fact => ({
    kind: 'fault',
    atMs,
    problem: { kind, strategy, ...EVENT, selectionId: null, message: `${kind} at ${atMs}` },
  });

  it('are counted by strategy and kind, whether they are in an answer or not', () => {
    const facts = [
      threw('a'),
      threw('b', { atMs: 3 }),
      fault('slow', 'mine', 4_000),
      fault('slow', 'other', 5),
    ];
    const model = modelOf(...facts, fault('owner-absent', 'gone', 6));
    const status = statusOf(model, readings());
    expect(status.strategies).toEqual([
      {
        name: 'mine',
        profitLoss: 1.5,
        errors: { threw: 2, slow: 1 },
        lastError: { kind: 'slow', message: 'slow at 4000', ageS: 6 },
      },
    ]);
    const end = { ranMs: 1, ordersOpen: 0, exchangeOrdersOpen: 0, held: [] };
    expect(summaryOf(model, status, end).strategy_errors).toEqual({
      mine: { threw: 2, slow: 1 },
      other: { slow: 1 },
    });
  });
});

describe('the model', () => {
  const event = fc.constantFrom(EVENT, HALF, OTHER);
  const states = fc.constantFrom(...ORDER_STATES);
  const uuid = fc.constantFrom('a', 'b', 'c');
  const direction = fc.constantFrom<Direction>('for', 'against');
  const facts: Record<string, fc.Arbitrary<Fact>> = {
    decision: fc.record({ event, wants: fc.boolean(), asked: fc.boolean() }).map(decision),
    threw: fc.record({ event }).map((of) => threw('no', of)),
    order: fc.tuple(states, fc.record({ uuid, event, direction })).map(([state, of]) => order(state, of)),
    fill: fc.constantFrom(1, 2, 3).map((id) => fill(id)),
    connection: fc
      .constantFrom<ConnectionSignal['kind']>('connecting', 'open', 'synced', 'closed')
      .map(connection),
    look: fc.subarray([EVENT, OTHER]).map((events) => look(events)),
  };
  /** Facts of different groups concern different things, so their interleaving makes no difference. */
  const ALONE = [['order'], ['fill'], ['connection'], ['decision', 'threw', 'look']] as const;
  const expected = fc.tuple(
    ...ALONE.map((kinds) => fc.array(fc.oneof(...kinds.map((kind) => facts[kind]!)), { maxLength: 12 })),
  );
  const over = { positions: new Map([position(OTHER, 5)]) };

  /** All answers. Both ratios are 0, since all happens at one instant. */
  function answers(of: readonly Fact[]): unknown {
    const model = modelOf(...of);
    const status = statusOf(model, readings({ ...over, monotonicMs: 0 }));
    return [status, summaryOf(model, status, { ranMs: 1, ordersOpen: 0, exchangeOrdersOpen: 0, held: [] })];
  }

  it('gives the same answers to the same facts, however they are interleaved', () => {
    fc.assert(
      fc.property(expected, fc.infiniteStream(fc.nat()), (queues, picks) => {
        const inOrder = queues.flat();
        const left = queues.map((queue) => [...queue]);
        const mixed: Fact[] = [];
        while (left.some((queue) => queue.length > 0)) {
          const queue = left[(picks.next().value as number) % left.length]!;
          const fact = queue.shift();
          if (fact !== undefined) mixed.push(fact);
        }
        expect(answers(mixed)).toEqual(answers(inOrder));
      }),
    );
  });

  it('counts each bet of an account once, however often it is reported', () => {
    const told = (ids: readonly number[]): readonly Fact[] => {
      const account = silentAccount();
      return ids
        .flatMap((id) => account.apply({ kind: 'bet', fill: fillWith(id) }))
        .map((change) => ({ kind: 'account', change, atMs: 0, wallMs: 0 }));
    };
    fc.assert(
      fc.property(fc.array(fc.constantFrom(1, 2, 3)), (ids) => {
        expect(answers(told([...ids, ...ids.toReversed()]))).toEqual(answers(told(ids)));
      }),
    );
  });

  it('is not changed by a query', () => {
    fc.assert(
      fc.property(expected, (queues) => {
        const model = modelOf(...queues.flat());
        const ask = (): Status => statusOf(model, readings(over));
        expect(ask()).toEqual(ask());
      }),
    );
  });
});

describe('the runners of an event', () => {
  const who = { home: '', away: '', teams: [{ teamId: 7, name: 'Silver Arrow' }] };
  const named = { ...look([EVENT]), who: new Map([[eventKey(EVENT), who]]) } as Fact;

  it('are known for the whole run once a quote was wanted, like its title', () => {
    expect(modelOf(decision({ wants: true }), named, look([])).whoOf(EVENT)).toEqual(who);
    expect(modelOf(named).whoOf(EVENT)).toEqual(who);
    expect(modelOf(named, look([])).whoOf(EVENT)).toBeNull();
  });
});
