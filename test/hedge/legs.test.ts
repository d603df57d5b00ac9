import { describe, expect, it } from 'vitest';
import { tickOf } from '../../src/domain/ladder.ts';
import { LOSS, PUSH, WIN } from '../../src/domain/payoff.ts';
import { type HedgeLeg, inWholeCents, leastStake, payMicros, withBet } from '../../src/hedge/legs.ts';
import { CENT, scoreLeg, scores } from './support/books.ts';

const at = (price: number): number => tickOf(price) as number;
const leg = (min: number): HedgeLeg =>
  scoreLeg({ id: 'h', kind: 'odds-for', tick: at(2.5), available: 500, min }, [WIN, LOSS, PUSH]);

describe('the stakes of a leg', () => {
  it.each([
    [0, 1],
    [1, 1],
    [90, 90],
    [90.01, 91],
    [90.5, 91],
  ])('with a minimum of %d cents are %d cents at least, in whole cents', (min, least) => {
    expect(leastStake(leg(min))).toBe(least * CENT);
  });

  it.each([
    [0, 0],
    [CENT - 1, 0],
    [CENT, CENT],
    [3 * CENT - 1, 2 * CENT],
  ])('of %d micros are %d in whole cents: never more', (micros, whole) => {
    expect(inWholeCents(micros)).toBe(whole);
  });
});

describe('what a leg pays', () => {
  it('is rounded to our disadvantage, gains and losses alike', () => {
    const third = { ...leg(1), perUnit: Float64Array.of(1 / 3, -1 / 3, 0) };
    expect([0, 1, 2].map((place) => payMicros(third, 100, place))).toEqual([33, -34, 0]);
  });

  it('counts whole, or in its losses alone', () => {
    const planned = { leg: leg(1), stakeMicros: 10 * CENT };
    const book = scores([5, 5, 5]);
    expect([...withBet(book, planned, 'all').micros]).toEqual([20 * CENT, -5 * CENT, 5 * CENT]);
    expect([...withBet(book, planned, 'losses').micros]).toEqual([5 * CENT, -5 * CENT, 5 * CENT]);
  });
});
