import { describe, expect, it } from 'vitest';
import { eventId } from '../../../src/domain/ids.ts';
import { tickOf } from '../../../src/domain/ladder.ts';
import type { QuoteIntent } from '../../../src/domain/quote-intent.ts';
import { AlarmBoard } from '../../../src/risk/guards/alarm.ts';
import { widen } from '../../../src/risk/guards/widen.ts';
import { ACCOUNT, type Alarm, createRisk } from '../../../src/risk/index.ts';
import {
  ask,
  type Bench,
  bench,
  codesOf,
  FACTS,
  fillOf,
  FIXTURE,
  FOOTBALL,
  limitsWith,
  live,
  START_MS,
} from '../support/harness.ts';
import { eventSeen, SELECTION, selectionSeen } from '../support/sightings.ts';
import { betsOf } from '../../support/account.ts';

const OTHER = eventId('2026-11-22,3,4');
const HERE = { kind: 'selection', ...FIXTURE, selectionId: SELECTION } as const;
const MATCH = { kind: 'event', ...FIXTURE } as const;

const fill = (world: Bench, betType = 'for,h', changes: object = {}): void =>
  betsOf(world.risk).report(fillOf(ask({ betType }), 1, { atMs: world.wallMs, ...changes }));
const names = ({ risk }: Bench): string[] => risk.guards.active().map(({ guard }) => guard);
const times = (count: number, run: (i: number) => void): void => {
  for (let i = 0; i < count; i++) run(i);
};

/** Each whole alarm, with its cause. */
const ALARMS: readonly [string, (world: Bench) => void, object][] = [
  [
    'score',
    ({ risk: { guards } }) => {
      guards.onEvent(eventSeen());
      guards.onEvent(eventSeen({ score: [1, 0] }));
    },
    {
      guard: 'score_change',
      scope: MATCH,
      holdMs: 10_000,
      why: 'its score changed',
      actual: '1-0',
      limit: '0-0',
    },
  ],
  [
    'card',
    ({ risk: { guards } }) => {
      guards.onEvent(eventSeen());
      guards.onEvent(eventSeen({ redCards: [0, 1] }));
    },
    {
      guard: 'red_card',
      scope: MATCH,
      holdMs: 10_000,
      why: 'its red cards changed',
      actual: '0-1',
      limit: '0-0',
    },
  ],
  [
    'suspension',
    ({ risk: { guards } }) => guards.onEvent(eventSeen({ suspended: true })),
    {
      guard: 'suspension',
      scope: MATCH,
      holdMs: 5_000,
      why: 'none of its markets has offers',
      actual: null,
      limit: null,
    },
  ],
  [
    'start',
    ({ risk: { guards } }) => guards.onEvent(eventSeen({ inRunning: true })),
    { guard: 'start', scope: MATCH, holdMs: 10_000, why: 'it has started', actual: null, limit: null },
  ],
  [
    'feed',
    ({ risk: { guards } }) => guards.onFeedCleared(),
    {
      guard: 'feed_cleared',
      scope: ACCOUNT,
      holdMs: 5_000,
      why: 'the exchange lost its feed',
      actual: null,
      limit: null,
    },
  ],
  [
    'divergence',
    ({ risk: { guards } }) =>
      guards.onSelection(
        selectionSeen({ offers: { for: 3, against: null }, quotes: { for: 2, against: null } }),
      ),
    {
      guard: 'divergence',
      scope: HERE,
      holdMs: 5_000,
      why: 'quote and offers show different prices',
      actual: expect.closeTo(Math.log(2)),
      limit: 0.3,
    },
  ],
  [
    'jump',
    ({ risk: { guards } }) => {
      guards.onSelection(selectionSeen());
      guards.onSelection(selectionSeen({ fair: 0.75 }));
    },
    {
      guard: 'price_jump',
      scope: HERE,
      holdMs: 5_000,
      why: 'its price jumped',
      actual: expect.closeTo(Math.log(3)),
      limit: 0.4,
    },
  ],
  [
    'age',
    ({ risk: { guards } }) => guards.onAge({ ...FIXTURE, selectionId: SELECTION, ageMs: 40_000 }),
    { guard: 'stale_data', scope: HERE, holdMs: 2_000, why: 'its prices are stale', actual: 40, limit: 30 },
  ],
  [
    'no age',
    ({ risk: { guards } }) => guards.onAge({ ...FIXTURE, selectionId: SELECTION, ageMs: null }),
    {
      guard: 'stale_data',
      scope: HERE,
      holdMs: 2_000,
      why: 'its prices are stale',
      actual: 'never',
      limit: 30,
    },
  ],
  [
    'toxicity',
    (world) => times(10, () => fill(world)),
    {
      guard: 'toxicity',
      scope: HERE,
      effect: 'widen',
      widenLogOdds: 0.1,
      holdMs: 20_000,
      why: 'only orders for are filled',
      actual: 10,
      limit: 10,
    },
  ],
  [
    'taking',
    (world) => times(5, (i) => fill(world, i % 2 ? 'for,h' : 'against,h', { role: 'taker' })),
    {
      guard: 'unintended_taking',
      scope: HERE,
      holdMs: 10_000,
      why: 'quotes take instead of resting',
      actual: 5,
      limit: 5,
    },
  ],
  [
    'errors',
    ({ risk: { guards } }) => times(10, (i) => guards.onOrderOutcome(i % 5 < 2 ? 'accepted' : 'refused')),
    {
      guard: 'order_errors',
      scope: ACCOUNT,
      holdMs: 30_000,
      why: 'too many create requests fail',
      actual: 0.6,
      limit: 0.5,
    },
  ],
  [
    'clock',
    ({ risk: { guards } }) => guards.onClockOffset(-3_000),
    {
      guard: 'clock_offset',
      scope: ACCOUNT,
      holdMs: 10_000,
      why: 'our clock differs from the exchange clock',
      actual: 3,
      limit: 2,
    },
  ],
  [
    'lag',
    ({ risk: { guards } }) => guards.onLoopLag(1_500),
    {
      guard: 'loop_lag',
      scope: ACCOUNT,
      holdMs: 2_000,
      why: 'the event loop is late',
      actual: 1.5,
      limit: 1,
    },
  ],
];

describe('alarms', () => {
  it.each(ALARMS)('of %s report everything', (_, occur, expected) => {
    const world = bench();
    occur(world);
    const pull = { effect: 'pull', widenLogOdds: 0, sinceMs: 100_000 };
    const [alarm] = world.risk.guards.active();
    expect(alarm).toEqual({ ...pull, ...expected, untilMs: 100_000 + (alarm?.holdMs ?? 0) });
    expect(world.notices).toEqual([{ kind: 'alarm', alarm }]);
  });

  it('count only what lies within their windows', () => {
    const world = bench();
    times(10, (i) => {
      fill(world, 'for,h', { role: i < 5 ? 'taker' : 'maker' });
      world.nowMs += 7_500;
    });
    expect(names(world)).toEqual([]);
    times(10, () => {
      world.risk.guards.onOrderOutcome('refused');
      world.nowMs += 6_667;
    });
    expect(names(world)).toEqual([]);
    world.risk.guards.onSelection(selectionSeen());
    world.nowMs += 5_000;
    world.risk.guards.onSelection(selectionSeen({ fair: 0.75 }));
    expect(names(world)).toEqual([]);
  });

  it('of failing orders need a failure to begin, and enough of them', () => {
    const world = bench();
    times(9, () => world.risk.guards.onOrderOutcome('unknown'));
    world.risk.guards.onOrderOutcome('accepted');
    expect(names(world)).toEqual([]);
    times(8, () => world.risk.guards.onOrderOutcome('accepted'));
    world.risk.guards.onOrderOutcome('refused');
    expect(names(world)).toEqual(['order_errors']);
  });

  it('of prices need a probability', () => {
    const world = bench();
    for (const fair of [0.01, 0, 1, -1, 2, null, 0.01])
      world.risk.guards.onSelection(selectionSeen({ fair }));
    expect(names(world)).toEqual([]);
  });

  it('of divergence compare each direction that both sources have', () => {
    const world = bench();
    world.risk.guards.onSelection(
      selectionSeen({ offers: { for: null, against: 9 }, quotes: { for: 2, against: null } }),
    );
    world.risk.guards.onSelection(
      selectionSeen({ offers: { for: 2, against: null }, quotes: { for: null, against: null } }),
    );
    expect(names(world)).toEqual([]);
    world.risk.guards.onSelection(
      selectionSeen({ offers: { for: 2, against: 3 }, quotes: { for: 2, against: 2 } }),
    );
    expect(names(world)).toEqual(['divergence']);
  });

  it('forget an event that is over, and keep others', () => {
    const memory = (world: Bench): void => {
      world.risk.guards.onEvent(eventSeen());
      world.risk.guards.onEvent(eventSeen({ eventId: OTHER }));
      world.risk.guards.onSelection(selectionSeen());
      times(9, () => fill(world));
      times(4, (i) => fill(world, i % 2 ? 'for,d' : 'against,d', { role: 'taker' }));
    };
    const provoke = (world: Bench): void => {
      world.risk.guards.onEvent(eventSeen({ score: [1, 0] }));
      world.risk.guards.onSelection(selectionSeen({ fair: 0.9 }));
      fill(world);
      fill(world, 'for,d', { role: 'taker' });
    };
    const [kept, over] = [bench(), bench()];
    memory(kept);
    provoke(kept);
    expect(names(kept).sort()).toEqual(['price_jump', 'score_change', 'toxicity', 'unintended_taking']);
    memory(over);
    over.risk.onEventOver(FIXTURE);
    provoke(over);
    expect(names(over)).toEqual([]);
    over.risk.guards.onEvent(eventSeen({ eventId: OTHER, score: [1, 0] }));
    expect(names(over)).toEqual(['score_change']);
  });

  it('of the start know each event separately, and anew once it is over', () => {
    const world = bench({ inPlay: { allowed: true } });
    world.risk.guards.onEvent(eventSeen({ startTimeMs: null }));
    world.risk.onEventOver(FIXTURE);
    world.risk.guards.onEvent(eventSeen({ inRunning: true }));
    expect(names(world)).toEqual([]);
  });
});

describe('the board of alarms', () => {
  const alarm = (changes: Partial<Alarm> = {}): Alarm => ({
    guard: 'toxicity',
    scope: ACCOUNT,
    effect: 'widen',
    widenLogOdds: 0.1,
    holdMs: 10,
    why: 'x',
    actual: null,
    limit: null,
    ...changes,
  });
  const strong = alarm({ effect: 'pull', widenLogOdds: 0 });

  it('keeps the stronger of two, until the later end of both', () => {
    const board = new AlarmBoard();
    const raised = [board.raise(alarm(), 0), board.raise(alarm(), 1), board.raise(strong, 2)];
    expect(raised).toEqual([
      { ...alarm(), sinceMs: 0, untilMs: 10 },
      null,
      { ...strong, sinceMs: 0, untilMs: 12 },
    ]);
    expect(board.raise(alarm(), 5)).toBeNull();
    expect(board.all(5)).toEqual([{ ...strong, sinceMs: 0, untilMs: 15 }]);
  });

  it('reports the numbers of the last of two that are equally strong', () => {
    for (const first of [alarm({ actual: 1 }), { ...strong, actual: 1 }]) {
      const board = new AlarmBoard();
      board.raise(first, 0);
      board.raise({ ...first, actual: 2 }, 1);
      expect(board.all(1)).toMatchObject([{ actual: 2, effect: first.effect }]);
    }
  });

  it('does not shorten an alarm', () => {
    const board = new AlarmBoard();
    board.raise(alarm({ holdMs: 100 }), 0);
    board.raise(alarm({ holdMs: 1 }), 0);
    expect(board.all(99)).toHaveLength(1);
  });

  it('starts anew after the time is over', () => {
    const board = new AlarmBoard();
    board.raise(strong, 0);
    expect(board.all(10)).toEqual([]);
    expect(board.of([], 10)).toEqual([]);
    expect(board.raise(alarm(), 10)).toEqual({ ...alarm(), sinceMs: 10, untilMs: 20 });
    expect(board.of([], 10)).toEqual([{ ...alarm(), sinceMs: 10, untilMs: 20 }]);
  });

  it('returns each alarm once when it is over, and keeps the rest', () => {
    const board = new AlarmBoard();
    board.raise(alarm(), 0);
    board.raise(alarm({ guard: 'loop_lag', holdMs: 30 }), 0);
    expect(board.expire(9)).toEqual([]);
    expect(board.expire(10)).toMatchObject([{ guard: 'toxicity' }]);
    expect(board.expire(10)).toEqual([]);
    expect(board.all(10)).toMatchObject([{ guard: 'loop_lag' }]);
    expect(board.expire(30)).toHaveLength(1);
    expect([board.expire(31), board.of([{ kind: 'event', sport: FOOTBALL, eventId: OTHER }], 31)]).toEqual([
      [],
      [],
    ]);
  });
});

describe('widening', () => {
  const quote = (direction: 'for' | 'against', price: number): QuoteIntent => ({
    selectionId: SELECTION,
    direction,
    tick: tickOf(price) ?? 0,
    stakeMicros: 1,
    level: 0,
  });

  it('by nothing leaves a quote unchanged', () => {
    const wanted = quote('for', 2);
    expect([widen(wanted, 0), widen(wanted, -1)]).toEqual([wanted, wanted]);
  });

  it('stays on the ladder', () => {
    expect([widen(quote('for', 1000), 5).tick, widen(quote('against', 1.01), 5).tick]).toEqual([349, 0]);
  });

  it('applies one alarm to all quotes where a pull is in force beside it', () => {
    const world = bench();
    times(10, () => fill(world));
    expect(codesOf(world.risk, ask({ stake: 4 }))).toEqual([]);
    world.risk.guards.onLoopLag(5_000);
    expect(codesOf(world.risk, ask({ stake: 5 }))).toEqual(['guard_loop_lag']);
  });
});

describe('risk without a listener', () => {
  it('works as with one', () => {
    let nowMs = 0;
    const risk = createRisk({
      limits: limitsWith({ guards: { loopLag: { maxS: 1, coolDownS: 1 } } }),
      now: () => nowMs,
      wallNow: () => START_MS - 1_000,
      reference: () => null,
      eventFacts: () => FACTS,
      onNotice: () => undefined,
    });
    risk.guards.onLoopLag(2_000);
    risk.kill('x', 'me');
    risk.onOrder(live(ask({ stake: 3 })));
    risk.tick();
    expect(risk.guards.active().map(({ guard, actual }) => [guard, actual])).toEqual([
      ['loop_lag', 2],
      ['stale_data', 'never'],
    ]);
    expect(codesOf(risk, ask())).toEqual(['halted', 'guard_loop_lag', 'no_reference']);
    risk.restore({ kill: null, states: [], results: [], places: [], winnerMarkets: [] });
    expect(risk.killed).toMatchObject({ reason: 'x' });
    nowMs = 2_000;
    risk.guards.expire();
    expect(risk.guards.active()).toEqual([]);
  });
});
