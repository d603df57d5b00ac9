import { describe, expect, it } from 'vitest';
import { LAY_PRICES } from '../../../src/domain/exchange-prices.ts';
import { betId, betType, orderId } from '../../../src/domain/ids.ts';
import type { VenueBet, VenueOrder } from '../../../src/domain/orders.ts';
import { foreignKey, foreignOrder } from '../../../src/risk/exposure/exposed-order.ts';
import { doubtfulKey, doubtfulKeys, isOfDoubtfulBet } from '../../../src/risk/exposure/entry-keys.ts';
import { reduces } from '../../../src/risk/exposure/reducing.ts';
import { foreign } from '../support/bets.ts';
import { EVENT, FOOTBALL } from '../support/harness.ts';

const ODDS = { convention: 'odds', secondSide: 'against' } as const;

const bet = (gotStakeMicros: number | null, statusCode = 'success'): VenueBet => ({
  betId: betId(9),
  orderId: orderId(5),
  sport: FOOTBALL,
  eventId: EVENT,
  betType: betType('for,h'),
  statusCode,
  wantPrice: 3,
  gotPrice: 3,
  wantStakeMicros: 20e6,
  gotStakeMicros,
  profitLossMicros: null,
  reconciled: false,
  exchangeRole: null,
});

const filledOf = (changes: Partial<VenueOrder>, isSettled = false): number =>
  foreignOrder(foreign(changes), isSettled, LAY_PRICES).filledMicros;

describe('an order of another', () => {
  it('counts whole, at its limit price', () => {
    const whole = {
      key: '#5',
      orderId: 5,
      filledMicros: 0,
      ended: false,
      origin: 'foreign',
      createdMs: 0,
      closing: false,
      orderType: 'normal',
      bet: {
        selectionId: `fb|${EVENT}|h`,
        sport: FOOTBALL,
        eventId: EVENT,
        betType: 'for,h',
        direction: 'for',
        priceKind: 'odds-for',
        price: 3,
        stakeMicros: 20e6,
      },
    };
    expect(foreignOrder(foreign(), false, LAY_PRICES)).toEqual(whole);
    expect(foreignOrder(foreign({ closed: true }), false, LAY_PRICES)).toEqual({ ...whole, ended: true });
    expect(foreignKey(5)).toBe('#5');
  });

  it.each([
    ['for,h', 'normal', LAY_PRICES, 'for', 'odds-for'],
    ['for,h', 'lay', ODDS, 'against', 'lay-for'],
    ['against,h', 'normal', LAY_PRICES, 'against', 'lay-for'],
    ['against,h', 'normal', ODDS, 'against', 'odds-against'],
    ['against,h', 'lay', ODDS, 'for', 'lay-against'],
    ['swap,h', 'normal', ODDS, 'for', 'odds-for'],
    ['swap,h', 'lay', LAY_PRICES, 'for', 'odds-for'],
  ] as const)('on %s of type %s has its likeliest terms', (type, orderType, prices, direction, priceKind) => {
    const order = foreignOrder(foreign({ betType: betType(type), orderType }), false, prices);
    expect(order).toMatchObject({ orderType, bet: { direction, priceKind, betType: type } });
  });

  it('is matched by its bets, or by its total less what was voided', () => {
    expect(filledOf({ bets: [bet(5e6), bet(2e6), bet(null)] })).toBe(7e6);
    expect(filledOf({ bets: [bet(5e6)], stakeMicros: 8e6 })).toBe(8e6);
    expect(filledOf({ bets: [bet(5e6), bet(3e6, 'void'), bet(null, 'void')], stakeMicros: 8e6 })).toBe(5e6);
    expect(filledOf({ bets: [bet(3e6, 'unplaced')], stakeMicros: 8e6 })).toBe(5e6);
    expect(filledOf({ bets: [bet(3e6, 'failed')] })).toBe(0);
    expect(filledOf({ stakeMicros: null })).toBe(0);
  });

  it('has nothing at stake once it is settled', () => {
    expect(filledOf({ bets: [bet(5e6)], stakeMicros: 8e6 }, true)).toBe(0);
  });
});

describe('the key of a bet of unknown terms', () => {
  it('is one in each direction, and no other bet has such a key', () => {
    expect(doubtfulKeys('bet:7')).toEqual(['bet:7 for', 'bet:7 against']);
    expect(doubtfulKey('open:#5', 'against')).toBe('open:#5 against');
    expect(['bet:7 for', 'open:#5 against'].map(isOfDoubtfulBet)).toEqual([true, true]);
    expect(['bet:7', 'open:for', 'for bet:7', 'bet:7 for '].map(isOfDoubtfulBet)).toEqual(
      Array(4).fill(false),
    );
  });
});

it.each([
  [{ matched: -10, possible: -20 }, { matched: -9, possible: -20 }, true],
  [{ matched: -10, possible: -20 }, { matched: -9, possible: -19 }, true],
  [{ matched: -10, possible: -20 }, { matched: -9, possible: -21 }, false],
  [{ matched: -10, possible: -20 }, { matched: -10, possible: -19 }, false],
  [{ matched: -10, possible: -20 }, { matched: -11, possible: -19 }, false],
])('from %o to %o reduces the risk: %s', (without, filled, expected) => {
  expect(reduces(without, filled)).toBe(expected);
});
