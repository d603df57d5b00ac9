import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betId, type BetType, orderId, sport } from '../../../src/domain/ids.ts';
import type { Risk } from '../../../src/risk/index.ts';
import { bruteForceLeast, learnGrids, randomBet, show } from '../support/books.ts';
import { ask, bench, FACTS, FIXTURE, fillOf, live } from '../support/harness.ts';
import { runs } from '../support/share.ts';
import { betsOf } from '../../support/account.ts';

const leastOf = (risk: Risk): number | null => risk.heldEvents()[0]?.leastMicros ?? null;

describe('the least that held bets pay', () => {
  it('equals settling the matched bets at every score', () => {
    fc.assert(
      fc.property(fc.array(randomBet, { maxLength: 8 }), (bets) => {
        const { risk } = bench();
        learnGrids(
          risk,
          bets.map((bet) => bet.betType),
        );
        for (const bet of bets) show(risk, bet);
        const isHeld = bets.some(({ kind }) => kind === 'matched' || kind === 'partly filled');
        expect(risk.heldEvents()).toEqual(isHeld ? [{ ...FIXTURE, leastMicros: bruteForceLeast(bets) }] : []);
      }),
      runs(100),
    );
  });

  it('is a gain where every score pays', () => {
    const { risk } = bench();
    const [buy, sell] = [
      ask({ betType: 'for,h', price: 2.2 }),
      ask({ betType: 'against,h', price: 2, stake: 11 }),
    ];
    learnGrids(risk, ['for,h', 'against,h']);
    for (const order of [buy, sell]) betsOf(risk).report(fillOf(order, order.stakeMicros / 1e6));
    expect(leastOf(risk)).toBe(1_000_000);
    expect(risk.exposure().account.worstMicros).toBe(0);
  });

  it('counts no gain that a void bet would take away, where no grid decides', () => {
    const { risk } = bench();
    const tennis = { sport: sport('tennis') };
    const [buy, sell] = [
      ask({ ...tennis, betType: 'for,h', price: 2.2 }),
      ask({ ...tennis, betType: 'against,h', price: 2, stake: 11 }),
    ];
    for (const order of [buy, sell]) betsOf(risk).report(fillOf(order, order.stakeMicros / 1e6));
    expect(leastOf(risk)).toBe(0);
  });

  it('is the loss of the worst winner in a market that one selection wins', () => {
    const world = bench();
    world.facts = { ...FACTS, marketTypeOf: () => 'win' };
    const golf = { sport: sport('golf') };
    for (const outcome of ['1', '2']) {
      const order = ask({ ...golf, betType: `for,win,${outcome}`, price: 3 });
      betsOf(world.risk).report(fillOf(order, 10));
    }
    world.risk.onOrder(live(ask({ ...golf, betType: 'for,win,3', price: 3, stake: 5 })));
    expect(leastOf(world.risk)).toBe(-20_000_000);
    expect(world.risk.exposure().account.worstMicros).toBe(-25_000_000);
  });

  it('counts a bet in doubt where it loses, and nowhere else', () => {
    const { risk } = bench();
    learnGrids(risk, ['for,h']);
    const fill = fillOf(ask({ price: 3 }), 10);
    betsOf(risk).report(fill);
    betsOf(risk).doubt(fill.betId, true);
    expect(leastOf(risk)).toBe(-10_000_000);
    betsOf(risk).report(fillOf(ask({ betType: 'against,h', price: 3 }), 10));
    // Without the doubt, the two bets would cancel each other.
    expect(leastOf(risk)).toBe(-20_000_000);
    betsOf(risk).doubt(fill.betId, false);
    expect(leastOf(risk)).toBe(0);
  });

  it('includes the stake of a combination, but not of an order that may still be matched', () => {
    const { risk } = bench();
    const order = ask();
    const legs = fillOf(order, 7, { betType: 'parlay' as BetType, isParlay: true, requestUuid: null });
    betsOf(risk).report({ ...legs, betId: betId(900_001), orderId: orderId(77) });
    risk.onOrder(live(ask({ stake: 100 })));
    expect(leastOf(risk)).toBe(-7_000_000);
  });

  it('ends with the settlement of the bets', () => {
    const { risk } = bench();
    const fill = fillOf(ask(), 10);
    betsOf(risk).report(fill);
    expect(leastOf(risk)).toBe(-10_000_000);
    betsOf(risk).settle([fill.betId]);
    expect(leastOf(risk)).toBeNull();
    betsOf(risk).reopen([fill.betId]);
    expect(leastOf(risk)).toBe(-10_000_000);
    betsOf(risk).standing(fill.betId, false);
    expect(leastOf(risk)).toBeNull();
  });
});
