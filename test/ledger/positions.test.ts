import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LAST_TICK, priceOf } from '../../src/domain/ladder.ts';
import { PRICE_KINDS, profitMicros } from '../../src/domain/odds.ts';
import { LOSS, WIN } from '../../src/domain/payoff.ts';
import { outcomesOf } from '../../src/ledger/positions.ts';

it('values a bet at the exchange’s payoff, to the micro', () => {
  const bet = fc.record({
    priceKind: fc.constantFrom(...PRICE_KINDS),
    price: fc.integer({ min: 0, max: LAST_TICK }).map(priceOf),
    stakeMicros: fc.integer({ min: 1, max: 1_000_000_000 }),
  });
  fc.assert(
    fc.property(bet, (fill) => {
      const { priceKind, stakeMicros, price } = fill;
      expect(outcomesOf(fill)).toEqual({
        ifWinMicros: profitMicros(priceKind, stakeMicros, price, WIN),
        ifLoseMicros: profitMicros(priceKind, stakeMicros, price, LOSS),
      });
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  // 10 at 3.00: odds win 20 or lose 10, a lay wins 10 or loses 20.
  ['odds-for', { ifWinMicros: 20e6, ifLoseMicros: -10e6 }],
  ['odds-against', { ifWinMicros: -10e6, ifLoseMicros: 20e6 }],
  ['lay-for', { ifWinMicros: -20e6, ifLoseMicros: 10e6 }],
  ['lay-against', { ifWinMicros: 10e6, ifLoseMicros: -20e6 }],
] as const)('values a bet of kind %s by whether its selection wins', (priceKind, outcomes) => {
  expect(outcomesOf({ priceKind, stakeMicros: 10e6, price: 3 })).toEqual(outcomes);
});
