import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvariantError } from '../../../src/lib/assert.ts';
import {
  fairPrice,
  glftClosedForm,
  glftDistances,
  glftStep,
  glftValue,
  informedHalfSpread,
  informedShareOf,
  logit,
  LOSS,
  optimalSpread,
  placeCurvature,
  priceHeldToSettlement,
  priceOfLogOdds,
  quotesFlatByStart,
  requoteBand,
  reservationPrice,
  type ScoreGrid,
  scoreGrid,
  settlementGrid,
  shareRequotes,
  tiltedGrid,
  WIN,
} from '../../../src/strategy/sdk.ts';

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });

describe('the quotes of Avellaneda and Stoikov', () => {
  /** Section 3.3 of the paper. */
  const model = { aversion: 0.1, volatility: 2, decay: 1.5 };

  it('are those of the formulas, in the units of the price', () => {
    // r = 100 - 5 × 0.1 × 4 × 1; the spread is 0.1 × 4 × 1 + 20 ln(1 + 0.1 / 1.5).
    expect(reservationPrice(model, 100, 5, 1)).toBeCloseTo(98, 12);
    expect(reservationPrice(model, 100, -5, 0.25)).toBeCloseTo(100.5, 12);
    expect(optimalSpread(model, 1)).toBeCloseTo(1.69077, 6);
    expect(optimalSpread(model, 0)).toBeCloseTo(1.29077, 6);
  });

  it('do not depend on the unit of money', () => {
    fc.assert(
      fc.property(
        number(0.01, 2),
        number(0.1, 5),
        number(0.1, 5),
        number(0.01, 100),
        number(-20, 20),
        (a, s, k, unit, q) => {
          const there = { aversion: a, volatility: s, decay: k };
          const here = { aversion: a / unit, volatility: s * unit, decay: k / unit };
          expect(optimalSpread(here, 0.7) / unit).toBeCloseTo(optimalSpread(there, 0.7), 9);
          expect(reservationPrice(here, 100 * unit, q, 0.7) / unit).toBeCloseTo(
            reservationPrice(there, 100, q, 0.7),
            9,
          );
        },
      ),
    );
  });

  it('lie 1/k on either side of the mid for a dealer without aversion', () => {
    expect(optimalSpread({ ...model, aversion: 0 }, 1)).toBe(2 / 1.5);
    expect(optimalSpread({ ...model, aversion: 1e-9 }, 1)).toBeCloseTo(2 / 1.5, 7);
    expect(reservationPrice({ ...model, aversion: 0 }, 100, 50, 1)).toBe(100);
  });
});

describe('the closed form of Guéant, Lehalle and Fernandez-Tapia', () => {
  const published = { volatility: 0.3, arrivals: 0.9, decay: 0.3, aversion: 0.01, bound: 30 };

  it('differs from the exact quotes by 0.00013 of 3.313 when flat, and by 0.0015 up to ten fills', () => {
    // A hundred times the published horizon: longer ones change no digit.
    const value = glftValue(published, 60_000);
    const differences = Array.from({ length: 11 }, (_, held) => {
      const exact = glftDistances(published, value, held);
      const closed = glftClosedForm(published, held);
      return [closed.bid - (exact.bid as number), closed.ask - (exact.ask as number)];
    });
    expect(differences[0]?.map((difference) => difference.toFixed(5))).toEqual(['-0.00013', '-0.00013']);
    expect(Math.max(...differences.flat().map(Math.abs)).toFixed(4)).toBe('0.0015');
    // Each fill moves the quotes by 0.0679, so ten fills move them by 0.679.
    expect(glftStep(published).toFixed(4)).toBe('0.0679');
  });

  it('is no substitute near the bound, where the exact bid is far away', () => {
    const exact = glftDistances(published, glftValue(published, 60_000), 29);
    expect((exact.bid as number) - glftClosedForm(published, 29).bid).toBeGreaterThan(0.8);
  });

  it('is within a fifth of a step where its docstring says that it holds', () => {
    const shape = fc.record({
      decay: number(0.2, 40),
      kStep: number(0.01, 0.2),
      relativeAversion: number(1e-3, 0.5),
      arrivals: number(0.01, 100),
      standing: number(-2, 2),
    });
    fc.assert(
      fc.property(shape, ({ decay, kStep, relativeAversion, arrivals, standing }) => {
        const unit = { aversion: relativeAversion * decay, arrivals, decay };
        // The step is proportional to σ.
        const volatility = kStep / decay / glftStep({ ...unit, volatility: 1 });
        const deviation = kStep ** -0.5;
        const model = { ...unit, volatility, bound: Math.ceil(4 * deviation) + 1 };
        const alpha = (decay * model.aversion * volatility ** 2) / 2;
        const value = glftValue(model, 40 / (alpha * deviation ** 2));
        const held = Math.round(standing * deviation);
        const exact = glftDistances(model, value, held);
        const closed = glftClosedForm(model, held);
        expect(Math.abs(closed.bid - (exact.bid as number))).toBeLessThan(0.2 * glftStep(model));
        expect(Math.abs(closed.ask - (exact.ask as number))).toBeLessThan(0.2 * glftStep(model));
      }),
    );
  });

  it('mirrors itself, and keeps its spread whatever is held', () => {
    fc.assert(
      fc.property(fc.integer({ min: -40, max: 40 }), (held) => {
        const { bid, ask } = glftClosedForm(published, held);
        expect(glftClosedForm(published, -held).ask).toBeCloseTo(bid, 12);
        const { bid: flatBid, ask: flatAsk } = glftClosedForm(published, 0);
        expect(bid + ask).toBeCloseTo(flatBid + flatAsk, 12);
      }),
    );
  });
});

describe('a claim held to settlement', () => {
  const HOME = settlementGrid((home, away) => (home > away ? WIN : LOSS));

  it('is worth what the tilted score grid says', () => {
    const grid = scoreGrid({ home: 1.5, away: 1.2, rho: 0 }) as ScoreGrid;
    fc.assert(
      fc.property(number(-2000, 2000), (contracts) => {
        const book = HOME.won.map((won) => contracts * won);
        const tilted = fairPrice(tiltedGrid(grid, book, 0.001), HOME);
        expect(priceHeldToSettlement(fairPrice(grid, HOME), 0.001, contracts) / tilted).toBeCloseTo(1, 10);
      }),
    );
    // 100 against home at 2.30 is 230 contracts short: the price of the utility on the score grid.
    expect(priceHeldToSettlement(fairPrice(grid, HOME), 0.001, -230).toFixed(4)).toBe('2.0052');
  });
});

describe('a claim that is flat by the start', () => {
  const model = fc.record({
    aversion: number(1e-4, 0.1),
    volatility: number(0.01, 0.5),
    decay: number(5, 80),
  });

  it('is quoted as in probabilities, where its volatility is v·σ and its decay k/v', () => {
    fc.assert(
      fc.property(
        model,
        number(0.05, 0.95),
        fc.integer({ min: -20, max: 20 }),
        number(0, 10),
        (of, p, held, hours) => {
          const v = p * (1 - p);
          const inProbability = { ...of, volatility: of.volatility * v, decay: of.decay / v };
          const { reservation, spread } = quotesFlatByStart(of, p, held, hours);
          expect(spread * v).toBeCloseTo(optimalSpread(inProbability, hours), 10);
          expect((reservation - logit(p)) * v).toBeCloseTo(
            reservationPrice(inProbability, p, held, hours) - p,
            10,
          );
        },
      ),
    );
  });

  it('takes a fill of n contracts as n times the aversion', () => {
    const of = { aversion: 0.001, volatility: 0.08, decay: 40 };
    expect(quotesFlatByStart(of, 0.4, 3, 2, 50)).toEqual(
      quotesFlatByStart({ ...of, aversion: 0.05 }, 0.4, 3, 2),
    );
  });

  it('has no lean and the narrowest spread at the start', () => {
    const { reservation, spread } = quotesFlatByStart(
      { aversion: 0.01, volatility: 0.08, decay: 40 },
      0.3,
      7,
      0,
    );
    expect(reservation).toBe(logit(0.3));
    expect(spread).toBeCloseTo((2 / 0.0021) * Math.log1p(0.0021 / 40), 10);
  });
});

describe('informed takers', () => {
  it('cost a maker at the half-spread of their share what the others bring', () => {
    fc.assert(
      fc.property(number(0, 0.95), number(0.05, 0.95), (share, p) => {
        const ask = 1 / priceOfLogOdds(logit(p) + informedHalfSpread(share));
        // The maker sells at `ask` to the informed when the selection wins, and to half of the others.
        const profit = (1 - share) * 0.5 * (ask - p) + share * p * (ask - 1);
        expect(profit).toBeCloseTo(0, 12);
        expect(informedShareOf(informedHalfSpread(share))).toBeCloseTo(share, 12);
      }),
    );
  });
});

describe('when to move a quote', () => {
  it('the band costs least where it is said to', () => {
    fc.assert(
      fc.property(
        number(1e-4, 1),
        number(0.01, 2),
        number(0.01, 100),
        number(0.2, 5),
        (cost, volatility, curvature, share) => {
          const loss = (b: number): number => (cost * volatility ** 2) / b ** 2 + (curvature * b ** 2) / 6;
          const { halfWidth, meanLife } = requoteBand(cost, volatility, curvature);
          expect(loss(halfWidth * share)).toBeGreaterThanOrEqual(loss(halfWidth) * (1 - 1e-12));
          expect(meanLife).toBeCloseTo((halfWidth / volatility) ** 2, 9);
        },
      ),
    );
  });

  it('the curvature is that of the profit at its best distance', () => {
    const profit = (distance: number): number => 3 * distance * Math.exp(-40 * distance);
    const x = 1e-4;
    const second = (profit(1 / 40 + x) - 2 * profit(1 / 40) + profit(1 / 40 - x)) / x ** 2;
    expect(-second / placeCurvature(3, 40)).toBeCloseTo(1, 4);
  });

  it('a budget is used up, and no other division of it loses less', () => {
    const market = fc.record({ volatility: number(0.01, 2), curvature: number(0.01, 100) });
    const other = fc.array(number(0.05, 1), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(market, { minLength: 1, maxLength: 6 }),
        number(0.1, 10),
        other,
        (markets, updates, weights) => {
          const shares = shareRequotes(markets, updates);
          expect(shares.reduce((sum, { rate }) => sum + rate, 0) / updates).toBeCloseTo(1, 12);
          const loss = (rates: readonly number[]): number =>
            markets.reduce(
              (sum, { volatility, curvature }, i) =>
                sum + (curvature * volatility ** 2) / (6 * (rates[i] as number)),
              0,
            );
          const used = weights.slice(0, markets.length);
          const total = used.reduce((sum, weight) => sum + weight, 0);
          const others = used.map((weight) => (updates * weight) / total);
          expect(loss(others)).toBeGreaterThanOrEqual(loss(shares.map(({ rate }) => rate)) * (1 - 1e-9));
          for (const { rate, meanLife } of shares) expect(rate * meanLife).toBeCloseTo(1, 9);
        },
      ),
    );
  });

  it('a budget needs updates, and markets that move', () => {
    expect(() => shareRequotes([{ volatility: 1, curvature: 1 }], 0)).toThrow(InvariantError);
    expect(() => shareRequotes([{ volatility: 0, curvature: 1 }], 1)).toThrow(InvariantError);
    expect(shareRequotes([], 1)).toEqual([]);
  });
});
