import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { priceOfLogOdds } from '../../../../src/domain/odds.ts';
import { GRID_SIZE } from '../../../../src/domain/payoff.ts';
import { PayoffTable, scoreGrid, type ScoreGrid } from '../../../../src/simulator/feeds/model/score-grid.ts';
import { scoreGrid as strategyGrid } from '../../../../src/strategy/pricing/score-grid.ts';

const payoffs = new PayoffTable();
const fairPrice = (outcome: string, grid: ScoreGrid): number =>
  priceOfLogOdds(payoffs.fairLogOdds(outcome, grid));
const sum = (grid: Iterable<number>): number => [...grid].reduce((total, p) => total + p, 0);
const rates = fc.record({
  home: fc.double({ min: 0, max: 4, noNaN: true }),
  away: fc.double({ min: 0, max: 4, noNaN: true }),
  rho: fc.double({ min: -0.05, max: 0.05, noNaN: true }),
});
const scored = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }));

describe('the score grid', () => {
  it('gives the published match odds', () => {
    const grid = scoreGrid({ home: 2.117914, away: 1.025718, rho: -0.1335741 }, [0, 0]);
    expect(1 / fairPrice('h', grid)).toBeCloseTo(0.6114897, 6);
    expect(1 / fairPrice('d', grid)).toBeCloseTo(0.226823, 6);
    expect(1 / fairPrice('a', grid)).toBeCloseTo(0.1616873, 6);
  });

  it('prices quarter lines as published', () => {
    const grid = scoreGrid({ home: 1.5, away: 1.2, rho: 0 }, [0, 0]);
    expect(fairPrice('ah,h,-1', grid)).toBeCloseTo(1.976581, 6);
    expect(fairPrice('ahover,9', grid)).toBeCloseTo(1.732939, 6);
    expect(fairPrice('ahover,11', grid)).toBeCloseTo(2.246081, 6);
  });

  it('is a distribution over the scores that can still be reached', () => {
    fc.assert(
      fc.property(rates, scored, (goals, [home, away]) => {
        const grid = scoreGrid(goals, [home, away]);
        expect(sum(grid)).toBeCloseTo(1, 12);
        grid.forEach((probability, at) => {
          const reachable = Math.floor(at / GRID_SIZE) >= home && at % GRID_SIZE >= away;
          expect(probability).toBeGreaterThanOrEqual(0);
          if (!reachable) expect(probability).toBe(0);
        });
      }),
    );
  });

  it('agrees with the grid that strategies price by, which was written independently', () => {
    fc.assert(
      fc.property(rates, (goals) => {
        const theirs = strategyGrid(goals);
        const ours = scoreGrid(goals, [0, 0]);
        theirs?.forEach((probability, at) => expect(ours[at]).toBeCloseTo(probability, 12));
      }),
    );
  });

  it('prices complementary selections so that backing all gains nothing', () => {
    fc.assert(
      fc.property(rates, ({ home, away, rho }) => {
        const grid = scoreGrid({ home: home + 0.1, away: away + 0.1, rho }, [0, 0]);
        const total = ['h', 'd', 'a'].map((outcome) => 1 / fairPrice(outcome, grid));
        expect(sum(total)).toBeCloseTo(1, 9);
        for (const [one, other] of [
          ['over,2.5', 'under,2.5'],
          ['ah,h,-3', 'ah,a,-3'],
          ['ahover,9', 'ahunder,9'],
        ]) {
          const [a, b] = [payoffs.fairLogOdds(one ?? '', grid), payoffs.fairLogOdds(other ?? '', grid)];
          expect(a).toBeCloseTo(-b, 9);
        }
      }),
    );
  });
});
