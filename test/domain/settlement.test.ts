import { describe, expect, it } from 'vitest';
import { betId, betType, eventId, orderId, sport } from '../../src/domain/ids.ts';
import type { VenueBet, VenueOrder } from '../../src/domain/orders.ts';
import { settlementOf } from '../../src/domain/settlement.ts';
import { venueOrder } from '../support/orders.ts';

const EVENT = { sport: sport('fb'), eventId: eventId('2026-01-01,1,2') };
const ENDED = { halfTime: null, fullTime: [1, 0] } as const;
/** A result in sets, periods or places. */
const OTHER_FORM = { halfTime: null, fullTime: null };

const bet = (changes: Partial<VenueBet> = {}): VenueBet => ({
  betId: betId(1),
  orderId: orderId(7),
  ...EVENT,
  betType: betType('for,h'),
  statusCode: 'success',
  wantPrice: 2,
  gotPrice: 2,
  wantStakeMicros: 5,
  gotStakeMicros: 5,
  profitLossMicros: null,
  reconciled: null,
  exchangeRole: null,
  ...changes,
});

const order = (changes: Partial<VenueOrder> = {}): VenueOrder =>
  venueOrder({
    orderId: orderId(7),
    ...EVENT,
    status: 'done',
    closed: true,
    wantStakeMicros: 5,
    price: 2,
    stakeMicros: 5,
    ...changes,
  });

const profitOf = (changes: Partial<VenueOrder>): number | null =>
  settlementOf(order(changes))?.profitLossMicros ?? null;

const [paid, waiting, silent] = [{ reconciled: true }, { reconciled: false }, { reconciled: null }];
const VOID = { statusCode: 'void' };
const UNMATCHED = { gotStakeMicros: 0 };

describe('the result of an order', () => {
  it('names the order and its event', () => {
    expect(settlementOf(order({ status: 'reconciled', profitLossMicros: -3 }))).toEqual({
      orderId: 7,
      ...EVENT,
      profitLossMicros: -3,
    });
  });

  it.each([
    ['reconciled', 4],
    ['full_void', 4],
    ['partial_void', 4],
    ['done', null],
    ['open', null],
    ['pending', null],
    ['failed', null],
  ])('is known by the status %s once the order is closed: %s', (status, profit) => {
    const given = { status, profitLossMicros: 4, bets: [bet()] };
    expect(profitOf(given)).toBe(profit);
    expect(profitOf({ ...given, closed: false })).toBeNull();
  });

  it('is the order’s own figure, or the sum of its bets, or 0', () => {
    const bets = [bet({ profitLossMicros: 3 }), bet(), bet({ profitLossMicros: -5 })];
    expect(profitOf({ status: 'reconciled', profitLossMicros: 9, bets })).toBe(9);
    expect(profitOf({ status: 'reconciled', profitLossMicros: 0, bets })).toBe(0);
    expect(profitOf({ status: 'reconciled', bets })).toBe(-2);
    expect(profitOf({ status: 'reconciled', bets: [bet()] })).toBe(0);
    expect(profitOf({ status: 'reconciled' })).toBe(0);
  });

  it.each([
    ['every bet is paid', [bet(paid), bet(VOID)], 4],
    ['one is not', [bet(paid), bet(waiting)], null],
    ['one does not say', [bet(paid), bet(silent)], 4],
    ['only a voided one is not', [bet({ ...waiting, ...VOID }), bet(paid)], 4],
    ['only one that was never matched is not', [bet({ ...waiting, ...UNMATCHED }), bet(paid)], 4],
  ])('of a partial void is final by its bets: %s', (_, bets, profit) => {
    expect(profitOf({ status: 'partial_void', profitLossMicros: 4, bets })).toBe(profit);
  });

  it('of a status that voids no part is final whatever its bets say', () => {
    for (const status of ['reconciled', 'full_void'])
      expect(profitOf({ status, profitLossMicros: 4, bets: [bet(waiting)] })).toBe(4);
  });
});

describe('an order that is done', () => {
  const done = (changes: Partial<VenueOrder>) => profitOf({ status: 'done', result: ENDED, ...changes });

  it.each([
    ['a figure', 4, [bet(silent)], 4],
    ['a figure without bets', 4, [], 4],
    ['a figure, and a bet that waits', 4, [bet(paid), bet(waiting)], null],
    ['a figure, and a void bet that waits', 4, [bet(silent), bet({ ...waiting, ...VOID })], 4],
    ['a figure, and an attempt that waits', 4, [bet(silent), bet({ ...waiting, ...UNMATCHED })], 4],
    ['a figure, and only void bets of which one waits', 4, [bet({ ...waiting, ...VOID })], null],
    ['a figure of 0', 0, [bet(silent)], null],
    ['a figure of 0, without bets', 0, [], null],
    ['a figure of 0, and every bet is paid', 0, [bet(paid), bet(paid)], 0],
    ['a figure of 0, and not every bet is paid', 0, [bet(paid), bet(silent)], null],
    ['no figure, but one of each bet', null, [bet({ profitLossMicros: 3 }), bet({ profitLossMicros: 1 })], 4],
    ['no figure of one bet', null, [bet({ profitLossMicros: 3 }), bet()], null],
    ['a bet’s figure of 0', null, [bet({ profitLossMicros: 3 }), bet({ profitLossMicros: 0 })], null],
    [
      'a paid bet’s figure of 0',
      null,
      [bet({ profitLossMicros: 3 }), bet({ ...paid, profitLossMicros: 0 })],
      3,
    ],
    ['a paid bet without a figure', null, [bet(paid)], null],
    ['nothing at all', null, [], null],
  ])('is paid by the final score and %s', (_, profitLossMicros, bets, profit) => {
    expect(done({ profitLossMicros, bets })).toBe(profit);
  });

  it('is not paid before its event has a final score', () => {
    const given = { profitLossMicros: 4, bets: [bet(paid)] };
    expect(done({ ...given, result: null })).toBeNull();
    expect(done({ ...given, result: { halfTime: [1, 0], fullTime: null } })).toBeNull();
    expect(done({ ...given, result: { halfTime: [1, 0], fullTime: [1, 0] } })).toBe(4);
  });

  it.each([
    ['every bet is paid', [bet(paid)], 4],
    ['no bet is known', [], null],
    ['a bet does not say', [bet(paid), bet(silent)], null],
    ['a bet waits', [bet(paid), bet(waiting)], null],
    ['only a void bet waits', [bet(paid), bet({ ...waiting, ...VOID })], 4],
  ])('is paid by a result of another form if %s', (_, bets, profit) => {
    expect(done({ profitLossMicros: 4, bets, result: OTHER_FORM })).toBe(profit);
  });
});
