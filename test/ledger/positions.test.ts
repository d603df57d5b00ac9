import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Fill } from '../../src/domain/live-order.ts';
import { LAST_TICK, priceOf } from '../../src/domain/odds.ts';
import { LOSS, WIN } from '../../src/domain/payoff.ts';
import { DIRECTIONS } from '../../src/domain/selection.ts';
import { outcomesOf } from '../../src/ledger/positions.ts';
import { profitMicros } from '../../src/simulator/core/payoff-grids.ts';

it('values a bet at the exchange’s payoff, to the micro', () => {
  const bet = fc.record({
    direction: fc.constantFrom(...DIRECTIONS),
    price: fc.integer({ min: 0, max: LAST_TICK }).map(priceOf),
    stakeMicros: fc.integer({ min: 1, max: 1_000_000_000 }),
  });
  fc.assert(
    fc.property(bet, (fill) => {
      const { direction, stakeMicros, price } = fill;
      expect(outcomesOf(fill as Fill)).toEqual({
        ifWinMicros: profitMicros(direction, stakeMicros, price, WIN),
        ifLoseMicros: profitMicros(direction, stakeMicros, price, LOSS),
      });
    }),
    { numRuns: 2_000 },
  );
});
