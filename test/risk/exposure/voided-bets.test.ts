import { describe, expect, it } from 'vitest';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import { account, foreign } from '../support/bets.ts';
import { ask, bench, fillOf, FIXTURE } from '../support/harness.ts';
import { betsOf } from '../../support/account.ts';

describe('voided bets', () => {
  it.each([
    ['before', ['fill', 'taken']],
    ['after', ['taken', 'fill']],
  ] as const)('stop counting when they were reported %s; the event is compared as before', (_, order) => {
    const world = bench();
    const [taken, stands] = [fillOf(ask(), 7), fillOf(ask(), 4)];
    betsOf(world.risk).report(stands);
    for (const step of order) {
      if (step === 'fill') betsOf(world.risk).report(taken);
      else betsOf(world.risk).standing(taken.betId, false);
    }
    expect(account(world)).toMatchObject({ worstMicros: -4e6, grossMicros: 4e6 });
    expect([...world.risk.positions()]).toEqual([FIXTURE]);
  });

  it('count again when they are reinstated, unless they are settled', () => {
    const world = bench();
    const [stands, settled] = [fillOf(ask(), 7), fillOf(ask(), 4)];
    for (const fill of [stands, settled]) {
      betsOf(world.risk).report(fill);
      betsOf(world.risk).standing(fill.betId, false);
    }
    betsOf(world.risk).settle([settled.betId]);
    for (const { betId: id } of [stands, settled, stands]) betsOf(world.risk).standing(id, true);
    expect(account(world)).toMatchObject({ worstMicros: -7e6, grossMicros: 7e6 });
  });

  it.each([
    ['before', true],
    ['afterwards', false],
  ])(
    'count again, reported %s, when they are no longer settled, unless voided by themselves',
    (_, isReported) => {
      const world = bench();
      const fills = [fillOf(ask(), 7), fillOf(ask(), 4)] as const;
      const betIds = fills.map((each) => each.betId);
      if (isReported) for (const fill of fills) betsOf(world.risk).report(fill);
      betsOf(world.risk).standing(fills[1].betId, false);
      betsOf(world.risk).settle(betIds);
      betsOf(world.risk).reopen(betIds);
      for (const fill of fills) betsOf(world.risk).report(fill);
      expect(account(world)).toMatchObject({ worstMicros: -7e6, grossMicros: 7e6 });
      betsOf(world.risk).standing(fills[1].betId, true);
      expect(account(world)).toMatchObject({ worstMicros: -11e6, grossMicros: 11e6 });
    },
  );

  it('count once, when they were never settled', () => {
    const world = bench();
    const fill = fillOf(ask(), 7);
    betsOf(world.risk).report(fill);
    betsOf(world.risk).reopen([fill.betId]);
    expect(account(world)).toMatchObject({ worstMicros: -7e6, grossMicros: 7e6 });
  });

  it('count in foreign orders that are open: their stake may be matched again', () => {
    const world = bench();
    const bets = [{ statusCode: 'void', gotStakeMicros: 3e6 }] as unknown as VenueOrder['bets'];
    world.risk.onForeignOrder(foreign({ bets }));
    expect(account(world)).toMatchObject({ worstMicros: -20e6, grossMicros: 20e6, openMicros: 20e6 });
  });

  it('cancel nothing while their order is open, because they may be matched again, and do when reinstated', () => {
    const world = bench();
    const [laid, back] = [fillOf(ask({ betType: 'against,h' }), 10), fillOf(ask(), 10)];
    for (const fill of [laid, back]) betsOf(world.risk).report(fill);
    const hedged = account(world);
    expect(hedged.worstMicros).toBe(0);
    const positions = (): number => [...world.risk.positions()].length;
    for (let times = 0; times < 2; times++) {
      betsOf(world.risk).doubt(back.betId, true);
      const liability = account(world).grossMicros - 10e6;
      expect(account(world)).toEqual({ ...hedged, worstMicros: -liability });
      betsOf(world.risk).doubt(back.betId, false);
      expect(account(world)).toEqual(hedged);
    }
    betsOf(world.risk).doubt(back.betId, true);
    expect(positions()).toBe(1);
    betsOf(world.risk).standing(back.betId, false);
    betsOf(world.risk).doubt(back.betId, false);
    expect(account(world).grossMicros).toBe(hedged.grossMicros - 10e6);
    betsOf(world.risk).standing(back.betId, true);
    expect(account(world)).toEqual(hedged);
  });

  it.each([
    ['with', 8e6],
    ['without', 5e6],
  ])('count for nothing in foreign orders that show their stake %s them', (_, stakeMicros) => {
    const world = bench();
    const bet = { statusCode: 'void', gotStakeMicros: 3e6 };
    const bets = [bet, { statusCode: 'success', gotStakeMicros: 5e6 }] as unknown as VenueOrder['bets'];
    world.risk.onForeignOrder(foreign({ closed: true, stakeMicros, bets }));
    expect(account(world)).toMatchObject({ worstMicros: -5e6, grossMicros: 5e6 });
  });
});
