import { describe, expect, it } from 'vitest';
import { eventId } from '../../../src/domain/ids.ts';
import { LADDER } from '../../../src/domain/ladder.ts';
import type { QuoteIntent } from '../../../src/domain/quote-intent.ts';
import { widen } from '../../../src/risk/guards/widen.ts';
import {
  ask,
  type Bench,
  bench,
  EVENT,
  fillOf,
  FIXTURE,
  FOOTBALL,
  live,
  START_MS,
} from '../support/harness.ts';
import { eventSeen, SELECTION, selectionSeen } from '../support/sightings.ts';
import { betsOf } from '../../support/account.ts';

const OTHER = eventId('2026-11-22,3,4');

const names = ({ risk }: Bench): string[] => risk.guards.active().map(({ guard }) => guard);
/** The next smaller double. */
const justBelow = (value: number): number => value * (1 - Number.EPSILON);

/** Repeats an occurrence `count` times, `everyMs` apart. */
function repeat(world: Bench, count: number, everyMs: number, occur: (world: Bench) => void): void {
  for (let i = 0; i < count; i++) {
    if (i > 0) world.nowMs += everyMs;
    occur(world);
  }
}

const fill =
  (betType = 'for,h', role: 'maker' | 'taker' = 'maker', event = EVENT) =>
  (world: Bench): void =>
    betsOf(world.risk).report(fillOf(ask({ betType, event }), 1, { atMs: world.wallMs, role }));
const fail = ({ risk }: Bench): void => risk.guards.onOrderOutcome('refused');

describe('a guard that counts', () => {
  const guards = {
    toxicity: { fills: 3, windowS: 4, widenLogOdds: 0.1, coolDownS: 1 },
    unintendedTaking: { fills: 3, windowS: 4, coolDownS: 1 },
    orderErrors: { rate: 0.5, minOrders: 3, windowS: 4, coolDownS: 1 },
  };
  const both = (world: Bench): void => {
    fill('for,h', 'taker')(world);
    fill('against,h')(world);
  };

  it.each<[string, (world: Bench) => void]>([
    ['toxicity', fill()],
    ['unintended_taking', both],
    ['order_errors', fail],
  ])('%s looks back for less than its window', (guard, occur) => {
    const [within, at] = [bench({ guards }), bench({ guards })];
    repeat(within, 3, 1_999.5, occur);
    repeat(at, 3, 2_000, occur);
    expect([names(within), names(at)]).toEqual([[guard], []]);
  });

  it.each<[string, (world: Bench) => void]>([
    ['toxicity', fill()],
    ['unintended_taking', both],
    ['order_errors', fail],
  ])('%s allows as many as its limit', (guard, occur) => {
    const [fewer, enough] = [bench({ guards }), bench({ guards })];
    repeat(fewer, 2, 1, occur);
    repeat(enough, 3, 1, occur);
    expect([names(fewer), names(enough)]).toEqual([[], [guard]]);
  });

  it.each([
    ['make_and_take', ['unintended_taking']],
    ['dark', ['unintended_taking']],
    ['take_only', []],
  ] as const)('takes of orders of mode %s', (mode, standing) => {
    const world = bench({ guards });
    const take = ({ risk, wallMs }: Bench): void =>
      betsOf(risk).report(fillOf(ask({ betType: 'for,h' }), 1, { atMs: wallMs, role: 'taker', mode }));
    const hedge = fill('against,h');
    repeat(world, 3, 1, (each) => {
      take(each);
      hedge(each);
    });
    expect(names(world)).toEqual(standing);
  });

  it.each([
    [3, ['order_errors']],
    [4, []],
  ])('failing orders: of 3 failed and %s accepted', (accepted, standing) => {
    const world = bench({ guards });
    repeat(world, accepted, 1, ({ risk }) => risk.guards.onOrderOutcome('accepted'));
    repeat(world, 3, 1, fail);
    expect(names(world)).toEqual(standing);
  });

  it('forgets the fills of an event that is over, and no others', () => {
    const world = bench({ guards });
    for (const event of [EVENT, OTHER]) repeat(world, 2, 1, fill('for,h', 'maker', event));
    world.risk.onEventOver(FIXTURE);
    fill()(world);
    expect(names(world)).toEqual([]);
    fill('for,h', 'maker', OTHER)(world);
    expect(world.risk.guards.active()).toMatchObject([{ scope: { eventId: OTHER } }]);
  });

  it('ignores the other orders on the account', () => {
    const world = bench({ guards });
    const foreign = { atMs: world.wallMs, requestUuid: null, role: 'taker' as const };
    repeat(world, 9, 1, ({ risk }) => betsOf(risk).report(fillOf(ask(), 1, foreign)));
    expect(names(world)).toEqual([]);
  });
});

describe('a guard that measures', () => {
  const offers = { for: 3, against: null };

  it('divergence holds at its limit, and exceeds it with the next number', () => {
    const distance = Math.abs(-Math.log(3 - 1) - -Math.log(4 - 1));
    const standing = [distance, justBelow(distance)].map((maxLogOdds) => {
      const world = bench({ guards: { divergence: { maxLogOdds } } });
      world.risk.guards.onSelection(selectionSeen({ offers, quotes: { for: 4, against: null } }));
      return names(world);
    });
    expect(standing).toEqual([[], ['divergence']]);
  });

  it('divergence is none between equal prices, however long', () => {
    const world = bench();
    world.risk.guards.onSelection(selectionSeen({ offers, quotes: offers }));
    expect(names(world)).toEqual([]);
  });

  it('price jump holds at its limit, and exceeds it with the next number', () => {
    const distance = Math.abs(Math.log(0.75 / 0.25));
    const standing = [distance, justBelow(distance)].map((maxLogOdds) => {
      const world = bench({ guards: { priceJump: { maxLogOdds } } });
      for (const fair of [0.5, 0.75]) world.risk.guards.onSelection(selectionSeen({ fair }));
      return names(world);
    });
    expect(standing).toEqual([[], ['price_jump']]);
  });

  it.each([
    [4_999, ['price_jump']],
    [5_000, []],
  ])('price jump looks back for less than its window: %s ms', (afterMs, standing) => {
    const world = bench({ guards: { priceJump: { windowS: 5 } } });
    world.risk.guards.onSelection(selectionSeen());
    world.nowMs += afterMs;
    world.risk.guards.onSelection(selectionSeen({ fair: 0.75 }));
    expect(names(world)).toEqual(standing);
  });

  it('the start is the instant itself, and nothing while it is unknown', () => {
    const world = bench();
    world.risk.guards.onEvent(eventSeen({ startTimeMs: null }));
    world.wallMs = START_MS - 1;
    world.risk.guards.onEvent(eventSeen());
    expect(names(world)).toEqual([]);
    world.wallMs = START_MS;
    world.risk.guards.onEvent(eventSeen());
    expect(names(world)).toEqual(['start']);
  });

  it('age is reported with the selection and event of the resting order', () => {
    const world = bench();
    world.risk.onOrder(live(ask({ event: OTHER })));
    world.reference = null;
    world.risk.tick();
    const { selectionId } = live(ask({ event: OTHER }));
    expect(world.risk.guards.active()).toMatchObject([
      { guard: 'stale_data', scope: { kind: 'selection', sport: FOOTBALL, eventId: OTHER, selectionId } },
    ]);
  });
});

describe('an alarm', () => {
  it('is reported separately while others are in force in its scope', () => {
    const world = bench();
    world.risk.guards.onEvent(eventSeen({ suspended: true }));
    world.risk.guards.onPositionMismatch(FIXTURE, 'x');
    expect(world.notices.map((notice) => ('alarm' in notice ? notice.alarm.guard : null))).toEqual([
      'suspension',
      'position_mismatch',
    ]);
  });

  it('is in force until its time is over, and not at that instant', () => {
    const world = bench({ guards: { loopLag: { coolDownS: 2 } } });
    world.risk.guards.onLoopLag(1_001);
    world.nowMs += 1_999;
    world.risk.tick();
    expect([names(world), world.risk.guards.of([])]).toMatchObject([['loop_lag'], [{ guard: 'loop_lag' }]]);
    world.nowMs += 1;
    expect([names(world), world.risk.guards.of([])]).toEqual([[], []]);
    expect(world.notices.map(({ kind }) => kind)).toEqual(['alarm']);
    world.risk.tick();
    world.risk.tick();
    expect(world.notices.map(({ kind }) => kind)).toEqual(['alarm', 'alarm_over']);
  });
});

describe('widening by nothing', () => {
  it('moves no price of the ladder', () => {
    const quotes = LADDER.flatMap((_, tick) =>
      (['for', 'against'] as const).map((direction): QuoteIntent => {
        return { selectionId: SELECTION, direction, tick, stakeMicros: 1, level: 0 };
      }),
    );
    expect(quotes.map((quote) => widen(quote, 0))).toEqual(quotes);
  });
});
