import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BetType } from '../../src/domain/ids.ts';
import { isTerminal, ORDER_STATES } from '../../src/domain/lifecycle.ts';
import { LADDER, tickOf } from '../../src/domain/ladder.ts';
import {
  directionOfKind,
  kindsOf,
  liabilityMicros,
  PRICE_CONVENTIONS,
  profitOf,
  selectionPrice,
  selectionStakeMicros,
} from '../../src/domain/odds.ts';
import { HALF_LOSS, HALF_WIN, LOSS, PUSH, WIN } from '../../src/domain/payoff.ts';
import { directionOf } from '../../src/domain/selection.ts';
import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import { isOnLadder, priceAt, PRICES } from './ladder.ts';
import {
  isOver,
  kindOf,
  liability,
  offeredKind,
  ofSelection,
  profit,
  sideOf,
  sideOfKind,
  stakeOfSelection,
} from './order-terms.ts';
import { OwnPrices } from './own-prices.ts';

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

const KINDS = ['odds-for', 'odds-against', 'lay-for', 'lay-against'] as const;

it('takes the same sides, and names the prices of the same bets', () => {
  for (const kind of KINDS) expect(sideOfKind(kind)).toBe(directionOfKind(kind));
  for (const convention of PRICE_CONVENTIONS)
    for (const side of ['for', 'against'] as const)
      expect(offeredKind(side, convention)).toBe(kindsOf(convention)[side]);
  expect([kindOf({ betType: 'against,h' }), kindOf({ betType: 'for,h', priceKind: 'lay-for' })]).toEqual([
    'lay-for',
    'lay-for',
  ]);
  expect(kindOf({ betType: 'parlay' })).toBeNull();
});

it('converts and risks the same', () => {
  const micros = fc.integer({ min: 0, max: 1e9 });
  fc.assert(
    fc.property(fc.constantFrom(...KINDS), fc.constantFrom(...PRICES), micros, (kind, price, stake) => {
      expect(ofSelection(kind, price)).toBeCloseTo(selectionPrice(kind, price), 9);
      expect(
        Math.abs(stakeOfSelection(kind, price, stake) - selectionStakeMicros(kind, price, stake)),
      ).toBeLessThan(0.51);
      expect(Math.abs(liability(kind, stake, price) - liabilityMicros(kind, stake, price))).toBeLessThan(
        1.01,
      );
    }),
  );
});

it('pays the same', () => {
  const settlement = fc.constantFrom(WIN, LOSS, PUSH, HALF_WIN, HALF_LOSS);
  const stake = fc.integer({ min: 0, max: 1e12 });
  const terms = fc.tuple(fc.constantFrom(...KINDS), stake, fc.constantFrom(...PRICES), settlement);
  fc.assert(
    fc.property(terms, (bet) => {
      expect(profit(...bet)).toBeCloseTo(profitOf(...bet), 3);
    }),
  );
});

it('knows at which price takers may see an order of ours, whatever both prices are', () => {
  const own = new OwnPrices(() => 0);
  const order = { orderId: 1, sport: 'fb', eventId: 'e', betType: 'against,h', closed: false };
  own.see([{ ...order, priceKind: 'odds-against', price: 1.85 } as unknown as InspectedOrder]);
  const market = (betType: string) => ({ sport: 'fb', eventId: 'e', betType });
  // 1.85 against is 2.176 of the selection.
  expect(own.mayBe(market('for,h'), 2.16, 'odds-for')).toBe(true);
  expect(own.mayBe(market('for,h'), 2.18, 'odds-for')).toBe(false);
  expect(own.mayBe(market('for,h'), 1.85, 'lay-against')).toBe(true);
  expect(own.mayBe(market('against,h'), 2.18, 'lay-for')).toBe(false);
  own.see([{ ...order, orderId: 2, betType: 'for,h', price: 2.2 } as unknown as InspectedOrder]);
  expect(own.mayBe(market('against,h'), 2.2, 'lay-for')).toBe(true);
  expect(own.mayBe(market('against,h'), 1.83, 'odds-against')).toBe(true);
});
