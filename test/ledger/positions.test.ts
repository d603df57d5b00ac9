import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Fill } from '../../src/domain/live-order.ts';
import { LAST_TICK, priceOf, profitMicros, SELECTION_KINDS } from '../../src/domain/odds.ts';
import { LOSS, WIN } from '../../src/domain/payoff.ts';
import { DIRECTIONS } from '../../src/domain/selection.ts';
import { outcomesOf } from '../../src/ledger/positions.ts';

it('values a bet at the exchange’s payoff, to the micro', () => {
  const bet = fc.record({
    direction: fc.constantFrom(...DIRECTIONS),
    price: fc.integer({ min: 0, max: LAST_TICK }).map(priceOf),
    stakeMicros: fc.integer({ min: 1, max: 1_000_000_000 }),
  });
  fc.assert(
    fc.property(bet, (fill) => {
      const { direction, stakeMicros, price } = fill;
      expect(outcomesOf({ ...fill, priceKind: SELECTION_KINDS[direction] } as Fill)).toEqual({
        ifWinMicros: profitMicros(SELECTION_KINDS[direction], stakeMicros, price, WIN),
        ifLoseMicros: profitMicros(SELECTION_KINDS[direction], stakeMicros, price, LOSS),
      });
    }),
    { numRuns: 2_000 },
  );
});
