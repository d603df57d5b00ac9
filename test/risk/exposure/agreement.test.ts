import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BetType, betType, eventId, sport } from '../../../src/domain/ids.ts';
import type { Position, PositionTotal } from '../../../src/domain/orders.ts';
import { learnGrids } from '../support/books.ts';
import { ask, bench, EVENT, fillOf, FIXTURE, FOOTBALL, live } from '../support/harness.ts';
import { betsOf } from '../../support/account.ts';

const total = (stakeMicros: number): PositionTotal => ({
  gotPrice: 2,
  gotStakeMicros: stakeMicros,
  unknownPrice: null,
  unknownStakeMicros: 0,
});

/** The exchange’s report of one home bet: it wins `win` where home wins, and loses `loss` elsewhere. */
function position(stake: number, win: number, loss: number, at = FOOTBALL): Position {
  const grid = Array.from({ length: 20 }, (_, home) =>
    Array.from({ length: 20 }, (_unused, away) => (home > away ? win : -loss) * 1e6),
  );
  const totals = new Map<BetType, PositionTotal>([[betType('for,h'), total(stake * 1e6)]]);
  return { sport: at, eventId: EVENT, payoffGridMicros: grid, totals, unknownBetsCount: 0 };
}

const NOTHING: Position = {
  sport: FOOTBALL,
  eventId: EVENT,
  payoffGridMicros: null,
  totals: new Map(),
  unknownBetsCount: 0,
};

/** An account with one matched home bet of 10 at 2.00. */
function holder(onGrid = true) {
  const world = bench();
  if (onGrid) learnGrids(world.risk, ['for,h']);
  betsOf(world.risk).report(fillOf(ask(), 10));
  return world;
}

/** The verdict of the third comparison in a row. Two differences in a row may be momentary. */
function third({ risk }: ReturnType<typeof bench>, theirs: Position) {
  expect([risk.onPosition(theirs), risk.onPosition(theirs)]).toEqual([null, null]);
  return risk.onPosition(theirs);
}

describe('the position that the exchange reports', () => {
  it('agrees with ours, by stake and in every final score', () => {
    const world = holder();
    expect(third(world, position(10, 10, 10))).toBeNull();
    expect([...world.risk.positions()]).toEqual([FIXTURE]);
  });

  it('may differ by rounding to cents', () => {
    expect(third(holder(), position(10.01, 10.01, 9.99))).toBeNull();
  });

  it('agrees where a bet was matched at another user’s price with many decimals', () => {
    const world = bench();
    learnGrids(world.risk, ['for,h']);
    betsOf(world.risk).report(fillOf(ask(), 2_000, { price: 1.97555 }));
    expect(third(world, position(2_000, 1_951.1, 2_000))).toBeNull();
  });

  it('differs when a bet is missing here', () => {
    const world = bench();
    expect(third(world, position(10, 10, 10))).toEqual({
      gridMicros: 10e6,
      stakes: [{ betType: 'for,h', oursMicros: 0, theirsMicros: 10e6 }],
    });
    expect(world.risk.guards.active()).toMatchObject([{ guard: 'position_mismatch', effect: 'pull' }]);
  });

  it('differs when a bet is missing at the exchange', () => {
    expect(third(holder(), NOTHING)).toEqual({
      gridMicros: 10e6,
      stakes: [{ betType: 'for,h', oursMicros: 10e6, theirsMicros: 0 }],
    });
  });

  it('differs by price alone', () => {
    expect(third(holder(), position(10, 12.5, 10))).toEqual({ gridMicros: 2.5e6, stakes: [] });
  });

  it('is compared only by stakes where a bet is off the grid, and by sport', () => {
    expect(third(holder(false), position(10, 99, 99))).toBeNull();
    expect(third(holder(), { ...position(10, 10, 10), sport: sport('fb_ht') })).toMatchObject({
      stakes: [{ theirsMicros: 10e6, oursMicros: 0 }],
    });
  });

  it('is accepted once it agrees again', () => {
    const world = holder();
    world.risk.onPosition(NOTHING);
    world.risk.onPosition(NOTHING);
    world.risk.onPosition(position(10, 10, 10));
    expect(third(world, NOTHING)).not.toBeNull();
    world.risk.onEventOver(FIXTURE);
    expect(third(world, position(10, 10, 10))).not.toBeNull();
  });

  it('raises its guard with the event and the reason, and only where it differs', () => {
    const world = holder();
    third(world, position(10, 10, 10));
    expect(world.risk.guards.active()).toEqual([]);
    third(world, NOTHING);
    expect(world.risk.guards.active()).toMatchObject([
      {
        guard: 'position_mismatch',
        scope: { kind: 'event', ...FIXTURE },
        why: 'the exchange reports another position than ours',
      },
    ]);
  });

  it('is forgotten with its event, and with no other', () => {
    const world = holder();
    const others = [
      { sport: FOOTBALL, eventId: eventId(`${EVENT}0`) },
      { sport: FOOTBALL, eventId: eventId('2026-11-22,3,4') },
      { sport: sport('fb_ht'), eventId: EVENT },
    ];
    for (const settled of others) {
      world.risk.onPosition(NOTHING);
      world.risk.onPosition(NOTHING);
      world.risk.onEventOver(settled);
      expect(world.risk.onPosition(NOTHING)).not.toBeNull();
      world.risk.onPosition(position(10, 10, 10));
    }
  });
});

describe('the rounding that is allowed', () => {
  /** Two bets of 10 in total, on the grid or not, against the exchange’s report. */
  function two(theirs: Position, onGrid = true) {
    const world = bench();
    if (onGrid) learnGrids(world.risk, ['for,h']);
    for (const stake of [4, 6]) betsOf(world.risk).report(fillOf(ask(), stake));
    return third(world, theirs);
  }
  const off = (micros: number): number => 10 + micros / 1e6;

  it.each([-20_000, 20_000])('is a cent for each bet: %s micros of two are accepted', (micros) => {
    expect(two(position(off(micros), off(micros), off(micros)))).toBeNull();
  });

  it('of stakes ends there', () => {
    expect(two(position(off(20_001), 10, 10))).toEqual({
      gridMicros: 0,
      stakes: [{ betType: 'for,h', oursMicros: 10e6, theirsMicros: 10_020_001 }],
    });
  });

  it('of payoffs ends there', () => {
    expect(two(position(10, off(20_001), 10))).toEqual({ gridMicros: 20_001, stakes: [] });
    expect(two(position(10, 10, off(20_001)))).toEqual({ gridMicros: 20_001, stakes: [] });
  });

  it('is one cent where we hold nothing', () => {
    const cents = (micros: number) => position(micros / 1e6, micros / 1e6, micros / 1e6);
    expect(third(bench(), cents(10_000))).toBeNull();
    expect(third(bench(), cents(10_001))).toEqual({
      gridMicros: 10_001,
      stakes: [{ betType: 'for,h', oursMicros: 0, theirsMicros: 10_001 }],
    });
  });
});

describe('a bet whose type cannot be parsed', () => {
  /** The exchange’s report of our home bet, beside another user’s bet. */
  const beside = (type: string, theirs = position(10, 10, 10)): Position => ({
    ...theirs,
    totals: new Map([...theirs.totals, [betType(type), total(10e6)]]),
  });

  it.each(['parlay', 'swap,h'])('is not compared, because it is not counted as matched here: %s', (type) => {
    const world = holder();
    expect(third(world, beside(type))).toBeNull();
    expect(world.risk.guards.active()).toEqual([]);
  });

  it.each([
    ['for,h', 0, true],
    ['for,d', 10, true],
    ['for,d', 12, false],
  ])('is not compared where its total cannot be read: %s beside %d of ours', (type, stake, agrees) => {
    const theirs = position(stake, 10, 10);
    const totals = stake === 0 ? new Map<BetType, PositionTotal>() : theirs.totals;
    const odd = third(holder(), { ...theirs, totals, unreadTypes: new Set([betType(type)]) });
    expect(odd === null).toBe(agrees);
  });

  it('hides the payoffs where its total cannot be read', () => {
    const theirs = { ...position(10, 12, 10), unreadTypes: new Set([betType('parlay')]) };
    expect(third(holder(), theirs)).toBeNull();
    expect(third(holder(), { ...theirs, unreadTypes: new Set([betType('for,d')]) })).not.toBeNull();
  });

  it('hides no difference in the stake of readable bets', () => {
    expect(third(holder(), beside('parlay', position(12, 10, 10)))).toMatchObject({
      stakes: [{ betType: 'for,h', oursMicros: 10e6, theirsMicros: 12e6 }],
    });
    expect(third(holder(), beside('for,d'))).toMatchObject({
      stakes: [{ betType: 'for,d', oursMicros: 0, theirsMicros: 10e6 }],
    });
  });

  it('may be in the exchange’s payoffs, which therefore prove nothing', () => {
    expect(third(holder(), beside('parlay', position(10, 99, 99)))).toBeNull();
    expect(third(holder(), beside('for,h', position(10, 99, 99)))).toMatchObject({ gridMicros: 89e6 });
  });
});

describe('a bet in doubt at the exchange', () => {
  /** The exchange’s report when part of a home bet is in doubt and not in its payoffs. */
  const doubted = (got: number, unknown: number): Position => ({
    ...position(got, got, got),
    totals: new Map([[betType('for,h'), { ...total(got * 1e6), unknownStakeMicros: unknown * 1e6 }]]),
    unknownBetsCount: 1,
  });

  it('may count or not: everything between the certain and the doubtful stake agrees, and nothing else', () => {
    const micros = fc.integer({ min: 0, max: 30_000_000 });
    fc.assert(
      fc.property(micros, micros, (got, unknown) => {
        const theirs = doubted(got / 1e6, unknown / 1e6);
        const awayMicros = Math.max(0, got - 10e6, 10e6 - got - unknown);
        expect(third(holder(), theirs) === null).toBe(awayMicros <= 10_000);
      }),
    );
  });

  it('hides no other stake than its own, and reports the nearest possible stake', () => {
    expect(third(holder(), doubted(3, 5))).toEqual({
      gridMicros: 0,
      stakes: [{ betType: 'for,h', oursMicros: 10e6, theirsMicros: 8e6 }],
    });
    expect(third(holder(), doubted(12, 5))).toMatchObject({ stakes: [{ theirsMicros: 12e6 }] });
  });

  it('leaves the payoffs to be compared once it is confirmed', () => {
    expect(third(holder(), doubted(0, 10))).toBeNull();
    expect(third(holder(), position(10, 12.5, 10))).toEqual({ gridMicros: 2.5e6, stakes: [] });
  });
});

describe('a comparison of payoffs', () => {
  it('ignores open orders, and bets on another period', () => {
    const world = holder();
    world.risk.onOrder(live(ask({ betType: 'for,d' })));
    betsOf(world.risk).report(fillOf(ask({ betType: 'for,d', sport: sport('fb_ht') }), 3));
    expect(third(world, position(10, 12, 10))).toEqual({ gridMicros: 2e6, stakes: [] });
    const least = position(10, 10.010_001, 10);
    expect(world.risk.onPosition(least)).toEqual({ gridMicros: 10_001, stakes: [] });
  });

  it('is not made where a bet is off the grid, where only stakes count', () => {
    expect(third(holder(false), position(12, 99, 99))).toEqual({
      gridMicros: 0,
      stakes: [{ betType: 'for,h', oursMicros: 10e6, theirsMicros: 12e6 }],
    });
  });

  it('is not made at scores for which a bet’s payoff cannot be read', () => {
    const world = bench();
    const codes = Array.from({ length: 20 }, (_, home) =>
      Array.from({ length: 20 }, (_unused, away) => (home > away ? 'three quarters' : 'l')),
    );
    world.risk.setGrid(betType('for,h'), codes);
    betsOf(world.risk).report(fillOf(ask(), 10));
    expect(third(world, position(10, 7.5, 10))).toBeNull();
    expect(third(world, position(10, 7.5, 9))).toEqual({ gridMicros: 1e6, stakes: [] });
  });

  it('treats scores that the exchange omits as zero', () => {
    const world = holder();
    const short = { ...position(10, 10, 10), payoffGridMicros: [[-10e6]] };
    expect(third(world, short)).toEqual({ gridMicros: 10e6, stakes: [] });
  });
});

describe('the payoffs that the exchange reports', () => {
  const cellsOf = ({ risk }: ReturnType<typeof bench>, theirs: Position) => {
    const compared = risk.comparePayoffs(theirs);
    return compared.kind === 'compared'
      ? [compared.agrees, compared.cells.length, compared.cells[20]]
      : compared.kind;
  };

  it('are compared score by score, at once', () => {
    const cell = { home: 1, away: 0, ours: 10e6, theirs: 10e6 };
    expect(cellsOf(holder(), position(10, 10, 10))).toEqual([true, 400, cell]);
    expect(cellsOf(holder(), position(10, 11, 10))).toEqual([false, 400, { ...cell, theirs: 11e6 }]);
    expect(cellsOf(holder(), NOTHING)).toEqual([false, 400, { ...cell, theirs: 0 }]);
  });

  it('are not compared without a bet, before the grid is known, in doubt, or off the grid', () => {
    expect(cellsOf(bench(), NOTHING)).toBe('none');
    const world = holder(false);
    expect(cellsOf(world, position(10, 10, 10))).toBe('not yet');
    world.risk.setNoGrid(betType('for,h'), FOOTBALL);
    expect(cellsOf(world, position(10, 10, 10))).toBe('off grid');
    expect(cellsOf(holder(), { ...position(10, 10, 10), unknownBetsCount: 1 })).toBe('not yet');
  });

  /** 10 against home at 3.00, booked as a lay price: wins 10, or loses 20. */
  function layer() {
    const world = bench();
    learnGrids(world.risk, ['against,h', 'for,h']);
    betsOf(world.risk).report(fillOf(ask({ betType: 'against,h', price: 3 }), 10));
    return world;
  }

  const against = (win: number, loss: number): Position => ({
    ...position(10, -loss, -win),
    totals: new Map([[betType('against,h'), total(10e6)]]),
  });

  it('tell which reading of a price is the exchange’s', () => {
    const { risk } = layer();
    expect(risk.compareReadings(against(10, 20), 'lay-for', 'odds-against')).toBe('as booked');
    expect(risk.compareReadings(against(20, 10), 'lay-for', 'odds-against')).toBe('read again');
    expect(risk.compareReadings(against(15, 10), 'lay-for', 'odds-against')).toBeNull();
    expect(risk.compareReadings(NOTHING, 'lay-for', 'odds-against')).toBeNull();
    // Reading changes nothing.
    expect(risk.comparePayoffs(against(10, 20))).toMatchObject({ agrees: true });
  });

  it('are asked for on events with matched bets of the kind, on against bet types alone', () => {
    const { risk } = layer();
    expect([risk.heldAt('lay-for'), risk.heldAt('odds-against')]).toEqual([[FIXTURE], []]);
    const other = bench();
    betsOf(other.risk).report(fillOf(ask({ price: 3 }), 10, { priceKind: 'lay-for', direction: 'against' }));
    other.risk.onOrder(live(ask({ betType: 'against,h', price: 3 })));
    expect(other.risk.heldAt('lay-for')).toEqual([]);
  });
});
