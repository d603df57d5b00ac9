import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BetId, type EventId, orderId, type Sport } from '../../src/domain/ids.ts';
import type { Fill } from '../../src/domain/live-order.ts';
import type { PlaceOrder, VenueBet, VenueOrder } from '../../src/domain/orders.ts';
import { settlementOf } from '../../src/domain/settlement.ts';
import { createLedger, type Ledger } from '../../src/ledger/index.ts';
import { ask, EVENT, fillOf, FOOTBALL } from '../risk/support/harness.ts';
import { report, settle, standing } from '../support/account.ts';
import { venueOrder } from '../support/orders.ts';

const ORDER = orderId(1);
const HALF = 'fb_ht' as Sport;

/** The exchange’s report of an order that has ended. */
/** The order, as the exchange reports it once it is filled and settled. */
const reportOf = ({ sport, eventId, betType }: PlaceOrder, changes: Partial<VenueOrder> = {}): VenueOrder =>
  venueOrder({
    orderId: ORDER,
    sport,
    eventId,
    betType,
    status: 'reconciled',
    closed: true,
    closeReason: 'order_filled',
    price: 2,
    stakeMicros: 10e6,
    ...changes,
  });

/** A bet as the exchange reports it inside its order. */
const betOf = (order: PlaceOrder, changes: Partial<VenueBet> = {}): VenueBet => ({
  ...fillOf(order, 5),
  statusCode: 'success',
  wantPrice: 2,
  gotPrice: 2,
  exchangeRole: null,
  wantStakeMicros: 5e6,
  gotStakeMicros: 5e6,
  profitLossMicros: null,
  reconciled: null,
  ...changes,
});

/** Two bets of one order. */
const twoBets = (): [Fill, Fill] => {
  const of = (betId: number): Fill => ({ ...fillOf(ask({ price: 2 }), 10), betId: betId as BetId });
  return [of(1), of(2)];
};

/** A completely filled order whose event has a final score. */
const ENDED: Partial<VenueOrder> = { status: 'done', result: { halfTime: null, fullTime: [1, 0] } };

const settleOrder = (ledger: Ledger, order: VenueOrder): readonly Fill[] => {
  const settlement = settlementOf(order);
  return settlement === null ? [] : settle(ledger, settlement);
};

describe('ledger', () => {
  it('books each bet once and keeps the payoff of the selection', () => {
    const ledger = createLedger();
    const fill = fillOf(ask({ price: 2.5 }), 10);
    expect([report(ledger, fill), report(ledger, fill)]).toEqual([true, false]);
    report(ledger, fillOf(ask({ betType: 'against,h', price: 2 }), 4, { role: 'taker' }));
    expect(ledger.position(fill.selectionId)).toEqual({ ifWinMicros: 11e6, ifLoseMicros: -6e6 });
  });

  it('knows the profit of the settled bets of each event', () => {
    const ledger = createLedger();
    const bet = ask({ price: 2 });
    report(ledger, fillOf(bet, 10));
    const event = { sport: bet.sport, eventId: bet.eventId };
    expect(ledger.realisedOn(event)).toBe(0);
    settleOrder(ledger, reportOf(bet, { ...ENDED, profitLossMicros: 10e6 }));
    expect(ledger.realisedOn(event)).toBe(10e6);
    expect(ledger.realisedOn({ ...event, sport: HALF })).toBe(0);
  });

  it('marks open bets at the fair probability, and those without one at zero', () => {
    const ledger = createLedger();
    const fill = fillOf(ask({ price: 2.5 }), 10);
    report(ledger, fill);
    expect(ledger.profitLoss(() => 0.5)).toEqual({
      realisedMicros: 0,
      openMicros: 2.5e6,
      totalMicros: 2.5e6,
    });
    expect(ledger.profitLoss(() => null)).toMatchObject({ openMicros: 0 });
    expect(ledger.selections()).toEqual([fill.selectionId]);
  });

  it('knows the position by event, until it is settled', () => {
    const ledger = createLedger();
    const order = ask();
    const fill = fillOf(order, 10, { orderId: ORDER });
    report(ledger, fill);
    expect(ledger.selectionsOn(fill)).toEqual([fill.selectionId]);
    expect(ledger.selectionsOn({ sport: fill.sport, eventId: '2026-03-01,1,2' as EventId })).toEqual([]);
    expect(ledger.selectionsOn({ sport: HALF, eventId: fill.eventId })).toEqual([]);
    settleOrder(ledger, reportOf(order, { status: 'reconciled', profitLossMicros: 10e6 }));
    expect(ledger.selectionsOn(fill)).toEqual([]);
  });

  it('realises the profit that the exchange settles, once, and applies corrections', () => {
    const ledger = createLedger();
    const order = ask();
    const fill = fillOf(order, 10, { orderId: ORDER });
    report(ledger, fill);
    const won = reportOf(order, { profitLossMicros: 10e6 });
    expect(settleOrder(ledger, won)).toEqual([fill]);
    expect(settleOrder(ledger, won)).toEqual([]);
    expect(ledger.profitLoss(() => 0.5)).toMatchObject({ realisedMicros: 10e6, openMicros: 0 });
    settleOrder(ledger, { ...won, status: 'full_void', profitLossMicros: 0 });
    expect(ledger.profitLoss(() => 0.5)).toMatchObject({ realisedMicros: 0, totalMicros: 0 });
    expect(ledger.position(fill.selectionId)).toEqual({ ifWinMicros: 0, ifLoseMicros: 0 });
  });

  it('does not treat an order that is merely done as settled', () => {
    const ledger = createLedger();
    const order = ask();
    report(ledger, fillOf(order, 10, { orderId: ORDER }));
    expect(settleOrder(ledger, reportOf(order, { status: 'done', profitLossMicros: 0 }))).toEqual([]);
    const result = { halfTime: null, fullTime: [1, 0] as const };
    expect(
      settleOrder(ledger, reportOf(order, { status: 'done', profitLossMicros: 10e6, result })),
    ).toHaveLength(1);
  });

  it.each([
    ['the score at half time', { halfTime: [1, 0] as const, fullTime: null }, -10e6],
    ['an unreadable result', { halfTime: null, fullTime: null }, -10e6],
    ['a result before any payment', { halfTime: null, fullTime: [1, 0] as const }, null],
  ])('does not treat %s as the end', (_, result, profitLossMicros) => {
    const ledger = createLedger();
    const order = ask();
    report(ledger, fillOf(order, 10, { orderId: ORDER }));
    expect(settleOrder(ledger, reportOf(order, { status: 'done', profitLossMicros, result }))).toEqual([]);
    expect(ledger.profitLoss(() => 0.5)).toMatchObject({ realisedMicros: 0 });
    expect(ledger.selections()).toHaveLength(1);
  });

  it.each([
    ['every bet is reported as settled', [true, true], 1],
    ['a bet is not', [true, false], 0],
    ['a bet does not say', [true, null], 0],
    ['there is no bet', [], 0],
  ])('a result in sets or places ends a done order only by its bets: %s', (_, flags, settled) => {
    const ledger = createLedger();
    const order = ask();
    report(ledger, fillOf(order, 10, { orderId: ORDER }));
    const bets = flags.map((reconciled) => betOf(order, { reconciled, profitLossMicros: 5e6 }));
    const result = { halfTime: null, fullTime: null };
    const done = reportOf(order, { status: 'done', profitLossMicros: 10e6, result, bets });
    expect(settleOrder(ledger, done)).toHaveLength(settled);
    const unknown = reportOf(order, { status: 'done', profitLossMicros: 10e6, result: null, bets });
    expect(settleOrder(createLedger(), unknown)).toEqual([]);
    expect(settlementOf(unknown)).toBeNull();
  });

  it('adds up the bets where the order has no profit of its own', () => {
    const ledger = createLedger();
    const order = ask();
    const bets = [3e6, null].map((profitLossMicros) => betOf(order, { profitLossMicros }));
    settleOrder(ledger, reportOf(order, { bets }));
    expect(ledger.profitLoss(() => null).realisedMicros).toBe(3e6);
  });

  it.each([false, true])('waits for every bet of a done order: the last settled one is %s', (reconciled) => {
    const order = ask();
    const bets = [true, reconciled].map((each) => betOf(order, { profitLossMicros: 0, reconciled: each }));
    const done = reportOf(order, { ...ENDED, profitLossMicros: 0, bets });
    expect(settlementOf(done)).toEqual(
      reconciled ? { orderId: ORDER, sport: FOOTBALL, eventId: EVENT, profitLossMicros: 0 } : null,
    );
  });

  it('treats a profit of 0 as final only when every bet is reported settled', () => {
    const word = fc.constantFrom(true, false, null, 'pending');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 3 }), fc.constantFrom(0, null), (words, profitLossMicros) => {
        const order = ask();
        const bets = words.map((reconciled) => betOf(order, { profitLossMicros: 0, reconciled }));
        const isSettled = words.length > 0 && words.every((each) => each === true);
        const expected = isSettled
          ? { orderId: ORDER, sport: FOOTBALL, eventId: EVENT, profitLossMicros: 0 }
          : null;
        expect(settlementOf(reportOf(order, { ...ENDED, profitLossMicros, bets }))).toEqual(expected);
        expect(settlementOf(reportOf(order, { profitLossMicros, bets }))?.profitLossMicros).toBe(0);
      }),
    );
  });

  it.each([null, 'pending'])('treats another profit as final when a bet reports %s', (reconciled) => {
    const order = ask();
    const bets = [betOf(order, { profitLossMicros: -5e6, reconciled })];
    for (const profitLossMicros of [-5e6, null])
      expect(settlementOf(reportOf(order, { ...ENDED, profitLossMicros, bets }))?.profitLossMicros).toBe(
        -5e6,
      );
  });

  it.each([
    [null, null],
    [-5e6, -2e6],
  ])('adds up the bets of a done order only with the figure of each: %s', (second, total) => {
    const order = ask();
    const bets = [3e6, second].map((profitLossMicros) => betOf(order, { profitLossMicros }));
    expect(settlementOf(reportOf(order, { ...ENDED, bets }))?.profitLossMicros ?? null).toBe(total);
  });

  it.each([false, true, null])(
    'waits for the remaining bets of a partial void: settled is %s',
    (reconciled) => {
      const order = ask();
      const takenBack = betOf(order, { statusCode: 'void', reconciled: false });
      const partial = reportOf(order, {
        status: 'partial_void',
        profitLossMicros: 0,
        bets: [takenBack, betOf(order, { reconciled })],
      });
      expect(settlementOf(partial)?.profitLossMicros ?? null).toBe(reconciled === false ? null : 0);
    },
  );

  it('does not wait for attempts that never matched', () => {
    const order = ask();
    const unmatched = [null, 0].map((gotStakeMicros) =>
      betOf(order, { gotStakeMicros, reconciled: false, profitLossMicros: null }),
    );
    const bets = [...unmatched, betOf(order, { profitLossMicros: 3e6, reconciled: true })];
    expect(settlementOf(reportOf(order, { ...ENDED, bets }))?.profitLossMicros).toBe(3e6);
  });

  it.each(['failed', 'rejected', 'cancelled', 'void'])('does not wait for a bet that is %s', (statusCode) => {
    const order = ask();
    const takenBack = betOf(order, { statusCode, reconciled: false });
    const bets = [takenBack, betOf(order, { profitLossMicros: -5e6, reconciled: true })];
    for (const profitLossMicros of [-5e6, null])
      expect(settlementOf(reportOf(order, { ...ENDED, profitLossMicros, bets }))?.profitLossMicros).toBe(
        -5e6,
      );
    expect(settlementOf(reportOf(order, { ...ENDED, bets: [takenBack] }))).toBeNull();
  });

  it('opens no position for a fill that comes after the settlement of its order', () => {
    const ledger = createLedger();
    const order = ask();
    settleOrder(ledger, reportOf(order, { profitLossMicros: -10e6 }));
    const fill = fillOf(order, 10, { orderId: ORDER });
    expect(report(ledger, fill)).toBe(true);
    expect(ledger.position(fill.selectionId).ifWinMicros).toBe(0);
  });

  it.each(['before', 'after'])(
    'removes a bet that was reported %s, and no other one of its order',
    (moment) => {
      const ledger = createLedger();
      const [taken, stands] = twoBets();
      if (moment === 'after') standing(ledger, taken.betId, false);
      for (const fill of [taken, stands]) report(ledger, fill);
      expect(standing(ledger, taken.betId, false)).toBe(moment === 'before');
      expect(ledger.position(taken.selectionId)).toEqual({ ifWinMicros: 10e6, ifLoseMicros: -10e6 });
      expect(standing(ledger, taken.betId, false)).toBe(false);
    },
  );

  it('counts a bet again that is reinstated, once', () => {
    const ledger = createLedger();
    const [taken] = twoBets();
    report(ledger, taken);
    standing(ledger, taken.betId, false);
    expect([true, true].map((stands) => standing(ledger, taken.betId, stands))).toEqual([true, false]);
    expect(ledger.position(taken.selectionId)).toEqual({ ifWinMicros: 10e6, ifLoseMicros: -10e6 });
  });

  it('settles voided bets with their order, and settles none twice', () => {
    const ledger = createLedger();
    const [taken, stands] = twoBets();
    for (const fill of [taken, stands]) report(ledger, fill);
    standing(ledger, taken.betId, false);
    const settlement = { orderId: taken.orderId, sport: FOOTBALL, eventId: EVENT, profitLossMicros: 10e6 };
    expect(settle(ledger, settlement)).toEqual([taken, stands]);
    expect(settle(ledger, settlement)).toEqual([]);
    expect(standing(ledger, taken.betId, true)).toBe(false);
    expect(ledger.position(taken.selectionId)).toEqual({ ifWinMicros: 0, ifLoseMicros: 0 });
  });
});

describe('mark-outs', () => {
  const at = (atMs: number) => fillOf(ask({ price: 2 }), 10, { atMs });

  it('marks a fill at the last fair probability within each horizon', () => {
    const ledger = createLedger();
    const fill = at(1_000);
    ledger.onFair(fill.selectionId, 0.5, 900);
    report(ledger, fill);
    ledger.onFair(fill.selectionId, 0.55, 1_800);
    ledger.onFair(fill.selectionId, 0.4, 11_000);
    ledger.onFair(fill.selectionId, 0.6, 11_001);
    ledger.advance(61_001);
    expect(ledger.markouts().map(({ fills, micros }) => [fills, micros])).toEqual([
      [1, 1e6],
      [1, -2e6],
      [1, 2e6],
    ]);
    expect(ledger.markouts()[0]).toMatchObject({ stakeMicros: 10e6, notObservable: 0 });
  });

  it('has no mark-out for a fill that was too old when it arrived', () => {
    const ledger = createLedger();
    const [old, recent] = [at(1_000), at(1_001)];
    report(ledger, old, 61_001);
    report(ledger, { ...recent, betId: (old.betId + 1) as BetId }, 61_001);
    ledger.advance(200_000);
    expect(ledger.markouts().map(({ fills, notObservable }) => [fills, notObservable])).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
    ]);
  });

  it('reports unobservable mark-outs, and waits for those that are not due', () => {
    const ledger = createLedger();
    const fill = at(1_000);
    report(ledger, fill);
    ledger.onFair(fill.selectionId, 0.5, 1_000);
    ledger.onFair(fill.selectionId, 0.6, 3_000);
    ledger.advance(11_000);
    expect(ledger.markouts().map(({ fills, notObservable }) => [fills, notObservable])).toEqual([
      [0, 1],
      [0, 0],
      [0, 0],
    ]);
    ledger.advance(11_001);
    expect(ledger.markouts()[1]).toMatchObject({ fills: 1, micros: 2e6 });
  });
});

describe('attribution', () => {
  it('adds up to what was realised: spread, move and luck', () => {
    const ledger = createLedger();
    const order = ask({ price: 2.2 });
    const fill = fillOf(order, 10, { orderId: ORDER });
    ledger.onFair(fill.selectionId, 0.5, 0);
    report(ledger, fill);
    ledger.onFair(fill.selectionId, 0.4, 5_000);
    settle(ledger, { orderId: ORDER, sport: FOOTBALL, eventId: EVENT, profitLossMicros: 12e6 });
    const { spreadMicros, moveMicros, luckMicros, realisedMicros } = ledger.attribution();
    expect([spreadMicros, moveMicros, luckMicros]).toEqual([1e6, -2.2e6, 13.2e6]);
    expect(spreadMicros + moveMicros + luckMicros).toBe(realisedMicros);
  });

  it('separates what it cannot explain, and applies corrections', () => {
    const ledger = createLedger();
    report(ledger, fillOf(ask(), 10, { orderId: ORDER }));
    settle(ledger, { orderId: ORDER, sport: FOOTBALL, eventId: EVENT, profitLossMicros: 10e6 });
    settle(ledger, { orderId: ORDER, sport: FOOTBALL, eventId: EVENT, profitLossMicros: -10e6 });
    expect(ledger.attribution()).toMatchObject({ orders: 0, realisedMicros: 0, unattributedMicros: -10e6 });
  });
});

describe('fills of every kind of price', () => {
  const KINDS = [
    // 10 at 3.00, at 40 % and then at 50 %; against the selection it is 20 at its price of 1.50.
    ['for,h', 'odds-for', 2e6, 5e6, 10e6],
    ['against,h', 'odds-against', 8e6, 5e6, 20e6],
    ['for,h', 'lay-for', -2e6, -5e6, 10e6],
    ['against,h', 'lay-against', -8e6, -5e6, 20e6],
  ] as const;

  it.each(KINDS)(
    'are valued by it, and marked, and attributed: %s, %s',
    (betType, priceKind, atFill, later, stakeMicros) => {
      const ledger = createLedger();
      const order = ask({ betType, priceKind, price: 3 });
      const fill = fillOf(order, 10, { orderId: ORDER, atMs: 0 });
      ledger.onFair(fill.selectionId, 0.4, -1);
      report(ledger, fill);
      expect(ledger.profitLoss(() => 0.4).openMicros).toBe(atFill);
      ledger.onFair(fill.selectionId, 0.5, 500);
      ledger.advance(2_000);
      expect(ledger.markouts()[0]).toMatchObject({ horizonS: 1, fills: 1, micros: later, stakeMicros });
      const { sport, eventId } = fill;
      settle(ledger, { orderId: ORDER, sport, eventId, profitLossMicros: 7e6 } as never);
      expect(ledger.attribution()).toMatchObject({
        spreadMicros: atFill,
        moveMicros: later - atFill,
        luckMicros: 7e6 - later,
      });
    },
  );

  it('add up on their selection', () => {
    const ledger = createLedger();
    for (const [betType, priceKind] of KINDS)
      report(ledger, fillOf(ask({ betType, priceKind, price: 3 }), 10));
    const { selectionId } = fillOf(ask(), 1);
    expect(ledger.position(selectionId)).toEqual({ ifWinMicros: 0, ifLoseMicros: 0 });
    expect(ledger.selections()).toEqual([]);
    expect(ledger.openBets({ sport: FOOTBALL, eventId: EVENT })).toBe(KINDS.length);
  });
});
