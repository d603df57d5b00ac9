import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tickOf } from '../../src/domain/ladder.ts';
import { LOSS, WIN } from '../../src/domain/payoff.ts';
import { bound, compareCosts } from '../../src/hedge/bound.ts';
import { refusalOf } from '../../src/hedge/never-worse.ts';
import { CENT, scoreLeg, scores, smallCases } from './support/books.ts';
import { missedSingleOf, pairOf, worseningOf } from './support/judges.ts';
import { assertUntil } from '../support/covering.ts';

const at = (price: number): number => tickOf(price) as number;

describe('the cheaper of two hedges', () => {
  const bets = (...terms: readonly (readonly [stake: number, loss: number | null])[]) =>
    terms.map(([stake, loss], index) => ({
      leg: scoreLeg({ id: `${index}`, kind: 'odds-for', tick: at(2), available: 500, loss }, [WIN]),
      stakeMicros: stake * CENT,
    }));

  it.each([
    ['loses less at fair prices', bets([100, 0.01]), bets([10, 0.2])],
    ['loses less over all its bets', bets([10, 0.1]), bets([10, 0.05], [10, 0.06])],
    ['even gains', bets([10, -0.1]), bets([10, 0])],
    ['is of known cost', bets([100, 0.2]), bets([1, null])],
    ['has fewer bets of unknown cost', bets([100, 0.2], [1, null]), bets([1, null], [1, null])],
    ['stakes less at equal cost', bets([10, 0]), bets([11, 0])],
    ['stakes less at unknown cost', bets([10, null]), bets([11, null])],
  ])('%s', (_, cheaper, dearer) => {
    expect(compareCosts(cheaper, dearer)).toBeLessThan(0);
    expect(compareCosts(dearer, cheaper)).toBeGreaterThan(0);
    expect(compareCosts(cheaper, cheaper)).toBe(0);
  });
});

describe('bounding the worst case of an event', () => {
  it('takes the cheapest single leg that reaches the bound', () => {
    const book = [scores([-100, 40, 40])];
    const [home, away] = [
      [WIN, LOSS, LOSS],
      [LOSS, WIN, WIN],
    ];
    const dear = scoreLeg({ id: 'home', kind: 'odds-for', tick: at(3), available: 500, loss: 0.05 }, home);
    const cheap = scoreLeg(
      { id: 'not away', kind: 'lay-for', tick: at(1.5), available: 500, loss: 0.01 },
      away,
    );

    const plan = bound(book, [dear, cheap], 50 * CENT);

    // Lay stake wins stake for stake in the first score, and loses half of it in the others.
    expect(plan?.legs).toEqual([{ leg: cheap, stakeMicros: 50 * CENT }]);
    expect(plan?.worstMicros).toBe(-50 * CENT);
  });

  it('takes several legs when no single one reaches the bound', () => {
    const book = [scores([-100, -100, 300])];
    const first = scoreLeg({ id: 'a', kind: 'odds-for', tick: at(2), available: 500 }, [
      WIN,
      { won: 0, lost: 0 },
      LOSS,
    ]);
    const second = scoreLeg({ id: 'b', kind: 'odds-for', tick: at(2), available: 500 }, [
      { won: 0, lost: 0 },
      WIN,
      LOSS,
    ]);

    const plan = bound(book, [first, second], 40 * CENT);

    expect(plan?.worstMicros).toBe(-40 * CENT);
    expect(plan?.legs.map(({ stakeMicros }) => stakeMicros)).toEqual([60 * CENT, 60 * CENT]);
  });

  it('has one bet on a selection: a price holds the stake of the better ones, too', () => {
    const book = [scores([-100, 40])];
    const legs = [
      [1.9, 30],
      [1.8, 60],
    ].map(([price = 0, available = 0]) =>
      scoreLeg({ id: 'a', kind: 'odds-for', tick: at(price), available, loss: 2 - price }, [WIN, LOSS]),
    );
    const plan = bound(book, legs, 0);
    expect(plan?.legs).toEqual([{ leg: legs[1], stakeMicros: 60 * CENT }]);
  });

  it('keeps to minimum stakes, and does nothing within the bound', () => {
    const book = [scores([-100, 40])];
    const large = scoreLeg({ id: 'a', kind: 'odds-for', tick: at(2), available: 500, min: 90 }, [WIN, LOSS]);

    expect(bound(book, [large], 100 * CENT)).toEqual({ legs: [], worstMicros: -100 * CENT });
    expect(bound(book, [large], 50 * CENT)?.legs).toEqual([{ leg: large, stakeMicros: 90 * CENT }]);
  });

  it('leaves out a leg that could worsen the event while others are not matched', () => {
    const book = [scores([-100, -100, 300])];
    const home = scoreLeg({ id: 'a', kind: 'odds-for', tick: at(4), available: 500 }, [WIN, LOSS, LOSS]);
    const draw = scoreLeg({ id: 'b', kind: 'odds-for', tick: at(4), available: 500 }, [LOSS, WIN, LOSS]);

    expect(bound(book, [home, draw], 40 * CENT)).toBeNull();
    expect(refusalOf(book, [{ leg: home, stakeMicros: 50 * CENT }])).toContain('falls from -1 to -1.5');
  });

  it('never worsens, whichever of its bets are matched', () => {
    fc.assert(
      fc.property(smallCases({ cells: 6, legs: 6, available: 80 }), (given) => {
        expect(worseningOf(given)).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  it('finds the cheapest single leg that an exhaustive search finds, and never a worse result', () => {
    fc.assert(
      fc.property(smallCases({ cells: 5, legs: 5, available: 40 }), (given) => {
        expect(missedSingleOf(given)).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  it('reaches a bound that an exhaustive search reaches with two legs', () => {
    let [reachable, reached] = [0, 0];
    assertUntil(
      () => reachable > 20,
      fc.property(smallCases({ cells: 4, legs: 4, available: 14, deepest: -12 }), (given) => {
        const { isReachable, isReached } = pairOf(given);
        if (isReachable) reachable++;
        if (isReached) reached++;
      }),
      { numRuns: 2_000 },
    );
    expect(reachable).toBeGreaterThan(20);
    expect(reached).toBe(reachable);
  });
});
