import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tickOf } from '../../src/domain/ladder.ts';
import { LOSS, WIN } from '../../src/domain/payoff.ts';
import { type OutcomeBook, worstMicros } from '../../src/hedge/book.ts';
import { bound } from '../../src/hedge/bound.ts';
import { type HedgeLeg, leastStake, type PlannedLeg, withBets } from '../../src/hedge/legs.ts';
import { leastOverFills, refusalOf } from '../../src/hedge/never-worse.ts';
import { CENT, fillsOf, scoreLeg, scores, smallCases } from './support/books.ts';

const at = (price: number): number => tickOf(price) as number;

/** Every stake of a leg, in cents. */
const stakesOf = (leg: HedgeLeg): PlannedLeg[] => {
  const all: PlannedLeg[] = [];
  for (let micros = leastStake(leg); micros <= leg.availableMicros; micros += CENT)
    all.push({ leg, stakeMicros: micros });
  return all;
};

const filledWorst = (book: OutcomeBook, legs: readonly PlannedLeg[]): number =>
  worstMicros(withBets(book, legs, 'all'));

const costOf = (legs: readonly PlannedLeg[]): number =>
  legs.reduce((sum, { leg, stakeMicros }) => sum + stakeMicros * (leg.lossPerUnit ?? 0), 0);

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
      fc.property(smallCases({ cells: 6, legs: 6, available: 80 }), ({ book, legs, boundMicros }) => {
        const plan = bound(book, legs, boundMicros);
        const before = worstMicros(book);
        for (const fills of fillsOf(plan?.legs ?? []))
          expect(filledWorst(book, fills)).toBeGreaterThanOrEqual(before);
        expect(plan?.legs.length ?? 0).toBeLessThanOrEqual(3);
        if (plan !== null) expect(plan.worstMicros).toBe(filledWorst(book, plan.legs));
      }),
      { numRuns: 300 },
    );
  });

  it('finds the cheapest single leg that an exhaustive search finds, and never a worse result', () => {
    fc.assert(
      fc.property(smallCases({ cells: 5, legs: 5, available: 40 }), ({ book, legs, boundMicros }) => {
        fc.pre(worstMicros(book) < -boundMicros);
        const single = legs
          .flatMap(stakesOf)
          .map((planned) => [planned])
          .filter((each) => leastOverFills(book, each) >= worstMicros(book));
        const best = Math.max(worstMicros(book), ...single.map((each) => filledWorst(book, each)));
        const reaching = single.filter((each) => filledWorst(book, each) >= -boundMicros);
        const plan = bound(book, legs, boundMicros);

        expect(plan?.worstMicros ?? worstMicros(book)).toBeGreaterThanOrEqual(Math.min(best, -boundMicros));
        if (reaching.length === 0) return;
        expect(plan?.legs).toHaveLength(1);
        expect(costOf(plan?.legs ?? [])).toBeLessThanOrEqual(Math.min(...reaching.map(costOf)) + 1e-6);
      }),
      { numRuns: 300 },
    );
  });

  it('reaches a bound that an exhaustive search reaches with two legs', () => {
    let [reachable, reached] = [0, 0];
    fc.assert(
      fc.property(
        smallCases({ cells: 4, legs: 4, available: 14, deepest: -12 }),
        ({ book, legs, boundMicros }) => {
          const before = worstMicros(book);
          const isPlan = (each: readonly PlannedLeg[]): boolean =>
            leastOverFills(book, each) >= before && filledWorst(book, each) >= -boundMicros;
          const pairs = legs.flatMap((leg, index) =>
            legs
              .slice(index + 1)
              .flatMap((other) => stakesOf(leg).flatMap((a) => stakesOf(other).map((b) => [a, b]))),
          );
          if (before >= -boundMicros || !pairs.some(isPlan)) return;
          reachable++;
          if ((bound(book, legs, boundMicros)?.worstMicros ?? before) >= -boundMicros) reached++;
        },
      ),
      { numRuns: 2_000 },
    );
    expect(reachable).toBeGreaterThan(20);
    expect(reached).toBe(reachable);
  });
});
