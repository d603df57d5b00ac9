import { describe, expect, it } from 'vitest';
import { logit, priceOfLogOdds } from '../../../src/domain/odds.ts';
import { LOSS, PUSH, settlementGrid, WIN } from '../../../src/domain/payoff.ts';
import { informedHalfSpread } from '../../../src/strategy/pricing/binary-claim.ts';
import { fitScores } from '../../../src/strategy/pricing/fit.ts';
import { glftDistances, glftValue } from '../../../src/strategy/pricing/glft.ts';
import { indifferencePrice } from '../../../src/strategy/pricing/indifference.ts';
import { fitIntensity } from '../../../src/strategy/pricing/intensity.ts';
import { additive, shin } from '../../../src/strategy/pricing/overround.ts';
import { shareRequotes } from '../../../src/strategy/pricing/requote.ts';
import {
  expectedShares,
  fairPrice,
  handicapGrid,
  type ScoreGrid,
  scoreGrid,
  type ScoreRates,
  tiltedGrid,
  totalGrid,
} from '../../../src/strategy/pricing/score-grid.ts';

const HOME = settlementGrid((home, away) => (home > away ? WIN : LOSS));
const DRAW = settlementGrid((home, away) => (home === away ? WIN : LOSS));
const AWAY = settlementGrid((home, away) => (home < away ? WIN : LOSS));
const OVER = settlementGrid((home, away) => (home + away > 2.5 ? WIN : LOSS));

const grid = (home: number, away: number, rho = 0): ScoreGrid => scoreGrid({ home, away, rho }) as ScoreGrid;

/** The published figures have this many digits; a result must print as they do. */
const digits = (values: readonly number[], count: number): string[] =>
  values.map((value) => value.toFixed(count));

describe('figures to check against', () => {
  it('Shin', () => {
    const three = shin([2.6, 2.4, 4.3]);
    expect(digits(three.probabilities, 8)).toEqual(['0.37299406', '0.40477941', '0.22222653']);
    expect(three.z.toFixed(8)).toBe('0.01694251');
    const two = shin([1.5, 2.74]);
    // Between two outcomes Shin's model is the additive one: the exact value is .65085158151. The published
    // .6508515816 is one too high in its last digit.
    expect(two.probabilities[0]).toBeCloseTo(additive([1.5, 2.74])[0] as number, 13);
    expect(Math.abs((two.probabilities[0] as number) - 0.6508515816)).toBeLessThan(1e-10);
    expect(two.z.toFixed(10)).toBe('0.0317272854');
  });

  it('Dixon and Coles', () => {
    const scores = grid(2.117914, 1.025718, -0.1335741);
    const outcomes = [HOME, DRAW, AWAY].map((of) => expectedShares(scores, of).won);
    expect(digits(outcomes, 7)).toEqual(['0.6114897', '0.2268230', '0.1616873']);
  });

  it('the joint fit', () => {
    const targets = [
      [HOME, 0.5],
      [DRAW, 0.25],
      [AWAY, 0.25],
      [OVER, 0.55],
    ] as const;
    const fit = fitScores(targets.map(([settlement, p]) => ({ settlement, price: 1 / p, weight: 1 })));
    const { home, away, rho } = fit!.rates as ScoreRates;
    expect(digits([home, away, rho], 6)).toEqual(['1.724071', '1.158529', '-0.054839']);
    expect(fit?.misfit).toBeLessThan(1e-9);
  });

  it('quarter lines', () => {
    const scores = grid(1.5, 1.2);
    const lines = [handicapGrid('home', -1), totalGrid('over', 9), totalGrid('over', 11)];
    expect(
      digits(
        lines.map((line) => fairPrice(scores, line)),
        6,
      ),
    ).toEqual(['1.976581', '1.732939', '2.246081']);
  });

  it('Guéant, Lehalle and Fernandez-Tapia', () => {
    const model = { volatility: 0.3, arrivals: 0.9, decay: 0.3, aversion: 0.01, bound: 30 };
    const { bid, ask } = glftDistances(model, glftValue(model, 600), 0);
    expect(bid?.toFixed(6)).toBe('3.313045');
    expect(ask?.toFixed(6)).toBe('3.313045');
  });

  it('the rate of fills by distance', () => {
    const counts = [
      [0.25, 960],
      [0.5, 665],
      [1, 310],
      [1.5, 150],
    ] as const;
    const found = fitIntensity(counts.map(([distance, fills]) => ({ distance, fills, time: 10 })));
    expect(found.arrivals.toFixed(3)).toBe('139.646');
    expect(found.decay.toFixed(5)).toBe('1.49383');
  });

  it('utility on the score grid', () => {
    const scores = grid(1.5, 1.2);
    const book = HOME.won.map((won, at) => 100 * (HOME.lost[at] as number) - 130 * won);
    const tilted = tiltedGrid(scores, book, 0.001);
    const home = [scores, tilted].map((of) => expectedShares(of, HOME).won);
    expect(digits(home, 6)).toEqual(['0.441465', '0.498696']);
    expect(
      digits(
        [scores, tilted].map((of) => fairPrice(of, HOME)),
        4,
      ),
    ).toEqual(['2.2652', '2.0052']);
    expect(
      digits(
        [scores, tilted].map((of) => fairPrice(of, OVER)),
        4,
      ),
    ).toEqual(['1.9748', '1.9380']);
    const next = (['against', 'for'] as const).map((side) =>
      indifferencePrice(side, tilted, HOME, 100, 0.001),
    );
    expect(digits(next as number[], 6)).toEqual(['1.913573', '2.117376']);
  });

  it('Glosten and Milgrom', () => {
    const half = informedHalfSpread(0.2);
    expect(half).toBeCloseTo(Math.log(1.2 / 0.8), 14);
    const quotes = [half, -half].map((distance) => 1 / priceOfLogOdds(logit(0.5) + distance));
    expect(digits(quotes, 2)).toEqual(['0.60', '0.40']);
  });

  it('requotes within a budget', () => {
    const markets = [
      { volatility: 1, curvature: 1 },
      { volatility: 2, curvature: 1 },
      { volatility: 0.5, curvature: 4 },
    ];
    const shares = shareRequotes(markets, 3);
    expect(
      digits(
        shares.map(({ rate }) => rate),
        2,
      ),
    ).toEqual(['0.75', '1.50', '0.75']);
    expect(
      digits(
        shares.map(({ halfWidth }) => halfWidth),
        5,
      ),
    ).toEqual(['1.15470', '1.63299', '0.57735']);
  });

  it('whole lines return the stake', () => {
    expect(totalGrid('over', 8)).toEqual(
      settlementGrid((home, away) => (home + away === 2 ? PUSH : home + away > 2 ? WIN : LOSS)),
    );
    expect(handicapGrid('away', 0)).toEqual(
      settlementGrid((home, away) => (home === away ? PUSH : away > home ? WIN : LOSS)),
    );
  });
});
