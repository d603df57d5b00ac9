import { describe, expect, it } from 'vitest';
import { eventKey, type EventName } from '../../src/domain/events.ts';
import {
  betId,
  betType,
  eventId,
  orderId,
  requestUuid,
  type SelectionId,
  sport,
} from '../../src/domain/ids.ts';
import type { Fill } from '../../src/domain/live-order.ts';
import { tickOf } from '../../src/domain/ladder.ts';
import type { Decision } from '../../src/engine/turn.ts';
import { type LiveReadings, liveState } from '../../src/read-model/live/live-state.ts';
import {
  PIECES,
  type LiveEvent,
  type LiveFill,
  type LivePayoffs,
  type LiveSelection,
} from '../../src/read-model/live/message.ts';
import { type Fact, ReadModel } from '../../src/read-model/read-model.ts';
import { statusOf } from '../../src/read-model/status.ts';
import { liveOrder } from '../support/orders.ts';
import { readings } from '../support/readings.ts';
import { bookedFact } from '../support/booked.ts';

const EVENT: EventName = { sport: sport('fb'), eventId: eventId('2026-01-01,1,2') };
const KEY = eventKey(EVENT);
const HOME = `${KEY}|h` as SelectionId;

const live = (over: Partial<LiveReadings> = {}): LiveReadings => ({
  ...readings(),
  heartbeatS: 30,
  play: () => ({
    competition: 'Northern League',
    home: 'Northgate',
    away: 'Harbour',
    teams: [],
    startTimeMs: 1_070_000,
    inRunning: true,
    score: [1, 0],
    redCards: [0, 1],
    time: { period: '1h', minutes: 31 },
    suspended: false,
  }),
  risk: () => ({
    worstMicros: -7_500_000,
    besidesMicros: -2_000_000,
    cells: Array.from({ length: 400 }, (_, cell) => (cell === 0 ? null : cell * 1e6)),
  }),
  alertsAt: () => [],
  trading: { state: 'active', by: null, why: null, sinceMs: null, kept: 'over restarts' },
  restriction: () => null,
  adjustments: () => [],
  byHand: () => [],
  ...over,
});

function modelWith(...facts: readonly Fact[]): ReadModel {
  const model = new ReadModel(0);
  const chosen = new Map([[KEY, [HOME]]]);
  model.take({ kind: 'look', look: { events: [EVENT], chosen }, titles: new Map() });
  for (const fact of facts) model.take(fact);
  return model;
}

const ordered = (direction: 'for' | 'against', price: number, createdMonotonicMs = 4_000): Fact => ({
  kind: 'account',
  change: {
    kind: 'order',
    order: liveOrder({
      requestUuid: requestUuid(`${direction} ${price}`),
      ...EVENT,
      selectionId: HOME,
      direction,
      tick: tickOf(price) ?? 0,
      stakeMicros: 8e6,
      filledMicros: 3e6,
      state: 'live',
      createdMonotonicMs,
    }),
    before: null,
  },
  atMs: 4_000,
  wallMs: 1_004_000,
});

const FILL: Fill = {
  ...EVENT,
  betId: betId(7),
  orderId: orderId(1),
  requestUuid: null,
  selectionId: HOME,
  betType: betType('for,h'),
  direction: 'for',
  priceKind: 'odds-for',
  price: 2.5,
  stakeMicros: 4e6,
  role: 'maker',
  atMs: 1_003_000,
};

function piecesOf(model: ReadModel, given: LiveReadings, detailed: readonly string[] = []) {
  const { pieces } = liveState(model, given, new Set(detailed));
  return new Map(pieces.map(({ name, value }) => [name, value]));
}

describe('the live state', () => {
  it('says what the status says', () => {
    const model = modelWith(ordered('for', 2.2));
    const given = live();
    const pieces = piecesOf(model, given);
    const status = statusOf(model, given);
    expect(pieces.get(PIECES.run)).toMatchObject({
      mode: status.mode,
      state: status.state,
      runId: status.runId,
    });
    expect(pieces.get(PIECES.money)).toMatchObject({ run: status.profit.run, limits: status.limits });
    expect(pieces.get(PIECES.quoting)).toMatchObject({
      ordersOpen: status.ordersOpen,
      wanted: status.quoting.wanted,
      budgets: status.budgets,
      openStake: 5,
    });
  });

  it('shows the play and the risk of an event', () => {
    const event = piecesOf(modelWith(ordered('for', 2.2)), live()).get(PIECES.event(KEY)) as LiveEvent;
    expect(event).toMatchObject({
      name: 'A v B',
      score: [1, 0],
      redCards: [0, 1],
      clock: { period: '1h', minutes: 31 },
      worst: -7.5,
      ordersOpen: 1,
      selections: 1,
      competition: 'Northern League',
      openStake: 5,
      owner: 'mine',
      suspended: false,
    });
  });

  it.each([
    [-12_000_000, -12],
    [3_000_000, 0],
  ])(
    'shows the worst case of the matched bets beside it: of least %d it is %d',
    (leastMicros, worstMatched) => {
      const money = [
        { ...EVENT, owner: 'mine', settledMicros: 0, selections: [], isHeld: true, leastMicros },
      ];
      const event = piecesOf(modelWith(ordered('for', 2.2)), live({ money })).get(PIECES.event(KEY));
      expect(event).toMatchObject({ worst: -7.5, worstMatched });
    },
  );

  it('adds up open stakes as the ladder shows them: at the prices of the selections', () => {
    const fact = ordered('against', 1.8) as Extract<Fact, { kind: 'account' }>;
    const change = fact.change as Extract<typeof fact.change, { kind: 'order' }>;
    // 12.50 at odds of 1.80 against is 10 at a lay price of 2.25.
    const order = {
      ...change.order,
      priceKind: 'odds-against',
      stakeMicros: 12.5e6,
      filledMicros: 0,
    } as const;
    const model = modelWith(ordered('for', 2.2), { ...fact, change: { ...change, order } });
    const pieces = piecesOf(model, live(), [KEY]);
    const { quotes } = pieces.get(PIECES.selection(HOME)) as LiveSelection;
    expect(quotes.map(({ unfilled }) => unfilled).toSorted((a, b) => a - b)).toEqual([5, 10]);
    expect(pieces.get(PIECES.event(KEY))).toMatchObject({ openStake: 15 });
    expect(pieces.get(PIECES.quoting)).toMatchObject({ openStake: 15 });
  });

  it('counts the selections with bets whose fair price is not known, of an event and of the account', () => {
    const other = `${KEY}|a` as SelectionId;
    const elsewhere = `fb|2026-01-02,5,6|h` as SelectionId;
    const held = { owner: 'mine', settledMicros: 0, isHeld: true, leastMicros: -4e6 };
    const money = [
      { ...EVENT, ...held, selections: [HOME, other] },
      { sport: EVENT.sport, eventId: eventId('2026-01-02,5,6'), ...held, selections: [elsewhere] },
    ];
    const countsWith = (known: readonly SelectionId[]): readonly unknown[] => {
      const fairOf = (id: SelectionId): number | null => (known.includes(id) ? 0.5 : null);
      const pieces = piecesOf(modelWith(ordered('for', 2.2)), live({ money, fairOf }));
      return [PIECES.event(KEY), PIECES.money].map((name) => (pieces.get(name) as LiveEvent).withoutFair);
    };
    expect(countsWith([])).toEqual([2, 3]);
    expect(countsWith([HOME])).toEqual([1, 2]);
    expect(countsWith([HOME, other, elsewhere])).toEqual([0, 0]);
  });

  it('says what narrows the trading of an event, and of one of its selections', () => {
    const [event, home] = [
      { state: 'reducing', by: 'anna', why: 'late', untilMs: 5_000 },
      { state: 'halted', by: 'event loss', why: 'lost 50', untilMs: null },
    ] as const;
    const given = live({ restriction: (_name, selection) => (selection === null ? event : home) });
    const pieces = piecesOf(modelWith(ordered('for', 2.2)), given, [KEY]);
    expect(pieces.get(PIECES.event(KEY))).toMatchObject({ restriction: event });
    expect(pieces.get(PIECES.selection(HOME))).toMatchObject({ restriction: home });
  });

  it('says how many selections of an event are quoted, and what most of the others wait for', () => {
    const reasonOf: LiveReadings['reasonOf'] = () => ({ for: null, against: 'order.betslip_cap' });
    const event = (...facts: readonly Fact[]) =>
      piecesOf(modelWith(...facts), live({ reasonOf })).get(PIECES.event(KEY)) as LiveEvent;
    const both = event(ordered('for', 2.2), ordered('against', 2));
    expect([both.met, both.wanted, both.waits]).toEqual([1, 1, null]);
    const one = event(ordered('for', 2.2));
    expect([one.met, one.wanted, one.waits]).toEqual([0, 1, 'quoted on one side']);
  });

  it('gives ladders and payoffs of the asked events alone', () => {
    const model = modelWith(ordered('for', 2.2));
    expect([...piecesOf(model, live()).keys()]).not.toContain(PIECES.selection(HOME));
    const pieces = piecesOf(model, live(), [KEY]);
    expect(pieces.get(PIECES.payoffs(KEY))).toMatchObject({ besides: -2 });
    const { cells } = pieces.get(PIECES.payoffs(KEY)) as LivePayoffs;
    expect([cells.length, cells[2]?.[3], cells[0]?.[0]]).toEqual([20, 43, null]);
    const selection = pieces.get(PIECES.selection(HOME)) as LiveSelection;
    expect(selection).toMatchObject({ id: HOME, name: 'Northgate' });
  });

  it('counts what stands before our order: better prices for takers, and the same one', () => {
    const depth: LiveReadings['depthOf'] = () => ({
      for: [2.1, -1, 30e6, 2.0, -1, 20e6, 1.9, -1, 10e6],
      against: [2.4, -1, 40e6, 2.3, -1, 50e6, 2.2, -1, 60e6],
    });
    const model = modelWith(ordered('for', 2.3), ordered('against', 2));
    const selection = piecesOf(model, live({ depthOf: depth }), [KEY]).get(PIECES.selection(HOME)) as
      | LiveSelection
      | undefined;
    expect(selection?.market).toEqual({
      for: [
        [2.1, 30],
        [2, 20],
        [1.9, 10],
      ],
      against: [
        [2.2, 60],
        [2.3, 50],
        [2.4, 40],
      ],
    });
    expect(
      selection?.quotes.map(({ direction, price, ahead, unfilled }) => [direction, price, ahead, unfilled]),
    ).toEqual([
      ['against', 2, 50, 5],
      ['for', 2.3, 110, 5],
    ]);
  });

  it('does not change while nothing does, although time passes', () => {
    const model = modelWith(ordered('for', 2.2));
    const [now, later] = [0, 4_000].map((ms) => {
      const at = { monotonicMs: 10_000 + ms, wallMs: 1_010_000 + ms };
      const run = { ...readings().run, runningS: 10 + ms / 1_000 };
      return liveState(model, live({ ...at, run, heartbeatRemainingMs: 12_500 - ms }), new Set([KEY])).pieces;
    });
    expect(later).toEqual(now);
  });

  it('knows since when the score has been so', () => {
    const decided = (score: readonly [number, number], wallMs: number): Fact => ({
      kind: 'decision',
      decision: {
        turn: { seq: 1, monotonicMs: wallMs, wallMs, inputs: [] },
        event: EVENT,
        view: { score },
        intents: [],
        problems: [],
        admission: { quotes: [], blocked: [] },
        targets: [],
      } as unknown as Decision,
    });
    const since = (...facts: readonly Fact[]) =>
      (piecesOf(modelWith(ordered('for', 2.2), ...facts), live()).get(PIECES.event(KEY)) as LiveEvent)
        .scoreSinceMs;
    expect(since()).toBeNull();
    expect(since(decided([0, 0], 1_000), decided([1, 0], 2_000), decided([1, 0], 3_000))).toBe(2_000);
  });

  it('tells of a fill what it was worth ten seconds later, once that is known', () => {
    const fill = (...facts: readonly Fact[]): LiveFill | undefined =>
      piecesOf(modelWith(bookedFact(FILL), ...facts), live()).get(PIECES.fill(7)) as LiveFill;
    expect(fill()).toMatchObject({ name: 'Northgate', eventKey: KEY, stake: 4, markout10: null });
    expect(fill({ kind: 'markout10', betId: betId(7), ratio: -0.02 })?.markout10).toBe(-0.02);
    expect(fill({ kind: 'markout10', betId: betId(8), ratio: -0.02 })?.markout10).toBeNull();
  });

  it('knows when the last frame arrived', () => {
    const { frameAtMs } = liveState(modelWith({ kind: 'frame', atMs: 9_400 }), live(), new Set());
    expect(frameAtMs).toBe(1_009_400);
    expect(liveState(modelWith(), live(), new Set()).frameAtMs).toBeNull();
  });
});
