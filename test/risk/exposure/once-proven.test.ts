import { describe, expect, it } from 'vitest';
import { type BetType, betType, eventId } from '../../../src/domain/ids.ts';
import type { Position } from '../../../src/domain/orders.ts';
import { betsOf } from '../../support/account.ts';
import { learnGrids } from '../support/books.ts';
import {
  type Ask,
  ask,
  bench,
  type Bench,
  EVENT,
  fillOf,
  FIXTURE,
  FOOTBALL,
  live,
} from '../support/harness.ts';

const HOME: Ask = { betType: 'for,h', price: 2, stake: 10 };
/** Home +0.25: half of the stake comes back at a draw. In quarters of a goal. */
const HANDICAP: Ask = { betType: 'against,ah,h,1', price: 2, stake: 10 };

/** An account that backs home, and is against home with a handicap. */
function holder(): Bench {
  const world = bench({ grids: { onceProven: ['ah'] } });
  learnGrids(world.risk, ['for,h', 'for,ah,h,1']);
  for (const each of [HOME, HANDICAP]) betsOf(world.risk).report(fillOf(ask(each), 10));
  return world;
}

/** The exchange's report of both bets: what it pays if home wins, at a draw, and if away wins. */
function reported([homeWins, draw, awayWins]: readonly [number, number, number]): Position {
  const payoffGridMicros = Array.from({ length: 20 }, (_, home) =>
    Array.from(
      { length: 20 },
      (_unused, away) => (home > away ? homeWins : home === away ? draw : awayWins) * 1e6,
    ),
  );
  const stake = { gotPrice: 2, gotStakeMicros: 10e6, unknownPrice: null, unknownStakeMicros: 0 };
  const totals = new Map<BetType, typeof stake>(
    ['for,h', 'against,ah,h,1'].map((each) => [betType(each), stake]),
  );
  return { sport: FOOTBALL, eventId: EVENT, payoffGridMicros, totals, unknownBetsCount: 0 };
}

const worstUsdt = ({ risk }: Bench): number => (risk.eventRisk(FIXTURE)?.worstMicros ?? NaN) / 1e6;

/** Home wins 10 or loses 10; against the handicap loses 10, then half of it, or wins 10. */
const TRUE_PAYOFFS = [0, -15, 0] as const;

describe('a bet on an Asian handicap', () => {
  it('counts by itself as a whole loss until the payoffs of the exchange agree, then by the grid', () => {
    const world = holder();
    expect(worstUsdt(world)).toBe(-20);
    expect(world.risk.onPosition(reported(TRUE_PAYOFFS))).toBeNull();
    expect(worstUsdt(world)).toBe(-15);
    // It is proven for all of its kind.
    betsOf(world.risk).report(fillOf(ask({ betType: 'for,a', price: 3, stake: 5 }), 5));
    learnGrids(world.risk, ['for,a']);
    expect(worstUsdt(world)).toBe(-20);
  });

  it('stays a whole loss where the payoffs differ, which is a mismatch like any other', () => {
    const world = holder();
    for (let times = 0; times < 2; times++) expect(world.risk.onPosition(reported([0, -10, 0]))).toBeNull();
    expect(world.risk.onPosition(reported([0, -10, 0]))).toEqual({ gridMicros: 5e6, stakes: [] });
    expect(worstUsdt(world)).toBe(-20);
  });

  it('is proven by no position that lacks it, that has bets in doubt, or that is of another event', () => {
    const world = holder();
    world.risk.onPosition({ ...reported(TRUE_PAYOFFS), unknownBetsCount: 1 });
    expect(worstUsdt(world)).toBe(-20);
    const home = bench({ grids: { onceProven: ['ah'] } });
    learnGrids(home.risk, ['for,h', 'for,ah,h,1']);
    betsOf(home.risk).report(fillOf(ask(HOME), 10));
    home.risk.onPosition(reported([10, -10, -10]));
    betsOf(home.risk).report(fillOf(ask(HANDICAP), 10));
    expect(worstUsdt(home)).toBe(-20);
  });

  it.each([
    ['rests', 'live', 0],
    ['has ended unmatched', 'closed', 0],
    ['is matched by a bet that is void', 'live', 10],
  ] as const)('is not proven by an order of its kind that %s, where the payoffs agree', (_, state, stake) => {
    const world = bench({ grids: { onceProven: ['ah'] } });
    learnGrids(world.risk, ['for,h', 'for,ah,h,1']);
    betsOf(world.risk).report(fillOf(ask(HOME), 10));
    const order = ask(HANDICAP);
    world.risk.onOrder(live(order, { state }));
    if (stake > 0) {
      const fill = fillOf(order, stake);
      betsOf(world.risk).report(fill);
      betsOf(world.risk).standing(fill.betId, false);
    }
    const { totals, ...position } = reported([10, -10, -10]);
    const ofHome = new Map([...totals].filter(([type]) => type === 'for,h'));
    expect(world.risk.onPosition({ ...position, totals: ofHome })).toBeNull();
    world.risk.onOrder(live(order, { state: 'closed' }));
    betsOf(world.risk).report(fillOf(ask(HANDICAP), 10));
    expect(worstUsdt(world)).toBe(-20);
  });

  it('is proven on one event for all others, and proves no other kind', () => {
    const there = eventId('2026-11-21,30,40');
    const world = bench({ grids: { onceProven: ['ah', 'ahover', 'over'] } });
    learnGrids(world.risk, ['for,h', 'for,ah,h,1', 'for,ahover,9', 'for,over,2.5']);
    for (const each of [HOME, HANDICAP]) {
      betsOf(world.risk).report(fillOf(ask(each), 10));
      betsOf(world.risk).report(fillOf(ask({ ...each, event: there }), 10));
    }
    for (const goals of ['for,ahover,9', 'against,over,2.5'])
      betsOf(world.risk).report(fillOf(ask({ betType: goals, event: there }), 10));
    const worstThere = (): number =>
      (world.risk.eventRisk({ sport: FOOTBALL, eventId: there })?.worstMicros ?? NaN) / 1e6;
    expect(worstThere()).toBe(-40);
    world.risk.onPosition(reported(TRUE_PAYOFFS));
    expect([worstUsdt(world), worstThere()]).toEqual([-15, -35]);
  });

  it('nets with the other side of its own selection meanwhile', () => {
    const world = bench({ grids: { onceProven: ['ah'] } });
    learnGrids(world.risk, ['for,ah,h,1']);
    betsOf(world.risk).report(fillOf(ask(HANDICAP), 10));
    betsOf(world.risk).report(fillOf(ask({ ...HANDICAP, betType: 'for,ah,h,1', price: 2.2 }), 10));
    expect(worstUsdt(world)).toBe(0);
  });

  it('is looked up once, although its grid does not count yet', () => {
    const { risk } = holder();
    expect(risk.wantsGrid(FOOTBALL, betType('against,ah,h,1'))).toBe(false);
  });
});
