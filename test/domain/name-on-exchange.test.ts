import { describe, expect, it } from 'vitest';
import { type ExchangePrices, LAY_PRICES, nameOnExchange } from '../../src/domain/exchange-prices.ts';
import type { PriceKind } from '../../src/domain/odds.ts';

const ODDS: ExchangePrices = { convention: 'odds', secondSide: 'finer' };

describe('the name of an order on the exchange', () => {
  it.each<[PriceKind, ExchangePrices, string | null]>([
    ['odds-for', ODDS, null],
    ['odds-against', ODDS, 'against'],
    ['lay-for', ODDS, 'lay'],
    ['lay-against', ODDS, 'lay against'],
    ['odds-for', LAY_PRICES, null],
    ['lay-for', LAY_PRICES, null],
    // An order of before the convention became known.
    ['odds-against', LAY_PRICES, 'against'],
  ])('of %s at %o: %s', (kind, prices, name) => {
    expect(nameOnExchange(kind, prices)).toBe(name);
  });
});
