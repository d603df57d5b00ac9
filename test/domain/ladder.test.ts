import { describe, expect, it } from 'vitest';
import {
  ceilTick,
  floorTick,
  HUNDREDTHS,
  LADDER,
  LAST_TICK,
  priceOf,
  tickOf,
} from '../../src/domain/ladder.ts';
import { InvariantError } from '../../src/lib/assert.ts';

/** The published schedule: below each price, the step in hundredths. */
const STEPS = [
  [2, 1],
  [3, 2],
  [4, 5],
  [6, 10],
  [10, 20],
  [20, 50],
  [30, 100],
  [50, 200],
  [100, 500],
  [1000, 1000],
] as const;

describe('the ladder', () => {
  it('goes from 1.01 to 1000 by the published steps', () => {
    expect([LADDER[0], LADDER.at(-1), LADDER.length, LAST_TICK]).toEqual([1.01, 1000, 350, 349]);
    for (const [tick, price] of HUNDREDTHS.slice(0, -1).entries()) {
      const step = STEPS.find(([below]) => price < 100 * below)?.[1];
      expect([price, (HUNDREDTHS[tick + 1] as number) - price]).toEqual([price, step]);
      expect(LADDER[tick]).toBe(price / 100);
    }
  });

  it('has a tick for each of its prices, and for no other', () => {
    for (const [tick, price] of LADDER.entries())
      expect([priceOf(tick), tickOf(price)]).toEqual([price, tick]);
    for (const price of [1, 1.005, 2.01, 2.015, 3.02, 999, 1000.01, NaN, Infinity, -2])
      expect(tickOf(price)).toBeNull();
    for (const tick of [-1, 0.5, LAST_TICK + 1, NaN]) expect(() => priceOf(tick)).toThrow(InvariantError);
  });

  it('ends where no tick honours a price', () => {
    expect([1.0099, 1.01, 1.0101].map(floorTick)).toEqual([null, 0, 0]);
    expect([999.9, 1000, 1001].map(floorTick)).toEqual([LAST_TICK - 1, LAST_TICK, LAST_TICK]);
    expect([1000.01, 1000, 991].map(ceilTick)).toEqual([null, LAST_TICK, LAST_TICK]);
    expect([0, 1.01, 1.0101].map(ceilTick)).toEqual([0, 0, 1]);
    for (const price of [NaN, Infinity, -Infinity])
      expect([floorTick(price), ceilTick(price)]).toEqual([null, null]);
  });
});
