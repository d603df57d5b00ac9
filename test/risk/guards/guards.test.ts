import { describe, expect, it } from 'vitest';
import { tickOf } from '../../../src/domain/ladder.ts';
import type { QuoteIntent } from '../../../src/domain/quote-intent.ts';
import { ACCOUNT, type EventSighting } from '../../../src/risk/index.ts';
import {
  ask,
  type Bench,
  bench,
  codesOf,
  FACTS,
  fillOf,
  FIXTURE,
  live,
  START_MS,
} from '../support/harness.ts';
import { eventSeen, SELECTION, selectionSeen } from '../support/sightings.ts';
import { betsOf } from '../../support/account.ts';

const standing = ({ risk }: Bench): string[] => risk.guards.active().map(({ guard }) => guard);
const fill = (world: Bench, betType: string, changes: object = {}): void =>
  betsOf(world.risk).report(fillOf(ask({ betType }), 1, { atMs: world.wallMs, ...changes }));

/** The cause of each guard, with default settings. */
const OCCASIONS: readonly [string, (world: Bench) => void][] = [
  [
    'score_change',
    ({ risk }) => {
      risk.guards.onEvent(eventSeen());
      risk.guards.onEvent(eventSeen({ score: [1, 0] }));
    },
  ],
  [
    'red_card',
    ({ risk }) => {
      risk.guards.onEvent(eventSeen());
      risk.guards.onEvent(eventSeen({ redCards: [0, 1] }));
    },
  ],
  ['suspension', ({ risk }) => risk.guards.onEvent(eventSeen({ suspended: true }))],
  ['feed_cleared', ({ risk }) => risk.guards.onFeedCleared()],
  [
    'divergence',
    ({ risk }) =>
      risk.guards.onSelection(
        selectionSeen({ offers: { for: 2, against: null }, quotes: { for: 2.36, against: 3 } }),
      ),
  ],
  [
    'price_jump',
    ({ risk }) => {
      risk.guards.onSelection(selectionSeen());
      risk.guards.onSelection(selectionSeen({ fair: 0.61 }));
    },
  ],
  ['stale_data', ({ risk }) => risk.guards.onAge({ ...FIXTURE, selectionId: SELECTION, ageMs: 30_001 })],
  ['stale_data', ({ risk }) => risk.guards.onAge({ ...FIXTURE, selectionId: SELECTION, ageMs: null })],
  [
    'toxicity',
    (world) => {
      for (let i = 0; i < 20; i++) fill(world, 'for,h');
    },
  ],
  [
    'unintended_taking',
    (world) => {
      for (let i = 0; i < 5; i++) fill(world, i % 2 ? 'for,h' : 'against,h', { role: 'taker' });
    },
  ],
  [
    'order_errors',
    ({ risk }) => {
      for (let i = 0; i < 10; i++) risk.guards.onOrderOutcome(i % 2 ? 'unknown' : 'accepted');
    },
  ],
  ['clock_offset', ({ risk }) => risk.guards.onClockOffset(-2_001)],
  ['loop_lag', ({ risk }) => risk.guards.onLoopLag(1_001)],
];

describe('guards', () => {
  it.each(OCCASIONS)(
    '%s pulls quotes, reports it, refuses orders, and ends after its cool-down',
    (guard, occur) => {
      const world = bench();
      occur(world);
      expect(standing(world)).toEqual([guard]);
      expect(world.notices.at(-1)).toMatchObject({ kind: 'alarm', alarm: { guard, effect: 'pull' } });
      expect(codesOf(world.risk, ask({ stake: 3 }))).toEqual([`guard_${guard}`]);
      world.nowMs += 60_001;
      world.risk.tick();
      expect(standing(world)).toEqual([]);
      expect(world.notices.at(-1)).toMatchObject({ kind: 'alarm_over', alarm: { guard } });
      expect(codesOf(world.risk, ask({ stake: 4 }))).toEqual([]);
    },
  );

  it.each(OCCASIONS)('%s can be switched off', (guard, occur) => {
    const world = bench({ guards: { disabled: [guard] } });
    occur(world);
    expect(standing(world).filter((name) => name !== 'toxicity')).toEqual([]);
  });

  it('treat the first count of an event that was seen before its start as a change, but for 0-0', () => {
    const world = bench({ inPlay: { allowed: true } });
    world.risk.guards.onEvent(eventSeen({ score: null, redCards: null }));
    world.risk.guards.onEvent(eventSeen({ inRunning: true, score: [0, 0], redCards: null }));
    expect(standing(world)).toEqual(['start']);
    world.risk.guards.onEvent(eventSeen({ inRunning: true, score: [0, 0], redCards: [0, 1] }));
    expect(standing(world)).toEqual(['start', 'red_card']);
  });

  it.each<[string, Partial<EventSighting>]>([
    ['in running', { inRunning: true }],
    ['past its start', { startTimeMs: START_MS - 3_600_000 }],
    ['without a known start', { startTimeMs: null }],
  ])('treat it as no change where the event was first seen %s', (_, met) => {
    const world = bench({ inPlay: { allowed: true } });
    world.risk.guards.onEvent(eventSeen({ ...met, score: null, redCards: null }));
    world.risk.guards.onEvent(eventSeen({ inRunning: true, score: [1, 0], redCards: [0, 1] }));
    expect(standing(world).filter((name) => name !== 'start')).toEqual([]);
  });

  it('stay silent on harmless changes', () => {
    const world = bench({ inPlay: { allowed: true } });
    world.risk.guards.onEvent(eventSeen({ inRunning: true, score: null, redCards: null, suspended: null }));
    world.risk.guards.onEvent(eventSeen({ score: [1, 1] }));
    world.risk.guards.onEvent(eventSeen({ score: null }));
    world.risk.guards.onEvent(eventSeen({ score: [1, 1] }));
    world.risk.guards.onSelection(
      selectionSeen({ fair: 0.5, offers: { for: 2, against: 2 }, quotes: { for: 2.1, against: null } }),
    );
    world.risk.guards.onSelection(selectionSeen({ fair: 0.59 }));
    world.risk.guards.onSelection(selectionSeen({ fair: null }));
    world.risk.guards.onAge({ ...FIXTURE, selectionId: SELECTION, ageMs: 30_000 });
    world.risk.guards.onClockOffset(2_000);
    world.risk.guards.onLoopLag(1_000);
    for (let i = 0; i < 9; i++) world.risk.guards.onOrderOutcome('refused');
    for (let i = 0; i < 30; i++) fill(world, i % 9 ? 'for,h' : 'against,h');
    for (let i = 0; i < 9; i++) fill(world, 'against,h', { role: 'taker', requestUuid: null });
    expect(standing(world)).toEqual([]);
  });

  it('report when each comes into force, not when it is prolonged', () => {
    const { risk, notices } = bench();
    for (let i = 0; i < 3; i++) risk.guards.onLoopLag(5_000);
    expect(notices).toMatchObject([{ kind: 'alarm', alarm: { guard: 'loop_lag' } }]);
  });

  it.each([
    [false, -60_001, []],
    [false, -60_000, ['start']],
    [true, -1, []],
  ])('start: with in play allowed (%s), %d ms from it, takes what rests as %j', (allowed, fromMs, guards) => {
    const world = bench({ inPlay: { allowed, stopBeforeStartS: 60 } });
    world.wallMs = START_MS - 3_600_000;
    world.risk.guards.onEvent(eventSeen());
    world.wallMs = START_MS + fromMs;
    world.risk.guards.onEvent(eventSeen());
    expect(standing(world)).toEqual(guards);
  });

  it('start: pauses at the change where in play is allowed, and for good where it is not', () => {
    const [allowed, forbidden] = [bench({ inPlay: { allowed: true } }), bench()];
    for (const world of [allowed, forbidden]) {
      world.risk.guards.onEvent(eventSeen());
      expect(standing(world)).toEqual([]);
      world.wallMs = START_MS;
      world.risk.guards.onEvent(eventSeen());
      expect(standing(world)).toEqual(['start']);
      world.nowMs += 10_000;
      world.risk.guards.onEvent(eventSeen({ inRunning: true }));
    }
    expect(standing(allowed)).toEqual([]);
    expect(standing(forbidden)).toEqual(['start']);
  });

  it('prolong while the occasion lasts', () => {
    const world = bench();
    for (let i = 0; i < 5; i++) {
      world.risk.guards.onEvent(eventSeen({ suspended: true }));
      world.nowMs += 4_000;
      expect(standing(world)).toEqual(['suspension']);
    }
    expect(world.notices).toHaveLength(1);
    expect(world.risk.guards.active()[0]).toMatchObject({ sinceMs: 100_000, untilMs: 121_000 });
  });

  it('the tick checks the age of everything that is quoted', () => {
    const world = bench();
    world.risk.onOrder(live(ask()));
    world.risk.tick();
    expect(standing(world)).toEqual([]);
    world.reference = { forBest: null, againstBest: null, fair: 0.5, ageMs: 31_000 };
    world.risk.tick();
    expect(standing(world)).toEqual(['stale_data']);
  });

  it('the tick skips orders that a start found open until the market reports them', () => {
    const world = bench();
    world.risk.onOrder(live(ask()));
    Object.assign(world, { reference: null, facts: { ...FACTS, marketTypeOf: () => null } });
    world.risk.tick();
    expect(standing(world)).toEqual([]);
    world.facts = FACTS;
    world.risk.tick();
    expect(standing(world)).toEqual(['stale_data']);
  });

  it('a settled event leaves nothing behind', () => {
    const world = bench();
    world.risk.guards.onEvent(eventSeen());
    world.risk.onEventOver(FIXTURE);
    world.risk.guards.onEvent(eventSeen({ score: [3, 0] }));
    expect(standing(world)).toEqual([]);
  });
});

const quote = (direction: 'for' | 'against', price: number): QuoteIntent => ({
  selectionId: SELECTION,
  direction,
  tick: tickOf(price) ?? 0,
  stakeMicros: 5e6,
  level: 0,
});

describe('admission', () => {
  const wanted = [quote('for', 2.1), quote('against', 1.9)];

  it('lets quotes rest as wanted while nothing is wrong', () => {
    expect(bench().risk.admit([SELECTION], wanted)).toEqual({ quotes: wanted, blocked: [] });
  });

  it('widens both sides away from a suspect market, and pulls when that continues', () => {
    const world = bench();
    for (let i = 0; i < 10; i++) fill(world, 'for,h');
    expect(world.risk.admit([SELECTION], wanted).quotes.map(({ tick }) => tick)).toEqual([
      tickOf(2.22),
      tickOf(1.81),
    ]);
    for (let i = 0; i < 10; i++) fill(world, 'for,h');
    expect(world.notices.map((notice) => ('alarm' in notice ? notice.alarm.effect : ''))).toEqual([
      'widen',
      'pull',
    ]);
    expect(world.risk.admit([SELECTION], wanted)).toMatchObject({
      quotes: [],
      blocked: [
        { stage: 'guard', code: 'toxicity' },
        { stage: 'guard', code: 'toxicity' },
      ],
    });
    fill(world, 'for,h');
    expect(world.risk.guards.active()).toMatchObject([{ effect: 'pull' }]);
  });

  it('pulls everything when halted or killed', () => {
    const world = bench();
    world.risk.kill('drill', 'me');
    const { quotes, blocked } = world.risk.admit([SELECTION], wanted);
    expect(quotes).toEqual([]);
    expect(blocked.map(({ code, message }) => [code, message])).toEqual([
      ['halted', 'by me: killed: drill'],
      ['halted', 'by me: killed: drill'],
    ]);
  });

  it('leaves what reduces the position when only reducing, with our orders resting or not', () => {
    const world = bench();
    fill(world, 'for,h');
    world.risk.setState(ACCOUNT, 'reducing', 'me', 'x');
    world.risk.onOrder(live(ask({ betType: 'against,h', price: 1.9, stake: 1 })));
    const reducing = { ...quote('against', 1.9), stakeMicros: 1e6 };
    const admission = world.risk.admit([SELECTION], [quote('for', 2.1), reducing]);
    expect(admission.quotes).toEqual([reducing]);
    expect(admission.blocked).toMatchObject([{ code: 'reducing_only' }]);
  });
});
