import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { solveSet } from '../../src/fair/exclusive-set.ts';
import { logistic, type SetBook } from '../../src/fair/moved-books.ts';

const logit = (p: number): number => Math.log(p / (1 - p));
const bookOf = (p: number, width: number, isValid = true): SetBook => ({ mid: logit(p), width, isValid });
const sumOf = (logOdds: readonly number[]): number => logOdds.reduce((sum, each) => sum + logistic(each), 0);

const logOddsOf = (price: number): number => 0 - Math.log(price - 1);

/** Prices that are exact complements, as 1.1 and 11: one in a book without a width is the touch of the other one. */
const COMPLEMENTS = [
  [1.1, 11],
  [1.2, 6],
  [1.25, 5],
  [1.5, 3],
  [1.05, 21],
  [1.02, 51],
  [1.6, 2.66],
  [3, 1.5],
  [11, 1.1],
] as const;

describe('a book that would move by half its width', () => {
  it.each(
    COMPLEMENTS.flatMap(([price, other]) => [1.02, 1.05, 1.1, 1.3].map((by) => [price, other, by] as const)),
  )(
    'has a fair value at its touch, whatever the last digit says: %d locked, the other from %d, %d times as far',
    (price, other, by) => {
      const locked = { mid: logOddsOf(price), width: 0, isValid: true };
      // The touch of the other book that does not move is where the locked one says.
      for (const sign of [1, -1]) {
        const touch = 0 - logOddsOf(price);
        const far = touch - sign * Math.log(by);
        const wide = { mid: (touch + far) / 2, width: sign * (touch - far), isValid: true };
        const solved = solveSet([locked, wide], 1);
        expect([other, solved === null]).toEqual([other, false]);
        expect(solved?.[1]).toBeCloseTo(touch, 12);
        const further = { ...wide, mid: wide.mid - sign * 1e-6 };
        expect(solveSet([locked, further], 1)).toBeNull();
      }
    },
  );
});

describe('a set that excludes all others', () => {
  it('leaves books that add up', () => {
    const books = [bookOf(0.5, 0.1), bookOf(0.3, 0.1), bookOf(0.2, 0.1)];
    expect(solveSet(books, 1)).toEqual(books.map(({ mid }) => mid));
  });

  it('moves two books of one winner by the squares of their widths', () => {
    // They miss each other by 0.05 in log-odds; the squares are as 1 to 4.
    const books = [
      { mid: 0.4, width: 0.1, isValid: true },
      { mid: -0.35, width: 0.2, isValid: true },
    ];
    const [home, away] = solveSet(books, 1) ?? [];
    expect(home).toBeCloseTo(0.39, 12);
    expect(away).toBeCloseTo(-0.39, 12);
  });

  it('has the hand-computed shares of three equal books', () => {
    // Each has a third, so each moves from the log-odds of 0.34 to those of a third.
    const solved = solveSet([bookOf(0.34, 0.2), bookOf(0.34, 0.2), bookOf(0.34, 0.2)], 1) ?? [];
    for (const each of solved) expect(logistic(each)).toBeCloseTo(1 / 3, 12);
  });

  it('has none if a valid book would move by more than half its width', () => {
    const miss = (width: number, isValid: boolean): readonly number[] | null =>
      solveSet([bookOf(0.5, width, isValid), { mid: 0.12, width: 0.1, isValid: false }], 1);
    // Equal widths share 0.12: each moves by 0.06, more than 0.05.
    expect(miss(0.1, true)).toBeNull();
    expect(miss(0.1, false)).not.toBeNull();
    // The wider one moves by 0.0999 of 0.24.
    expect(miss(0.24, true)).not.toBeNull();
  });

  it('has none if nobody can move', () => {
    expect(solveSet([bookOf(0.5, 0), bookOf(0.4, 0)], 1)).toBeNull();
    expect(solveSet([bookOf(0.5, 0.1), bookOf(0.4, 0.1), bookOf(0.3, 0.1)], 3)).toBeNull();
  });

  it('finds the share of an outsider whose book says nothing', () => {
    // Both favourites are certain of their prices: the wide book has what they leave.
    const books = [bookOf(0.6, 0.01), bookOf(0.3, 0.01), bookOf(0.01, 6, false)];
    const solved = solveSet(books, 1) ?? [];
    expect(sumOf(solved)).toBeCloseTo(1, 9);
    expect(logistic(solved[2] ?? NaN)).toBeCloseTo(0.1, 3);
  });

  it('takes, of several wide books that could hold the rest, the one that moves all others least', () => {
    const books = [
      { mid: -0.353, width: 0.135, isValid: true },
      { mid: -5.731, width: 5.441, isValid: false },
      { mid: -4.931, width: 3.169, isValid: false },
      { mid: -4.254, width: 2.76, isValid: false },
      { mid: -4.699, width: 3.412, isValid: false },
    ];
    // The fourth could hold the rest, too.
    const other = [-0.3424198535, -5.4205821274, -4.7208951061, 0.2362133636, -4.3482575542];
    const lambdas = (logOdds: readonly number[]): number[] =>
      books.map(({ mid, width }, at) => {
        const p = logistic(logOdds[at] ?? NaN);
        return ((logOdds[at] ?? NaN) - mid) / (width ** 2 * p * (1 - p));
      });
    const solved = solveSet(books, 1) ?? [];
    for (const each of [solved, other]) {
      expect(sumOf(each)).toBeCloseTo(1, 8);
      for (const lambda of lambdas(each)) expect(lambda).toBeCloseTo(lambdas(each)[0] ?? NaN, 6);
    }
    expect(lambdas(solved)[0]).toBeLessThan(lambdas(other)[0] ?? NaN);
    expect(solved[4]).toBeGreaterThan(0);
  });

  /** Books around shares that add up to one, each missed by a part of its width. */
  const books = fc
    .array(
      fc.record({
        weight: fc.integer({ min: 1, max: 40 }),
        width: fc.double({ min: 0.01, max: 1, noNaN: true }),
        miss: fc.double({ min: -0.4, max: 0.4, noNaN: true }),
      }),
      { minLength: 3, maxLength: 8, size: 'max' },
    )
    .map((given) => {
      const total = given.reduce((sum, { weight }) => sum + weight, 0);
      return given.map(({ weight, width, miss }): SetBook => ({
        mid: logit(weight / total) + miss * width,
        width,
        isValid: width <= 0.25,
      }));
    });

  it('adds up, moves all by one λ and no valid book too far', () => {
    let solvedRuns = 0;
    fc.assert(
      fc.property(books, (given) => {
        const solved = solveSet(given, 1);
        if (solved === null) return;
        solvedRuns++;
        expect(Math.abs(sumOf(solved) - 1)).toBeLessThan(2e-9);
        const lambdas = given.map(({ mid, width }, at) => {
          const p = logistic(solved[at] ?? NaN);
          return ((solved[at] ?? NaN) - mid) / (width * width * p * (1 - p));
        });
        for (const [at, { mid, width, isValid }] of given.entries()) {
          if (isValid) expect(Math.abs((solved[at] ?? NaN) - mid)).toBeLessThanOrEqual(width / 2 + 1e-9);
          expect(lambdas[at]).toBeCloseTo(lambdas[0] ?? NaN, 6);
        }
      }),
      { numRuns: 100 },
    );
    expect(solvedRuns).toBeGreaterThan(20);
  });

  it('does not depend on the order of the books', () => {
    fc.assert(
      fc.property(books, (given) => {
        const [there, back] = [solveSet(given, 1), solveSet(given.toReversed(), 1)?.toReversed() ?? null];
        expect(there === null).toBe(back === null);
        for (const [at, each] of (there ?? []).entries()) expect(back?.[at]).toBeCloseTo(each, 6);
      }),
      { numRuns: 50 },
    );
  });
});
