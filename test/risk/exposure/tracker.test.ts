import { describe, expect, it } from 'vitest';
import { type BetId, betType, eventId, orderId, sport } from '../../../src/domain/ids.ts';
import { exposedOf } from '../../../src/risk/exposure/exposed-order.ts';
import { account, foreign } from '../support/bets.ts';
import { ask, bench, codesOf, EVENT, FACTS, fillOf, FIXTURE, FOOTBALL, live } from '../support/harness.ts';
import { betsOf } from '../../support/account.ts';

const OTHER = eventId('2026-11-22,3,4');
const NUMBER = orderId(5);
const row = (code: string): string[] => Array.from({ length: 20 }, () => code);
const square = (code: string): string[][] => Array.from({ length: 20 }, () => row(code));
describe('an order of ours', () => {
  const order = ask({ price: 3, stake: 20 });

  it.each([
    ['live', false, false],
    ['closing', false, true],
    ['closed', true, false],
    ['unknown', false, false],
  ] as const)('%s is tracked whole', (state, ended, closing) => {
    const changes = { state, orderId: NUMBER, filledMicros: 4e6, createdMonotonicMs: 7 };
    const { selectionId, sport: at, eventId: event, betType: type, direction, priceKind } = live(order);
    expect(exposedOf(live(order, changes), 3)).toEqual({
      key: order.requestUuid,
      orderId: NUMBER,
      bet: {
        selectionId,
        sport: at,
        eventId: event,
        betType: type,
        direction,
        priceKind,
        stakeMicros: 20e6,
        price: 3,
      },
      filledMicros: 4e6,
      origin: 'own',
      createdMs: 7,
      ended,
      closing,
      orderType: null,
    });
  });

  it('is not counted again when it is listed, before or after it is reported again', () => {
    const world = bench();
    world.risk.onOrder(live(order, { orderId: NUMBER }));
    for (let i = 0; i < 2; i++) {
      world.risk.onForeignOrder(foreign());
      expect(account(world)).toEqual({
        worstMicros: -20e6,
        grossMicros: 20e6,
        openOrders: 1,
        openMicros: 20e6,
      });
      world.risk.onOrder(live(order, { orderId: NUMBER }));
    }
  });

  it('takes over, once, the bets booked under its number', () => {
    const world = bench();
    world.risk.onForeignOrder(foreign({ stakeMicros: 4e6 }));
    betsOf(world.risk).report(fillOf(order, 4, { requestUuid: null, orderId: NUMBER }));
    for (let i = 0; i < 2; i++) {
      world.risk.onOrder(live(order, { orderId: NUMBER, filledMicros: 4e6 }));
      expect(account(world)).toEqual({
        worstMicros: -20e6,
        grossMicros: 20e6,
        openOrders: 1,
        openMicros: 16e6,
      });
    }
    expect(world.risk.exposure().events).toMatchObject([{ openOrders: 1 }]);
  });

  it('is known by its number from then on: a fill without its uuid belongs to it', () => {
    const world = bench();
    world.risk.onOrder(live(order, { orderId: NUMBER }));
    betsOf(world.risk).report(fillOf(order, 5, { requestUuid: null, orderId: NUMBER }));
    expect(account(world)).toMatchObject({ worstMicros: -20e6, openMicros: 15e6 });
  });

  it.each([
    ['both', [true, true]],
    ['one', [true, false]],
    ['none', [false, false]],
  ])(
    'counts each matched stake once, in whichever sequence its reports and bets arrive: %s with its uuid',
    (_, named) => {
      type Step = (world: ReturnType<typeof bench>) => void;
      const reported =
        (state: 'live' | 'closed', filled: number): Step =>
        ({ risk }) =>
          risk.onOrder(live(order, { state, orderId: NUMBER, filledMicros: filled * 1e6 }));
      const bets = [4, 6].map((stake, at) =>
        fillOf(order, stake, {
          orderId: NUMBER,
          betId: (900 + at) as BetId,
          ...(named[at] === true ? {} : { requestUuid: null }),
        }),
      );
      const booked = bets.map(
        (fill): Step =>
          ({ risk }) =>
            betsOf(risk).report(fill),
      );
      const steps = [...booked, reported('live', 4), reported('closed', 0), reported('closed', 4)];
      const orders = <T>(all: readonly T[]): readonly (readonly T[])[] =>
        all.length === 0
          ? [[]]
          : all.flatMap((each, at) => orders(all.toSpliced(at, 1)).map((rest) => [each, ...rest]));
      const seen = orders(steps).map((sequence) => {
        const world = bench();
        for (const step of [...sequence, reported('closed', 10), reported('closed', 10)]) step(world);
        return account(world);
      });
      expect(seen).toHaveLength(120);
      const expected = { worstMicros: -10e6, grossMicros: 10e6, openOrders: 0, openMicros: 0 };
      for (const each of seen) expect(each).toEqual(expected);
    },
  );

  it('cannot be given back when only its fill is known', () => {
    const world = bench();
    betsOf(world.risk).report(fillOf(order, 5));
    world.risk.release(order.requestUuid);
    expect(account(world)).toMatchObject({ worstMicros: -5e6, openOrders: 0, openMicros: 0 });
    world.risk.onOrder(live(order));
    expect(account(world)).toMatchObject({ worstMicros: -20e6, openOrders: 1, openMicros: 15e6 });
  });

  it('leaves no event behind when it ends unmatched', () => {
    const world = bench();
    world.risk.onOrder(live(order));
    world.risk.onOrder(live(order, { state: 'absent' }));
    expect(world.risk.exposure()).toMatchObject({ scopes: [], events: [] });
  });

  it('has nothing open when it was filled beyond its stake, and all of the fill counts', () => {
    const world = bench();
    world.risk.onOrder(live(order));
    betsOf(world.risk).report(fillOf(order, 25));
    expect(account(world)).toMatchObject({ worstMicros: -25e6, openOrders: 1, openMicros: 0 });
  });
});

describe('a fill that is reported twice', () => {
  it('counts once in the turnover of the day, and once as repetition', () => {
    const world = bench({ turnover: { dayUsdt: 500 }, throttle: { repeatedFills: 1 } });
    const fill = fillOf(ask({ betType: 'for,d' }), 250, { atMs: world.wallMs });
    for (let i = 0; i < 3; i++) betsOf(world.risk).report(fill);
    expect(codesOf(world.risk, ask({ betType: 'for,d', stake: 250 }))).toEqual([]);
  });
});

describe('an approval', () => {
  it('lapses on its own, and leaves reported orders and younger approvals', () => {
    const world = bench({ throttle: { approvalTtlS: 5 } });
    const [reported, silent, young] = [ask({ stake: 1 }), ask({ stake: 2 }), ask({ stake: 4 })];
    for (const order of [reported, silent]) world.risk.approve(order);
    world.risk.onOrder(live(reported, { createdMonotonicMs: world.nowMs }));
    world.nowMs += 3_000;
    world.risk.approve(young);
    world.nowMs += 2_001;
    world.risk.tick();
    expect(account(world)).toMatchObject({ openOrders: 2, openMicros: 5e6 });
  });

  it('reports only that it lapsed, once it has', () => {
    const world = bench({ throttle: { approvalTtlS: 5 } });
    const result = world.risk.approve(ask());
    world.nowMs += 5_001;
    world.risk.tick();
    expect(result.ok && world.risk.recheck(result.order)).toEqual([
      {
        code: 'approval_over',
        message: 'the approval has lapsed or was released',
        actual: null,
        limit: null,
      },
    ]);
  });

  it('of another order than the one to be sent is an internal error', () => {
    const world = bench();
    const result = world.risk.approve(ask());
    if (!result.ok) throw new Error('refused');
    const changed = { ...result.order, betType: betType('lay,h') };
    expect(() => world.risk.recheck(changed)).toThrow(
      expect.objectContaining({
        message: 'an order without a direction cannot be judged',
        details: { betType: 'lay,h' },
      }),
    );
  });
});

describe('orders of others', () => {
  it('rest on the same selections as ours', () => {
    const world = bench({ openOrders: { selection: 1 } });
    world.risk.onForeignOrder(foreign());
    expect(codesOf(world.risk, ask())).toEqual(['selection_open_orders']);
    expect(codesOf(world.risk, ask({ betType: 'for,d' }))).toEqual([]);
  });

  it('stay settled, however often they are listed', () => {
    const world = bench();
    const ended = foreign({ closed: true, stakeMicros: 8e6 });
    world.risk.onForeignOrder(ended);
    world.risk.onEventOver(FIXTURE);
    for (let i = 0; i < 2; i++) {
      world.risk.onForeignOrder(ended);
      expect(account(world)).toMatchObject({ worstMicros: 0, grossMicros: 0 });
    }
  });
});

describe('settlement', () => {
  it('of a foreign order ends what it counts for, with or without its bets', () => {
    const world = bench();
    const ended = foreign({ closed: true, stakeMicros: 8e6 });
    world.risk.onForeignOrder(ended);
    expect(account(world)).toMatchObject({ worstMicros: -8e6, openOrders: 0 });
    world.risk.onForeignOrder(ended, true);
    expect(account(world)).toMatchObject({ worstMicros: 0, grossMicros: 0 });
  });

  it.each([
    ['before', ['fill', 'settle']],
    ['after', ['settle', 'fill']],
  ] as const)('of a bet that was reported %s it ends the comparison of its event', (_, order) => {
    const world = bench();
    const [settled, ...others] = [fillOf(ask(), 1), fillOf(ask(), 4), fillOf(ask({ event: OTHER }), 4)];
    for (const fill of others) betsOf(world.risk).report(fill);
    const elsewhere = { sport: FOOTBALL, eventId: OTHER };
    expect([...world.risk.positions()]).toEqual([FIXTURE, elsewhere]);
    for (const step of order) {
      if (step === 'fill') betsOf(world.risk).report(settled);
      else betsOf(world.risk).settle([settled.betId]);
    }
    expect([...world.risk.positions()]).toEqual([elsewhere]);
  });

  it('lets its event be compared again when it is undone, once no other bet there is settled', () => {
    const world = bench();
    const fills = [fillOf(ask(), 1), fillOf(ask(), 4), fillOf(ask({ sport: sport('fb_ht') }), 4)];
    const [first, second, other] = fills.map((each) => each.betId) as [BetId, BetId, BetId];
    for (const fill of fills) betsOf(world.risk).report(fill);
    const compared = (): string[] => Array.from(world.risk.positions(), (event) => event.sport).sort();
    betsOf(world.risk).settle([first, second]);
    betsOf(world.risk).reopen([first, other]);
    expect(compared()).toEqual(['fb_ht']);
    betsOf(world.risk).reopen([second]);
    expect(compared()).toEqual(['fb', 'fb_ht']);
  });

  it('of named bets reads no other, because their number grows for as long as the daemon runs', () => {
    const world = bench();
    const [named, other] = [fillOf(ask(), 1), fillOf(ask({ event: OTHER }), 4)];
    let looks = 0;
    const watched = Object.defineProperty({ ...other }, 'eventId', {
      get: () => {
        looks++;
        return OTHER;
      },
    });
    for (const fill of [named, watched]) betsOf(world.risk).report(fill);
    const before = looks;
    betsOf(world.risk).settle([named.betId]);
    expect(looks).toBe(before);
    expect(account(world).worstMicros).toBe(-4e6);
  });

  it('of a whole event leaves the bets of others', () => {
    const world = bench();
    const fills = [fillOf(ask(), 1), fillOf(ask({ event: OTHER }), 4)];
    for (const fill of fills) betsOf(world.risk).report(fill);
    expect(account(world).worstMicros).toBe(-5e6);
    world.risk.onEventOver(FIXTURE);
    expect(world.risk.exposure().events).toMatchObject([{ eventId: OTHER, worstMicros: -4e6 }]);
  });
});

describe('positions to compare', () => {
  it('are those with a matched bet, by event and sport', () => {
    const { risk } = bench();
    risk.onOrder(live(ask({ event: OTHER })));
    expect([...risk.positions()]).toEqual([]);
    for (const at of [FOOTBALL, sport('fb_ht')]) betsOf(risk).report(fillOf(ask({ sport: at }), 1));
    betsOf(risk).report(fillOf(ask({ betType: 'for,d' }), 1));
    expect([...risk.positions()]).toEqual([FIXTURE, { sport: 'fb_ht', eventId: EVENT }]);
  });
});

describe('the report', () => {
  it('counts open orders of each event, and names no score where none decides', () => {
    const { risk } = bench();
    for (const stake of [1, 2]) risk.onOrder(live(ask({ stake })));
    risk.onOrder(live(ask({ stake: 4, event: OTHER })));
    expect(risk.exposure().events.map(({ openOrders, worstScore }) => [openOrders, worstScore])).toEqual([
      [2, null],
      [1, null],
    ]);
  });

  it('names the first of the worst scores', () => {
    const { risk } = bench();
    const grid = square('w');
    for (const [home, away] of [
      [3, 7],
      [3, 9],
      [11, 2],
    ] as const)
      grid[home]![away] = 'l';
    risk.setGrid(betType('for,h'), grid);
    betsOf(risk).report(fillOf(ask(), 5));
    expect(risk.exposure().events).toMatchObject([{ worstScore: { home: 3, away: 7 } }]);
  });
});

describe('a group of bets that net', () => {
  it('is one sport: the same selection of two periods does not net', () => {
    const { risk } = bench();
    risk.setGrid(betType('for,h'), square('w'));
    betsOf(risk).report(fillOf(ask({ betType: 'against,h' }), 10));
    betsOf(risk).report(fillOf(ask({ sport: sport('fb_ht') }), 10));
    expect(risk.exposure().account.worstMicros).toBe(-10e6);
  });

  it('is one winner market: of two families, or two sports, each may have its winner', () => {
    const world = bench({ grids: { winnerMarketTypes: ['win', 'top'] } });
    world.facts = { ...FACTS, marketTypeOf: (type) => (type.includes('top') ? 'top' : 'win') };
    const lay = (type: string, at = FOOTBALL): void =>
      betsOf(world.risk).report(fillOf(ask({ betType: type, price: 4, sport: at }), 10));
    lay('against,win,1');
    lay('against,win,2');
    expect(account(world).worstMicros).toBe(-30e6);
    lay('against,top,1');
    expect(account(world).worstMicros).toBe(-60e6);
    lay('against,win,2', sport('fb_ht'));
    expect(account(world).worstMicros).toBe(-90e6);
  });

  it('is left by an order that ends', () => {
    const world = bench();
    world.facts = { ...FACTS, marketTypeOf: () => 'win' };
    const order = ask({ betType: 'against,win,1', price: 4 });
    world.risk.onOrder(live(order));
    world.risk.onOrder(live(ask({ betType: 'for,win,2', stake: 1 })));
    expect(account(world).worstMicros).toBe(-31e6);
    world.risk.onOrder(live(order, { state: 'closed' }));
    expect(account(world).worstMicros).toBe(-1e6);
  });
});
