import { describe, expect, it } from 'vitest';
import { foreignFill, matchedBet, ownFill } from '../../src/account/fills.ts';
import type { TrackedOrder } from '../../src/account/orders.ts';
import { matches, missingStake, newsIn, standingIn } from '../../src/account/reports.ts';
import { LAY_PRICES } from '../../src/domain/exchange-prices.ts';
import { betId, betType, eventId, orderId, sport } from '../../src/domain/ids.ts';
import { tickOf } from '../../src/domain/ladder.ts';
import type { Fill } from '../../src/domain/live-order.ts';
import type { VenueBet, VenueOrder } from '../../src/domain/orders.ts';
import type { OrderResult } from '../../src/domain/settlement.ts';
import { liveOrder, venueOrder } from '../support/orders.ts';

const FB = sport('fb');
const EVENT = eventId('2026-01-01,1,2');
const ODDS = { convention: 'odds', secondSide: 'against' } as const;

const bet = (id: number, changes: Partial<VenueBet> = {}): VenueBet => ({
  betId: betId(id),
  orderId: orderId(1),
  sport: FB,
  eventId: EVENT,
  betType: betType('for,h'),
  statusCode: 'success',
  wantPrice: 2,
  gotPrice: 2,
  wantStakeMicros: 5e6,
  gotStakeMicros: 5e6,
  profitLossMicros: null,
  reconciled: null,
  exchangeRole: 'maker',
  ...changes,
});

const order = (changes: Partial<VenueOrder> = {}): VenueOrder =>
  venueOrder({
    orderId: orderId(1),
    sport: FB,
    eventId: EVENT,
    status: 'done',
    closed: true,
    price: 2,
    stakeMicros: 10e6,
    ...changes,
  });

/** A book with these bets booked at 5 each, and perhaps a result of the order. */
const book = (
  booked: readonly number[] = [],
  changes: { isTakenBack?: boolean; hasResult?: boolean } = {},
) => ({
  fillOf: (id: number) => (booked.includes(id) ? ({ stakeMicros: 5e6 } as Fill) : null),
  filledOf: () => 5e6 * booked.length,
  isTakenBack: () => changes.isTakenBack === true,
  resultOf: () => (changes.hasResult === true ? ({} as OrderResult) : null),
});

describe('a matched bet', () => {
  const of = (changes: Partial<VenueBet>) => matchedBet(bet(1, changes));

  it('has the stake and the price that the exchange reports', () => {
    const given = bet(1, { gotPrice: 2.123, gotStakeMicros: 7 });
    expect(matchedBet(given)).toEqual({ bet: given, price: 2.123, stakeMicros: 7 });
    expect(of({ statusCode: 'danger' })).toMatchObject({ price: 2, stakeMicros: 5e6 });
  });

  it.each<Partial<VenueBet>>([
    { gotStakeMicros: null },
    { gotStakeMicros: 0 },
    { gotStakeMicros: -1 },
    { gotStakeMicros: NaN },
    { gotPrice: null },
    { gotPrice: 1 },
    { gotPrice: 0.5 },
    { gotPrice: NaN },
    ...['void', 'failed', 'rejected', 'cancelled', 'unplaced'].map((statusCode) => ({ statusCode })),
  ])('is none with %o', (changes) => {
    expect(of(changes)).toBeNull();
  });

  it('of the least stake and price is one', () => {
    expect(of({ gotStakeMicros: 1, gotPrice: 1.000001 })).not.toBeNull();
  });
});

describe('the fill of a bet', () => {
  const matched = { bet: bet(7, { eventId: eventId('moved') }), price: 2.1, stakeMicros: 4 };

  it('of our order has the market and the terms of the order, wherever the exchange shows it now', () => {
    const own = liveOrder({ direction: 'against', priceKind: 'lay-for', mode: 'dark', orderId: orderId(1) });
    expect(ownFill(matched, own, 99)).toEqual({
      betId: 7,
      orderId: 1,
      sport: own.sport,
      eventId: own.eventId,
      betType: 'for,h',
      price: 2.1,
      stakeMicros: 4,
      atMs: 99,
      requestUuid: own.requestUuid,
      selectionId: own.selectionId,
      direction: 'against',
      priceKind: 'lay-for',
      role: 'maker',
      mode: 'dark',
    });
  });

  it('of another’s order has the terms that the exchange reports', () => {
    const fill = {
      betId: 7,
      orderId: 1,
      requestUuid: null,
      sport: FB,
      eventId: 'moved',
      betType: 'for,h',
      price: 2.1,
      selectionId: 'fb|moved|h',
      stakeMicros: 4,
      atMs: 99,
      role: 'maker',
    };
    const of = (
      type: string,
      orderType: string | null,
      prices = LAY_PRICES as Parameters<typeof foreignFill>[2],
    ) => foreignFill({ ...matched, bet: { ...matched.bet, betType: betType(type) } }, orderType, prices, 99);
    const known = { direction: 'for', priceKind: 'odds-for' };
    expect(of('for,h', 'normal')).toEqual({ ...fill, ...known, isParlay: false });
    expect(of('for,h', null)).toEqual({ ...fill, ...known });
    expect(of('against,h', null)).toMatchObject({ direction: 'against', priceKind: 'lay-for' });
    expect(of('for,h', 'lay')).toMatchObject({ direction: 'against', priceKind: 'lay-for', isParlay: false });
    expect(of('against,h', 'normal', ODDS)).toMatchObject({
      direction: 'against',
      priceKind: 'odds-against',
    });
    expect(of('swap,h', 'parlay')).toEqual({
      ...fill,
      ...known,
      betType: 'swap,h',
      selectionId: 'fb|moved|swap,h',
      isParlay: true,
    });
  });

  it.each([
    ['maker', 'maker'],
    ['taker', 'taker'],
    ['broker', 'unknown'],
    [null, 'unknown'],
  ])('of role %s is that of a %s', (exchangeRole, role) => {
    const given = { ...matched, bet: bet(7, { exchangeRole }) };
    expect(ownFill(given, liveOrder(), 1).role).toBe(role);
    expect(foreignFill(given, null, LAY_PRICES, 1).role).toBe(role);
  });
});

describe('the news in a report', () => {
  const doubts = [1, 2].map((id) => ({ kind: 'doubt', betId: id, isUnmatched: id === 2 }));
  const bets = [bet(1), bet(2, { statusCode: 'void' })];

  it('are first of each bet, then of the result', () => {
    const result = { orderId: 1, sport: FB, eventId: EVENT, profitLossMicros: 3 };
    const settled = { status: 'reconciled', profitLossMicros: 3, bets };
    const event = { kind: 'result', result, isTakenBack: false, hasBets: true, isRecorded: false, atMs: 9 };
    expect([...newsIn(order(settled), book(), 9)]).toEqual([...doubts, event]);
    expect([...newsIn(order({ ...settled, status: 'full_void' }), book(), 9)]).toEqual([
      ...doubts,
      { ...event, isTakenBack: true },
    ]);
  });

  it('tell whether the settled order has bets, also ones that cannot be read', () => {
    const has = (changes: Partial<VenueOrder>) =>
      [...newsIn(order({ status: 'reconciled', ...changes }), book(), 9)].map(
        (news) => news.kind === 'result' && news.hasBets,
      );
    expect(has({})).toEqual([false]);
    expect(has({ unreadBets: 0 })).toEqual([false]);
    expect(has({ unreadBets: 1 })).toEqual([true]);
    expect(has({ bets: [bet(1)], unreadBets: 1 })).toEqual([false, true]);
  });

  it('reopen an order whose bets were all voided, with those that count after all', () => {
    const back = [
      { kind: 'reopened', orderId: 1, isRecorded: false },
      { kind: 'standing', betId: 1, stands: true },
    ];
    const takenBack = book([], { isTakenBack: true });
    expect([...newsIn(order({ bets }), takenBack, 9)]).toEqual([...doubts, ...back]);
    expect([...newsIn(order({ bets, closed: false }), takenBack, 9)]).toEqual(doubts);
    expect([...newsIn(order({ bets: bets.slice(1) }), takenBack, 9)]).toEqual(doubts.slice(1));
    expect([...newsIn(order({ bets }), book(), 9)]).toEqual(doubts);
  });

  it('reopen a settled parlay that waits for another leg again, and nothing else like it', () => {
    const isReopened = (changes: Partial<VenueOrder>, hasResult = true): boolean =>
      [...newsIn(order({ orderType: 'parlay', ...changes }), book([], { hasResult }), 9)].some(
        ({ kind }) => kind === 'reopened',
      );
    const waits = [bet(1, { reconciled: true }), bet(2, { reconciled: false })];
    expect(isReopened({ bets: waits })).toBe(true);
    expect(isReopened({ bets: waits, orderType: 'normal' })).toBe(false);
    expect(isReopened({ bets: waits }, false)).toBe(false);
    expect(isReopened({ bets: waits.slice(0, 1) })).toBe(false);
    expect(isReopened({ bets: [bet(1, { reconciled: null }), bet(2, { reconciled: 'pending' })] })).toBe(
      false,
    );
  });
});

describe('which bets of a closed order stand', () => {
  const all = [
    bet(1),
    bet(2, { statusCode: 'void' }),
    bet(3, { statusCode: 'unplaced' }),
    bet(4, { gotPrice: null }),
    bet(5),
    bet(6, { statusCode: 'void' }),
  ];

  it('is told of booked bets that are matched or void', () => {
    expect([...standingIn(order({ bets: all }), book([1, 2, 3, 4]))]).toEqual([
      { kind: 'standing', betId: 1, stands: true },
      { kind: 'standing', betId: 2, stands: false },
    ]);
  });

  it('is told of no order that is open', () => {
    expect([...standingIn(order({ bets: all, closed: false }), book([1, 2]))]).toEqual([]);
  });
});

describe('an order of the exchange', () => {
  const tracked = (priceKind: 'odds-for' | 'lay-for' = 'odds-for') =>
    ({
      order: liveOrder({ tick: tickOf(2) as number, priceKind, sport: FB, eventId: EVENT }),
      place: { stakeMicros: 10e6 },
    }) as object as TrackedOrder;

  it.each<readonly [string, Partial<VenueOrder>, boolean]>([
    ['the same', {}, true],
    ['of another bet type', { betType: betType('for,d') }, false],
    ['on another event', { eventId: eventId('other') }, false],
    ['a lay order', { orderType: 'lay' }, false],
    ['at almost the price', { wantPrice: 2 + 1e-10 }, true],
    ['at a higher price', { wantPrice: 2.01 }, false],
    ['at a lower price', { wantPrice: 1.99 }, false],
    ['of a stake that rounding explains', { wantStakeMicros: 10e6 + 9_999 }, true],
    ['of a smaller one', { wantStakeMicros: 10e6 - 9_999 }, true],
    ['of a larger stake', { wantStakeMicros: 10e6 + 10_000 }, false],
    ['of a smaller stake', { wantStakeMicros: 10e6 - 10_000 }, false],
  ])('is what we asked for if it is %s', (_, changes, isOurs) => {
    expect(matches(tracked(), order(changes))).toBe(isOurs);
  });

  it('of a lay price is a lay order on a bet type for the selection', () => {
    expect(matches(tracked('lay-for'), order({ orderType: 'lay' }))).toBe(true);
    expect(matches(tracked('lay-for'), order())).toBe(false);
  });
});

describe('the stake that is missing', () => {
  const missing = (changes: Partial<VenueOrder>, ...booked: number[]) =>
    missingStake(order(changes), book(booked));
  const three = [bet(1), bet(2), bet(3)];

  it('is what is reported beyond what is booked', () => {
    expect(missing({ stakeMicros: null, bets: three })).toBe(0);
    expect([missing({ stakeMicros: 0 }), missing({ stakeMicros: 1 })]).toEqual([0, 1]);
    expect(missing({ stakeMicros: 15e6, bets: three })).toBe(15e6);
    expect(missing({ stakeMicros: 15e6, bets: three }, 1, 2)).toBe(5e6);
    expect(missing({ stakeMicros: 15e6, bets: three }, 1, 2, 3)).toBe(0);
  });

  it('is not what was taken back before its bet was booked', () => {
    const bets = [bet(1), bet(2, { statusCode: 'unplaced' }), bet(3, { statusCode: 'void' })];
    expect(missing({ stakeMicros: 15e6, bets }, 1)).toBe(0);
    expect(missing({ stakeMicros: 16e6, bets }, 1)).toBe(1e6);
    // A bet that is booked has been counted.
    expect(missing({ stakeMicros: 15e6, bets }, 1, 3)).toBe(0);
    expect(missing({ stakeMicros: 18e6, bets }, 1, 3)).toBe(3e6);
    expect(
      missing({ stakeMicros: 10e6, bets: [bet(1), bet(2, { statusCode: 'void', gotStakeMicros: null })] }),
    ).toBe(10e6);
  });

  it('is negative if too much is booked, but for what is void by now', () => {
    expect(missing({ stakeMicros: 5e6, bets: three }, 1, 2)).toBe(-5e6);
    const bets = [bet(1), bet(2, { statusCode: 'void' }), bet(3, { statusCode: 'unplaced' })];
    expect(missing({ stakeMicros: 5e6, bets }, 1, 2)).toBe(0);
    expect(missing({ stakeMicros: 4e6, bets }, 1, 2)).toBe(-1e6);
    expect(missing({ stakeMicros: 5e6, bets }, 1, 3)).toBe(-5e6);
    // A void bet that was never booked makes no difference, and none makes the rest positive.
    expect(missing({ stakeMicros: 4e6, bets }, 1)).toBe(-1e6);
    expect(missing({ stakeMicros: 9e6, bets }, 1, 2)).toBe(0);
  });

  it('is none within a cent for each bet with a stake', () => {
    const bets = [bet(1), bet(2), bet(3, { gotStakeMicros: null }), bet(4, { gotStakeMicros: 0 })];
    expect(missing({ stakeMicros: 10e6 + 20_000, bets }, 1, 2)).toBe(0);
    expect(missing({ stakeMicros: 10e6 + 20_001, bets }, 1, 2)).toBe(20_001);
    expect(missing({ stakeMicros: 10e6 - 20_000, bets }, 1, 2)).toBe(0);
    expect(missing({ stakeMicros: 10e6 - 20_001, bets }, 1, 2)).toBe(-20_001);
  });
});
