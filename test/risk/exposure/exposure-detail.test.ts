import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betId, betType, eventId, orderId, sport } from '../../../src/domain/ids.ts';
import type { VenueBet } from '../../../src/domain/orders.ts';

import { selectionId } from '../../../src/domain/selection.ts';
import type { EventResult } from '../../../src/domain/bet-types/result.ts';
import { parseBetType } from '../../../src/domain/bet-types/index.ts';
import { foreign } from '../support/bets.ts';
import { bruteForceWorst, KINDS_OF_BETS, learnGrids, MEANING, randomBet, show } from '../support/books.ts';
import {
  ask,
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
import { runs } from '../support/share.ts';
import { betsOf } from '../../support/account.ts';

const OTHER = eventId('2026-11-22,3,4');
const HALF = sport('fb_ht');
const row = (code: string): string[] => Array.from({ length: 20 }, () => code);
const square = (code: string): string[][] => Array.from({ length: 20 }, () => row(code));

const WIDE = {
  order: { maxStakeUsdt: 1e6, maxLiabilityUsdt: 1e9 },
  worstCase: {
    selectionUsdt: 1e9,
    eventUsdt: 1e9,
    competitionUsdt: 1e9,
    sportUsdt: 1e9,
    dayUsdt: 1e9,
    accountUsdt: 1e9,
  },
  gross: { eventUsdt: 1e9, accountUsdt: 1e9 },
  turnover: { dayUsdt: 1e9 },
  openOrders: { selection: 1e3, event: 1e3, account: 1e3 },
  collar: { adverseProbability: 0.999, adverseLogOdds: 50, awayLogOdds: 50 },
  throttle: { duplicateWindowS: 0 },
};

describe('an approval', () => {
  it('counts exactly as an open order at once', () => {
    fc.assert(
      fc.property(fc.array(randomBet, { maxLength: 5 }), randomBet, (bets, next) => {
        const { risk } = bench(WIDE);
        learnGrids(
          risk,
          [...bets, next].map((bet) => bet.betType),
        );
        for (const bet of bets) show(risk, bet);
        const order = ask(next);
        expect(codesOf(risk, order)).toEqual([]);
        expect(risk.exposure().account.worstMicros).toBe(
          bruteForceWorst([...bets, { ...next, kind: 'live' }]),
        );
        risk.release(order.requestUuid);
        expect(risk.exposure().account.worstMicros).toBe(bruteForceWorst(bets));
      }),
      runs(40),
    );
  });

  it('is given back only while the order is not reported', () => {
    const { risk } = bench();
    const order = ask();
    risk.approve(order);
    risk.onOrder(live(order, { state: 'sending' }));
    risk.release(order.requestUuid);
    risk.release(ask().requestUuid);
    expect(risk.exposure().account).toMatchObject({ worstMicros: -10e6, openOrders: 1, openMicros: 10e6 });
  });

  it('lapses only when its time is over', () => {
    const world = bench({ throttle: { approvalTtlS: 5, duplicateWindowS: 0 } });
    world.risk.approve(ask());
    world.nowMs += 3_000;
    world.risk.approve(ask({ stake: 7 }));
    world.nowMs += 2_000;
    world.risk.tick();
    expect(world.risk.exposure().account.openOrders).toBe(2);
    world.nowMs += 1;
    expect(codesOf(world.risk, ask({ stake: 3 }))).toEqual([]);
    expect(world.risk.exposure().account.openMicros).toBe(10e6);
  });
});

const venueBet = (gotStakeMicros: number | null): VenueBet => ({
  betId: betId(9),
  orderId: orderId(5),
  sport: FOOTBALL,
  eventId: EVENT,
  betType: betType('for,h'),
  statusCode: 'success',
  wantPrice: 3,
  gotPrice: 3,
  wantStakeMicros: 20e6,
  gotStakeMicros,
  profitLossMicros: null,
  reconciled: false,
  exchangeRole: null,
});

describe('orders of others', () => {
  it('count, open and filled, until they are over', () => {
    const { risk } = bench();
    const account = () => risk.exposure().account;
    risk.onForeignOrder(foreign());
    expect(account()).toMatchObject({ worstMicros: -20e6, openOrders: 1, openMicros: 20e6 });
    risk.onForeignOrder(foreign({ bets: [venueBet(5e6), venueBet(null)] }));
    expect(account()).toMatchObject({ worstMicros: -20e6, openMicros: 15e6 });
    risk.onForeignOrder(foreign({ closed: true, bets: [venueBet(5e6)] }));
    expect(account()).toMatchObject({ worstMicros: -5e6, openOrders: 0 });
    risk.onForeignOrder(foreign({ closed: true, bets: [], stakeMicros: 8e6 }));
    expect(account().worstMicros).toBe(-8e6);
    betsOf(risk).report(fillOf(ask({ price: 3 }), 8, { requestUuid: null, orderId: orderId(5) }));
    expect(account()).toMatchObject({ worstMicros: -8e6, grossMicros: 8e6 });
  });

  it('in an unreadable market count as whichever direction loses more', () => {
    const { risk } = bench();
    risk.onForeignOrder(foreign({ betType: betType('swap,x'), wantPrice: 4 }));
    expect(risk.exposure().account.worstMicros).toBe(-60e6);
    risk.onForeignOrder(foreign({ betType: betType('swap,x'), wantPrice: 4, closed: true }));
    expect(risk.exposure().account.worstMicros).toBe(0);
    risk.onForeignOrder(foreign({ betType: betType('swap,x'), wantPrice: 1.5 }));
    expect(risk.exposure().account.worstMicros).toBe(-20e6);
  });

  it.each([
    [4, -24e6],
    [1.5, -8e6],
  ])('in an unreadable market cannot win when filled: at %d it may lose %d', (wantPrice, worst) => {
    const { risk } = bench();
    const order = ask({ betType: 'for,x', price: wantPrice });
    const filled = { betType: betType('swap,x'), wantPrice, closed: true, stakeMicros: 8e6 };
    risk.onForeignOrder(foreign(filled));
    expect(risk.exposure().account.worstMicros).toBe(worst);
    const bet = { betType: filled.betType, selectionId: selectionId(FOOTBALL, EVENT, 'swap,x') };
    betsOf(risk).report(fillOf(order, 8, { ...bet, requestUuid: null, orderId: orderId(5) }));
    risk.onForeignOrder(foreign(filled));
    expect(risk.exposure().account.worstMicros).toBe(worst);
    risk.onEventOver(FIXTURE);
    risk.onForeignOrder(foreign(filled), true);
    expect(risk.exposure().account).toMatchObject({ worstMicros: 0, grossMicros: 0 });
  });

  it('are not counted again once they turn out to be ours', () => {
    const { risk } = bench();
    const order = ask({ price: 3, stake: 20 });
    risk.onForeignOrder(foreign({ bets: [venueBet(4e6)] }));
    betsOf(risk).report(fillOf(order, 4, { requestUuid: null, orderId: orderId(5) }));
    risk.onOrder(live(order, { orderId: orderId(5), filledMicros: 4e6 }));
    risk.onForeignOrder(foreign({ bets: [venueBet(4e6)] }));
    risk.onOrder(live(order, { orderId: orderId(5), filledMicros: 4e6 }));
    expect(risk.exposure().account).toEqual({
      worstMicros: -20e6,
      grossMicros: 20e6,
      openOrders: 1,
      openMicros: 16e6,
    });
  });

  it('do not hide behind a number that one of our orders no longer has', () => {
    const { risk } = bench();
    const order = ask();
    risk.onOrder(live(order, { orderId: orderId(5) }));
    risk.onOrder(live(order, { orderId: orderId(5), state: 'closed' }));
    risk.onForeignOrder(foreign());
    expect(risk.exposure().account.worstMicros).toBe(-20e6);
  });

  it('do not count as duplicates of ours', () => {
    const world = bench({ throttle: { duplicateWindowS: 1e6 } });
    world.risk.onForeignOrder(foreign({ wantPrice: 2, wantStakeMicros: 10e6 }));
    expect(codesOf(world.risk, ask())).toEqual([]);
  });
});

describe('settlement', () => {
  it('ends the filled stake that the order reports without a reported fill', () => {
    const { risk } = bench();
    const [here, there] = [ask(), ask({ event: OTHER })];
    for (const order of [here, there]) risk.onOrder(live(order, { state: 'closed', filledMicros: 10e6 }));
    risk.onEventOver(FIXTURE);
    expect(risk.exposure().events).toMatchObject([{ eventId: OTHER, worstMicros: -10e6 }]);
    risk.onOrder(live(here, { state: 'closed', filledMicros: 10e6 }));
    expect(risk.exposure().account.worstMicros).toBe(-10e6);
  });

  it('removes the named bets of the event, and no others', () => {
    const { risk } = bench();
    const fills = [fillOf(ask(), 1), fillOf(ask(), 2), fillOf(ask({ event: OTHER }), 4)];
    for (const fill of fills) betsOf(risk).report(fill);
    betsOf(risk).settle([fills[0]?.betId ?? betId(0)]);
    expect(risk.exposure().account.worstMicros).toBe(-6e6);
    risk.onOrder(live(ask(), { state: 'closed', filledMicros: 3e6 }));
    betsOf(risk).settle([fills[1]?.betId ?? betId(0)]);
    expect(risk.exposure().account.worstMicros).toBe(-7e6);
  });
});

describe('the report', () => {
  it('lists events, selections, scopes, the worst score and bets off the grid', () => {
    const world = bench();
    learnGrids(world.risk, ['for,h', 'for,cs,2,1']);
    betsOf(world.risk).report(fillOf(ask({ betType: 'against,cs,2,1', price: 11 }), 3));
    world.risk.onOrder(live(ask({ betType: 'for,dnb,h', stake: 4 })));
    world.risk.onOrder(live(ask({ stake: 1, event: OTHER })));
    const { account, scopes, events } = world.risk.exposure();
    expect(account).toEqual({ worstMicros: -35e6, grossMicros: 35e6, openOrders: 2, openMicros: 5e6 });
    expect(scopes).toEqual([
      { kind: 'competition', name: '7', worstMicros: -35e6, grossMicros: 35e6 },
      { kind: 'sport', name: 'fb', worstMicros: -35e6, grossMicros: 35e6 },
      { kind: 'day', name: '2026-11-21', worstMicros: -35e6, grossMicros: 35e6 },
      { kind: 'account', name: '', worstMicros: -35e6, grossMicros: 35e6 },
    ]);
    expect(events[0]).toEqual({
      ...FIXTURE,
      worstMicros: -34e6,
      grossMicros: 34e6,
      openOrders: 1,
      worstScore: { home: 2, away: 1 },
      selections: [
        { selectionId: `fb|${EVENT}|cs,2,1`, worstMicros: -30e6 },
        { selectionId: `fb|${EVENT}|dnb,h`, worstMicros: -4e6 },
      ],
      offGrid: ['for,dnb,h'],
    });
    expect(events[1]).toMatchObject({ eventId: OTHER, openOrders: 1, offGrid: [] });
  });

  it('shows an unknown competition or day as unknown', () => {
    const world = bench();
    world.facts = null;
    betsOf(world.risk).report(fillOf(ask(), 3));
    expect(world.risk.exposure().scopes.map(({ kind, name }) => [kind, name])).toEqual([
      ['competition', 'unknown'],
      ['sport', 'fb'],
      ['day', 'unknown'],
      ['account', ''],
    ]);
    world.facts = { ...FACTS, startTimeMs: START_MS + 86_400_000 };
    betsOf(world.risk).report(fillOf(ask(), 1));
    expect(world.risk.exposure().scopes).toMatchObject([
      { name: '7', worstMicros: -4e6 },
      { name: 'fb' },
      { name: '2026-11-22' },
      { name: '' },
    ]);
  });

  it('shows an impossible start time as unknown', () => {
    const world = bench();
    // Nanoseconds instead of seconds or milliseconds.
    world.facts = { ...FACTS, startTimeMs: START_MS * 1e6 };
    betsOf(world.risk).report(fillOf(ask(), 5));
    expect(world.risk.exposure().scopes).toContainEqual(
      expect.objectContaining({ kind: 'day', name: 'unknown' }),
    );
  });

  it('keeps scopes whose worst case is zero while something is at stake', () => {
    const { risk } = bench();
    for (const type of ['for,h', 'against,h']) betsOf(risk).report(fillOf(ask({ betType: type }), 5));
    expect(risk.exposure().scopes).toHaveLength(4);
    expect(risk.exposure().account).toMatchObject({ worstMicros: 0, grossMicros: 10e6 });
  });
});

describe('grids', () => {
  it('are requested for sports on the grid until one direction is known', () => {
    const { risk } = bench();
    const wanted = () => ['for,h', 'against,h'].map((type) => risk.wantsGrid(FOOTBALL, betType(type)));
    expect([wanted(), risk.wantsGrid(sport('basket'), betType('for,h'))]).toEqual([[true, true], false]);
    risk.setGrid(betType('against,h'), square('l'));
    expect(wanted()).toEqual([false, false]);
  });

  it('belong to the sport that they were requested for', () => {
    const { risk } = bench();
    risk.setGrid(betType('for,h'), square('w'), HALF);
    expect([FOOTBALL, HALF].map((at) => risk.wantsGrid(at, betType('for,h')))).toEqual([true, false]);
    betsOf(risk).report(fillOf(ask(), 5));
    expect(risk.exposure().account.worstMicros).toBe(-5e6);
    betsOf(risk).report(fillOf(ask({ sport: HALF }), 7));
    expect(risk.exposure().account.worstMicros).toBe(-5e6);
  });

  it('of another size are ignored', () => {
    const { risk } = bench();
    const sizes = [[], square('w').slice(1), [...square('w').slice(1), row('w').slice(1)]];
    for (const grid of sizes) risk.setGrid(betType('for,h'), grid);
    expect(risk.wantsGrid(FOOTBALL, betType('for,h'))).toBe(true);
  });

  it.each([
    ['w', -30, 0],
    ['l', 0, -20],
    ['p', 0, 0],
    ['v', 0, 0],
    ['hw', -15, 0],
    ['v/w', -15, 0],
    ['hl', 0, -10],
    ['l/v', 0, -10],
    ['l/w', -5, 0],
    ['?', -30, -20],
  ])('cells %s cost the other direction %s and this one %s', (code, against, backed) => {
    const worstOf = (type: string, stake: number): number => {
      const { risk } = bench();
      risk.setGrid(betType('for,h'), square(code));
      betsOf(risk).report(fillOf(ask({ betType: type, price: 2.5 }), stake));
      return risk.exposure().account.worstMicros / 1e6;
    };
    expect([worstOf('against,h', 20), worstOf('for,h', 20)]).toEqual([against, backed]);
  });

  it('replace the earlier ones when they arrive again with other cells', () => {
    const { risk } = bench();
    betsOf(risk).report(fillOf(ask(), 5));
    risk.setGrid(betType('for,h'), square('w'));
    risk.setGrid(betType('for,h'), square('w'));
    expect(risk.exposure().account.worstMicros).toBe(0);
    risk.setGrid(betType('for,h'), square('hl'));
    expect(risk.exposure().account.worstMicros).toBe(-2.5e6);
  });
});

describe('a winner market', () => {
  const RUNNERS = [1, 2, 3, 4];
  /** Every finish of four runners, dead heats and non-runners included. */
  const FINISHES = RUNNERS.reduce<number[][]>(
    (all) => all.flatMap((places) => [0, 1, 2].map((at) => [...places, at])),
    [[]],
  )
    .map((places) => new Map(places.map((at, i): [number, number] => [i + 1, at]).filter(([, at]) => at > 0)))
    .map((places): EventResult => ({ kind: 'places', places }))
    // At least one runner wins.
    .map((result) =>
      result.kind === 'places' && ![...result.places.values()].includes(1)
        ? { ...result, places: new Map([...result.places, [99, 1]]) }
        : result,
    );

  const runnerBet = fc
    .record({
      side: fc.constantFrom(...KINDS_OF_BETS),
      runner: fc.constantFrom(...RUNNERS),
      price: fc.constantFrom(1.5, 2, 4, 11),
      stake: fc.integer({ min: 1, max: 50 }).map((units) => units * 12),
      matched: fc.boolean(),
    })
    .map(({ side: [direction, priceKind], runner, ...rest }) => ({
      ...rest,
      betType: `${direction},win,${runner}`,
      priceKind,
    }));
  type RunnerBet = typeof runnerBet extends fc.Arbitrary<infer T> ? T : never;

  it('never loses more than reported, whatever the finish', () => {
    fc.assert(
      fc.property(fc.array(runnerBet, { maxLength: 6 }), (bets) => {
        const world = bench(WIDE);
        world.facts = { ...FACTS, marketTypeOf: () => 'win' };
        for (const [i, bet] of bets.entries()) {
          const order = ask(bet);
          if (i % 2 === 0 && !bet.matched) expect(codesOf(world.risk, order)).toEqual([]);
          else if (bet.matched) betsOf(world.risk).report(fillOf(order, bet.stake));
          else world.risk.onOrder(live(order));
        }
        const worst = Math.min(0, ...FINISHES.map((result) => worstAt(bets, result)));
        expect(world.risk.exposure().account.worstMicros / 1e6).toBeCloseTo(worst, 3);
      }),
      runs(60),
    );
  });

  function worstAt(bets: readonly RunnerBet[], result: EventResult): number {
    return bets.reduce((total, { betType: type, priceKind, price, stake, matched }) => {
      const parsed = parseBetType('fb', type);
      const settlement = parsed?.settle(result);
      if (!parsed || !settlement) throw new Error(`not settled: ${type}`);
      const { side, sign } = MEANING[priceKind];
      const { won, lost } = side === 'for' ? settlement : { won: settlement.lost, lost: settlement.won };
      const profit = Number(sign) * (stake * (price - 1) * won - stake * lost);
      return total + (matched ? profit : Math.min(0, profit));
    }, 0);
  }

  it('is kept apart by sport and family', () => {
    const world = bench();
    world.facts = { ...FACTS, marketTypeOf: (type) => (type.includes('top') ? 'top' : 'win') };
    for (const type of ['for,win,1', 'for,top,3,1'])
      betsOf(world.risk).report(fillOf(ask({ betType: type }), 5));
    betsOf(world.risk).report(fillOf(ask({ betType: 'for,win,1', sport: HALF }), 5));
    expect(world.risk.exposure().account.worstMicros).toBe(-15e6);
  });
});
