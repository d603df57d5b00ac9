import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ExchangePrices, LAY_PRICES } from '../../src/domain/exchange-prices.ts';
import { LADDER } from '../../src/domain/ladder.ts';
import type { PriceKind } from '../../src/domain/odds.ts';
import { shownStake, shownTerms } from '../../src/read-model/bet-terms.ts';

const ODDS: ExchangePrices = { convention: 'odds', secondSide: 'finer' };

describe('a bet as people see it', () => {
  it.each<[PriceKind, number, object]>([
    ['odds-for', 2.5, { price: 2.5, stake: 10 }],
    // 10 at 1.8 wins 8 or loses 10: 8 against at 2.25.
    ['odds-against', 1.8, { price: 2.25, stake: 8, exchange: { label: 'against', price: 1.8, stake: 10 } }],
    ['lay-for', 2.34, { price: 2.34, stake: 10, exchange: { label: 'lay', price: 2.34, stake: 10 } }],
    // A lay of "it does not win": 10 at 1.8 wins 10 or loses 8, as 8 for at 2.25.
    [
      'lay-against',
      1.8,
      { price: 2.25, stake: 8, exchange: { label: 'lay against', price: 1.8, stake: 10 } },
    ],
  ])('%s at %s', (priceKind, price, expected) => {
    expect(shownTerms({ priceKind, price, stakeMicros: 10e6 }, ODDS)).toEqual(expected);
  });

  it('has no other words where every price is that of the selection', () => {
    for (const priceKind of ['odds-for', 'lay-for'] as const)
      expect(Object.keys(shownTerms({ priceKind, price: 2.5, stakeMicros: 1 }, LAY_PRICES))).toEqual([
        'price',
        'stake',
      ]);
  });

  it('keeps its contracts, and parts of it add up', () => {
    const price = fc.constantFrom(...LADDER);
    const kind = fc.constantFrom<PriceKind>('odds-for', 'odds-against', 'lay-for', 'lay-against');
    const micros = fc.integer({ min: 0, max: 1e9 });
    fc.assert(
      fc.property(kind, price, micros, micros, (priceKind, at, filled, open) => {
        const bet = { priceKind, price: at, stakeMicros: filled + open };
        const shown = shownTerms(bet, ODDS);
        const tolerance = 1e-6 * Math.max(at, shown.price);
        expect(Math.abs(shown.stake * shown.price - ((filled + open) / 1e6) * at)).toBeLessThan(tolerance);
        expect(Math.abs(shownStake(bet, filled) + shownStake(bet, open) - shown.stake)).toBeLessThan(2e-6);
      }),
    );
  });
});
