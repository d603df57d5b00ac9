import fc from 'fast-check';
import { expect, it } from 'vitest';
import { priceOf } from '../../src/domain/ladder.ts';
import {
  complement,
  convertedTick,
  type PriceKind,
  SELECTION_KINDS,
  selectionPrice,
} from '../../src/domain/odds.ts';
import type { CheckContext } from '../../src/risk/checks/context.ts';
import { priceCollar } from '../../src/risk/checks/prices.ts';
import { divergenceOf } from '../../src/risk/guards/divergence.ts';
import { limitsWith } from './support/harness.ts';

const limits = limitsWith({ collar: { adverseProbability: 0.05, adverseLogOdds: 0.3, awayLogOdds: 0.4 } });

/** The refusals of the collar for a bet, with a fair probability of 40 %: 2.5 for, and 1.6667 against. */
const refused = (priceKind: PriceKind, price: number): readonly (string | undefined)[] =>
  priceCollar(limits).map((check) => {
    const reference = { forBest: null, againstBest: null, fair: 0.4, ageMs: 0 };
    const direction = priceKind === 'odds-for' || priceKind === 'lay-against' ? 'for' : 'against';
    return check({ bet: { priceKind, direction, price }, reference } as CheckContext)?.code;
  });

const [FINE, TOO_FAR] = [
  [undefined, undefined, undefined],
  [undefined, undefined, 'collar_away'],
];

it('judges a price by the price of the selection for which it stands', () => {
  expect(refused('odds-against', 1.7)).toEqual(FINE);
  // Half a per cent of probability nearer than 5 % on the bad side, and beyond it.
  expect(refused('odds-against', 1.55)).toEqual(FINE);
  expect(refused('odds-against', 1.53)).toEqual(['collar_adverse', undefined, undefined]);
  expect(refused('odds-against', 1.4)).toEqual(['collar_adverse', 'collar_adverse', undefined]);
  // The good side: 0.4 log-odds are 1.9945.
  expect(refused('odds-against', 1.99)).toEqual(FINE);
  expect(refused('odds-against', 2.02)).toEqual(TOO_FAR);
  expect(refused('lay-against', 1.99)).toEqual(['collar_adverse', 'collar_adverse', undefined]);
  expect(refused('lay-for', 2.02)).toEqual(FINE);
  expect(refused('lay-for', 2.9)).toEqual(['collar_adverse', undefined, undefined]);
});

it('refuses the same bet in either convention, where both ladders have its price', () => {
  const tick = fc.integer({ min: 0, max: 340 }).filter((each) => {
    const own = convertedTick('lay-for', each, 'odds-against');
    return own !== null && selectionPrice('odds-against', priceOf(own)) === priceOf(each);
  });
  fc.assert(
    fc.property(tick, (each) => {
      const own = convertedTick('lay-for', each, 'odds-against') as number;
      expect(refused('odds-against', priceOf(own))).toEqual(refused(SELECTION_KINDS.against, priceOf(each)));
    }),
  );
});

it('sees no divergence in prices that differ by the rounding of odds alone', () => {
  const between = (offer: number, quote: number) =>
    divergenceOf({ for: null, against: offer }, { for: null, against: quote });
  // A resting order at 28 is shown as 1.03 to takers of odds, and as 28 to takers of a lay betslip.
  expect(between(complement(1.03), 28)).toBe(0);
  expect(between(28, complement(1.03))).toBe(0);
  expect(between(complement(1.03), 26)).toBeCloseTo(0, 12);
  // 25 would be shown as 1.04.
  expect(between(complement(1.03), 25)).toBeCloseTo(Math.log(25 / 24), 9);
  expect(between(complement(1.03), 36)).toBeCloseTo(Math.log(35 / (complement(1.03) - 1)), 9);
  expect(between(2, 2.2)).toBeCloseTo(Math.log(1.2), 12);
  expect(divergenceOf({ for: 2, against: null }, { for: 2.2, against: 3 })).toBeCloseTo(Math.log(1.2), 12);
});
