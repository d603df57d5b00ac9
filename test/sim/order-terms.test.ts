import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BetType } from '../../src/domain/ids.ts';
import { isTerminal, ORDER_STATES } from '../../src/domain/lifecycle.ts';
import { LADDER, profitOf, SELECTION_KINDS, tickOf } from '../../src/domain/odds.ts';
import { HALF_LOSS, HALF_WIN, LOSS, PUSH, WIN } from '../../src/domain/payoff.ts';
import { directionOf } from '../../src/domain/selection.ts';
import { isOnLadder, priceAt, PRICES } from './ladder.ts';
import { isOver, profit, sideOf } from './order-terms.ts';

it('has the ladder of the daemon', () => {
  expect(PRICES).toEqual(LADDER);
  expect(PRICES).toHaveLength(350);
  expect(priceAt(350)).toBeNaN();
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(...PRICES), fc.double()), (price) => {
      expect(isOnLadder(price)).toBe(tickOf(price) !== null);
    }),
  );
});

it('holds the same orders for over', () => {
  for (const state of ORDER_STATES) expect(isOver(state)).toBe(isTerminal(state));
});

it('reads the same side of a bet type', () => {
  for (const betType of ['for,h', 'against,ah,h,-2', 'forever,h', 'h', ''])
    expect(sideOf(betType)).toBe(directionOf(betType as BetType));
});

it('pays the same', () => {
  const settlement = fc.constantFrom(WIN, LOSS, PUSH, HALF_WIN, HALF_LOSS);
  const stake = fc.integer({ min: 0, max: 1e12 });
  const terms = fc.tuple(fc.constantFrom('for', 'against'), stake, fc.constantFrom(...PRICES), settlement);
  fc.assert(
    fc.property(terms, (bet) => {
      const [direction, ...rest] = bet;
      expect(profit(...bet)).toBeCloseTo(profitOf(SELECTION_KINDS[direction], ...rest), 3);
    }),
  );
});
