import { describe, expect, it } from 'vitest';
import {
  betslipTypeOf,
  type ExchangePrices,
  LAY_PRICES,
  marketOfOrder,
  mayHave,
  orderMarket,
  possibleTerms,
  reportedTerms,
  secondKind,
} from '../../src/domain/exchange-prices.ts';
import { betType, eventId, sport } from '../../src/domain/ids.ts';
import { directionOfKind, PRICE_KINDS, type PriceKind } from '../../src/domain/odds.ts';

const ODDS: ExchangePrices = { convention: 'odds', secondSide: 'lay' };

const kindsOf = (type: string, orderType: string | null, prices: ExchangePrices): readonly PriceKind[] =>
  possibleTerms(type, orderType, prices).map(({ priceKind }) => priceKind);

describe('the betslip of an order', () => {
  it.each([
    ['for,h', 'odds-for', 'normal'],
    ['against,h', 'odds-against', 'normal'],
    ['against,h', 'lay-for', 'normal'],
    ['for,h', 'lay-for', 'lay'],
    ['against,h', 'lay-against', 'lay'],
  ] as const)('on %s with a price of kind %s is %s', (type, kind, expected) => {
    expect(betslipTypeOf(type, kind)).toBe(expected);
    const market = { sport: sport('fb'), eventId: eventId('e'), betType: betType(type) };
    expect(marketOfOrder({ ...market, priceKind: kind })).toEqual(
      expected === 'lay' ? { ...market, betslipType: 'lay' } : market,
    );
  });

  it.each([
    [LAY_PRICES, ['odds-for', 'lay-for']],
    [ODDS, PRICE_KINDS],
  ] as const)('is that on which such orders are placed: %o', (prices, kinds) => {
    for (const kind of kinds) {
      const { betTypeDirection, betslipType } = orderMarket(kind, prices);
      expect(betslipTypeOf(`${betTypeDirection},h`, kind)).toBe(betslipType);
      expect(reportedTerms(`${betTypeDirection},h`, betslipType, prices)?.priceKind).toBe(kind);
    }
  });
});

it.each([
  ['for,h', ['odds-for', 'lay-for']],
  ['against,h', ['odds-against', 'lay-for', 'lay-against']],
  ['parlay', []],
] as const)('an order on %s has one of these kinds of prices: %o', (type, kinds) => {
  expect(PRICE_KINDS.filter((kind) => mayHave(type, kind))).toEqual(kinds);
});

describe('the terms that a bet of others may have', () => {
  it.each([
    ['for,h', 'normal', ['odds-for']],
    ['for,h', 'lay', ['lay-for']],
    ['for,h', null, ['odds-for', 'lay-for']],
    ['for,h', 'of another channel', ['odds-for']],
    ['against,h', 'normal', ['odds-against']],
    ['against,h', 'lay', ['lay-against', 'lay-for']],
    ['against,h', null, ['odds-against', 'lay-against', 'lay-for']],
    ['swap,h', 'parlay', ['odds-for']],
    ['swap,h', 'normal', PRICE_KINDS],
    ['swap,h', null, PRICE_KINDS],
  ] as const)('with odds: %s, order type %s', (type, orderType, kinds) => {
    expect(kindsOf(type, orderType, ODDS)).toEqual(kinds);
  });

  it.each([
    ['for,h', 'normal', ['odds-for']],
    ['for,h', null, ['odds-for']],
    ['against,h', 'normal', ['lay-for']],
    ['against,h', 'lay', ['lay-for']],
    ['against,h', null, ['lay-for']],
    ['swap,h', 'parlay', ['odds-for']],
    ['swap,h', null, ['odds-for', 'lay-for']],
  ] as const)('with prices of the selection: %s, order type %s', (type, orderType, kinds) => {
    expect(kindsOf(type, orderType, LAY_PRICES)).toEqual(kinds);
  });

  it('take the side of their kind', () => {
    for (const type of ['for,h', 'against,h', 'swap,h'])
      for (const prices of [ODDS, LAY_PRICES])
        for (const { direction, priceKind } of possibleTerms(type, null, prices))
          expect(direction).toBe(directionOfKind(priceKind));
  });
});

describe('the prices of our orders against a selection', () => {
  const FINER: ExchangePrices = { convention: 'odds', secondSide: 'finer' };

  it.each([
    [{ convention: 'lay', secondSide: 'against' }, 3, null, 'lay-for'],
    [{ convention: 'odds', secondSide: 'lay' }, 1.2, 'odds-against', 'lay-for'],
    [{ convention: 'odds', secondSide: 'against' }, 3, 'lay-for', 'odds-against'],
    [FINER, null, null, 'odds-against'],
    [FINER, null, 'lay-for', 'lay-for'],
    [FINER, 2.09, null, 'odds-against'],
    [FINER, 2.1, null, 'lay-for'],
    [FINER, 2.09, 'odds-against', 'odds-against'],
    [FINER, 2.1, 'odds-against', 'lay-for'],
    [FINER, 1.9, 'lay-for', 'lay-for'],
    [FINER, 1.89, 'lay-for', 'odds-against'],
  ] as const)('under %j at %s after %s are %s', (prices, price, before, kind) => {
    expect(secondKind(prices, price, before)).toBe(kind);
  });

  it('stay as they are while the price moves near evens', () => {
    for (const first of ['odds-against', 'lay-for'] as const) {
      let kind: PriceKind = first;
      for (const price of [1.95, 2.05, 1.91, 2.08, 2]) kind = secondKind(FINER, price, kind);
      expect(kind).toBe(first);
    }
  });
});
