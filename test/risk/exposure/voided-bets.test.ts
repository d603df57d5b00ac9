import { describe, expect, it } from 'vitest';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import { account, foreign } from '../support/bets.ts';
import { ask, bench, fillOf, FIXTURE } from '../support/harness.ts';

describe('voided bets', () => {
  it.each([
    ['before', ['fill', 'taken']],
    ['after', ['taken', 'fill']],
  ] as const)('stop counting when they were reported %s; the event is compared as before', (_, order) => {
    const world = bench();
    const [taken, stands] = [fillOf(ask(), 7), fillOf(ask(), 4)];
    world.risk.onFill(stands);
    for (const step of order) {
      if (step === 'fill') world.risk.onFill(taken);
      else world.risk.onBetValidity(taken.betId, false);
    }
    expect(account(world)).toMatchObject({ worstMicros: -4e6, grossMicros: 4e6 });
    expect([...world.risk.positions()]).toEqual([FIXTURE]);
  });

  it('count again when they are reinstated, unless they are settled', () => {
    const world = bench();
    const [stands, settled] = [fillOf(ask(), 7), fillOf(ask(), 4)];
    for (const fill of [stands, settled]) {
      world.risk.onFill(fill);
      world.risk.onBetValidity(fill.betId, false);
    }
    world.risk.onSettled(FIXTURE, [settled.betId]);
    for (const { betId: id } of [stands, settled, stands]) world.risk.onBetValidity(id, true);
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
      if (isReported) for (const fill of fills) world.risk.onFill(fill);
      world.risk.onBetValidity(fills[1].betId, false);
      world.risk.onSettled(FIXTURE, betIds);
      world.risk.onReopened(betIds);
      for (const fill of fills) world.risk.onFill(fill);
      expect(account(world)).toMatchObject({ worstMicros: -7e6, grossMicros: 7e6 });
      world.risk.onBetValidity(fills[1].betId, true);
      expect(account(world)).toMatchObject({ worstMicros: -11e6, grossMicros: 11e6 });
    },
  );

  it('count once, when they were never settled', () => {
    const world = bench();
    const fill = fillOf(ask(), 7);
    world.risk.onFill(fill);
    world.risk.onReopened([fill.betId]);
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
    for (const fill of [laid, back]) world.risk.onFill(fill);
    const hedged = account(world);
    expect(hedged.worstMicros).toBe(0);
    const positions = (): number => [...world.risk.positions()].length;
    for (let times = 0; times < 2; times++) {
      world.risk.onDoubt(back.betId, true);
      const liability = account(world).grossMicros - 10e6;
      expect(account(world)).toEqual({ ...hedged, worstMicros: -liability });
      world.risk.onDoubt(back.betId, false);
      expect(account(world)).toEqual(hedged);
    }
    world.risk.onDoubt(back.betId, true);
    expect(positions()).toBe(1);
    world.risk.onBetValidity(back.betId, false);
    world.risk.onDoubt(back.betId, false);
    expect(account(world).grossMicros).toBe(hedged.grossMicros - 10e6);
    world.risk.onBetValidity(back.betId, true);
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
