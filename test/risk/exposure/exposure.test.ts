import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betType, eventId, orderId, sport } from '../../../src/domain/ids.ts';
import { bruteForceWorst, learnGrids, randomBet, show } from '../support/books.ts';
import { ask, bench, FACTS, fillOf, live } from '../support/harness.ts';
import { runs } from '../support/share.ts';
import { betsOf } from '../../support/account.ts';

const worstOf = ({ risk }: ReturnType<typeof bench>): number => risk.exposure().account.worstMicros;

describe('worst case of an event', () => {
  it('equals settling every subset of fills at every score', () => {
    fc.assert(
      fc.property(fc.array(randomBet, { maxLength: 7 }), (bets) => {
        const world = bench();
        learnGrids(
          world.risk,
          bets.map((bet) => bet.betType),
        );
        for (const bet of bets) show(world.risk, bet);
        expect(worstOf(world)).toBe(0 + bruteForceWorst(bets));
      }),
      runs(60),
    );
  });

  it('is the same whether grids are known before or after the bets', () => {
    fc.assert(
      fc.property(fc.array(randomBet, { maxLength: 12 }), (bets) => {
        const [before, after] = [bench(), bench()];
        const types = bets.map((bet) => bet.betType);
        learnGrids(before.risk, types);
        for (const world of [before, after]) for (const bet of bets) show(world.risk, bet);
        expect(worstOf(after)).toBeLessThanOrEqual(worstOf(before));
        learnGrids(after.risk, types);
        expect(after.risk.exposure()).toMatchObject({ account: before.risk.exposure().account });
      }),
      runs(60),
    );
  });
});

describe('orders and fills in any order', () => {
  it('counts a fill once, before, with and after the order', () => {
    const order = ask({ stake: 10 });
    const fill = fillOf(order, 4);
    const { risk } = bench();
    const worst = (): number => risk.exposure().account.worstMicros / 1e6;
    risk.onOrder(live(order));
    expect(worst()).toBe(-10);
    betsOf(risk).report(fill);
    betsOf(risk).report(fill);
    expect(worst()).toBe(-10);
    risk.onOrder(live(order, { filledMicros: 4e6 }));
    expect(worst()).toBe(-10);
    risk.onOrder(live(order, { filledMicros: 4e6, state: 'closed' }));
    expect(worst()).toBe(-4);
  });

  it('counts what an order reports as filled before the fill arrives', () => {
    const order = ask({ stake: 10 });
    const { risk } = bench();
    risk.onOrder(live(order, { filledMicros: 10e6, state: 'closed' }));
    expect(risk.exposure().account.worstMicros).toBe(-10e6);
    betsOf(risk).report(fillOf(order, 10, { price: 2.5 }));
    expect(risk.exposure().account).toMatchObject({ worstMicros: -10e6, grossMicros: 10e6, openOrders: 0 });
  });

  it('books a late fill of an order that had ended', () => {
    const order = ask({ stake: 10 });
    const { risk } = bench();
    risk.onOrder(live(order, { state: 'closed' }));
    expect(risk.exposure().account.worstMicros).toBe(0);
    betsOf(risk).report(fillOf(order, 3));
    risk.onOrder(live(order, { state: 'closed', filledMicros: 3e6 }));
    expect(risk.exposure().account.worstMicros).toBe(-3e6);
  });

  it('joins a seemingly foreign bet to the order that turns out to be ours', () => {
    const order = ask({ stake: 10 });
    const { risk } = bench();
    risk.onOrder(live(order, { state: 'unknown' }));
    betsOf(risk).report(fillOf(order, 4, { requestUuid: null, orderId: orderId(77) }));
    expect(risk.exposure().account.worstMicros).toBe(-14e6);
    risk.onOrder(live(order, { state: 'live', orderId: orderId(77), filledMicros: 4e6 }));
    expect(risk.exposure().account.worstMicros).toBe(-10e6);
  });

  it('forgets settled bets, and keeps those that may still be matched', () => {
    const [settled, open] = [ask({ stake: 10 }), ask({ stake: 5 })];
    const { risk } = bench();
    risk.onOrder(live(settled, { state: 'closed', filledMicros: 10e6 }));
    betsOf(risk).report(fillOf(settled, 10));
    risk.onOrder(live(open));
    risk.onEventOver(settled);
    expect(risk.exposure().account.worstMicros).toBe(-5e6);
    risk.onOrder(live(settled, { state: 'closed', filledMicros: 10e6 }));
    expect(risk.exposure().account.worstMicros).toBe(-5e6);
    risk.onOrder(live(open, { state: 'closed' }));
    expect(risk.exposure()).toEqual({
      account: { worstMicros: 0, grossMicros: 0, openOrders: 0, openMicros: 0 },
      scopes: [],
      events: [],
    });
  });
});

describe('a settlement that arrives before the bet', () => {
  it('leaves nothing at stake, and neither does the order', () => {
    const order = ask({ stake: 10 });
    const fill = fillOf(order, 10);
    const { risk } = bench();
    betsOf(risk).settle([fill.betId]);
    betsOf(risk).report(fill);
    risk.onOrder(live(order, { state: 'closed', filledMicros: 10e6 }));
    expect(risk.exposure().account).toMatchObject({ worstMicros: 0, grossMicros: 0 });
  });
});

describe('bets off the score grid', () => {
  it('nets only the two directions of one selection', () => {
    const { risk } = bench();
    risk.onOrder(live(ask({ betType: 'for,h', price: 2, stake: 10 }), { filledMicros: 10e6 }));
    risk.onOrder(live(ask({ betType: 'against,h', price: 2, stake: 10 }), { filledMicros: 10e6 }));
    expect(risk.exposure().account.worstMicros).toBe(0);
    risk.onOrder(live(ask({ betType: 'for,a', stake: 3 })));
    risk.onOrder(live(ask({ betType: 'against,d', stake: 4, price: 3 })));
    expect(risk.exposure().account.worstMicros).toBe(-11e6);
  });

  it('ignores grids of sports whose scores may leave the grid, and grids of another size', () => {
    const { risk } = bench();
    const row = Array.from({ length: 20 }, () => 'w');
    risk.setGrid(
      betType('for,h'),
      Array.from({ length: 20 }, () => row),
    );
    risk.setGrid(betType('for,a'), [row]);
    risk.onOrder(live(ask({ sport: sport('basket'), stake: 10 })));
    risk.onOrder(live(ask({ betType: 'for,a', stake: 10 })));
    expect(risk.exposure().account.worstMicros).toBe(-20e6);
    risk.onOrder(live(ask({ stake: 10 })));
    expect(risk.exposure().account.worstMicros).toBe(-20e6);
  });

  it('lets one runner win at a time', () => {
    const world = bench();
    world.facts = { ...FACTS, marketTypeOf: () => 'win' };
    const matched = (type: string, stake: number): void =>
      betsOf(world.risk).report(fillOf(ask({ betType: type, stake, price: 4 }), stake));
    matched('against,win,1', 10);
    matched('against,win,2', 10);
    expect(worstOf(world)).toBe(-30e6);
    matched('for,win,3', 5);
    expect(worstOf(world)).toBe(-35e6);
  });
});

describe('scopes', () => {
  it('sums events by competition, sport, day and account', () => {
    const { risk } = bench();
    risk.onOrder(live(ask({ stake: 10 })));
    risk.onOrder(live(ask({ stake: 5, event: eventId('2026-11-22,1,2') })));
    const { scopes, events } = risk.exposure();
    expect(events.map(({ worstMicros }) => worstMicros)).toEqual([-10e6, -5e6]);
    expect(scopes.map(({ kind, worstMicros }) => [kind, worstMicros])).toEqual([
      ['competition', -15e6],
      ['sport', -15e6],
      ['day', -15e6],
      ['account', -15e6],
    ]);
  });
});
