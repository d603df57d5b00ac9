import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LOSS, readSettlementGrid, settlementGrid, WIN } from '../../../src/domain/payoff.ts';
import { InvariantError } from '../../../src/lib/assert.ts';
import {
  additive,
  bookSum,
  expectedProfit,
  fairPrice,
  fitIntensity,
  fitScores,
  glftDistances,
  glftValue,
  handicapGrid,
  indifferencePrice,
  multiplicative,
  oddsRatio,
  power,
  type ScoreGrid,
  scoreGrid,
  type ScoreRates,
  shin,
  tiltedGrid,
  totalGrid,
  weightedMid,
} from '../../../src/strategy/sdk.ts';

const total = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((sum, value) => sum + value, 0);

const METHODS = {
  multiplicative,
  additive,
  power,
  oddsRatio,
  shin: (of: number[]) => shin(of).probabilities,
};

describe('removing the overround', () => {
  const prices = fc.array(fc.double({ min: 1.05, max: 50, noNaN: true }), { minLength: 2, maxLength: 8 });
  const withMargin = prices.filter((of) => bookSum(of) > 1 && bookSum(of) < 1.5);

  it.each(Object.entries(METHODS))(
    'by %s gives probabilities that add up to 1, in the order of the prices',
    (_, of) => {
      fc.assert(
        fc.property(withMargin, (list) => {
          const found = of(list);
          expect(total(found)).toBeCloseTo(1, 10);
          const order = (a: number, b: number): number => (list[a] as number) - (list[b] as number);
          const byPrice = list.map((__, i) => i).sort(order);
          for (let i = 1; i < byPrice.length; i++) {
            const [shorter, longer] = [found[byPrice[i - 1] as number], found[byPrice[i] as number]];
            expect(shorter as number).toBeGreaterThanOrEqual((longer as number) - 1e-12);
          }
        }),
      );
    },
  );

  it('changes nothing where there is none', () => {
    for (const of of Object.values(METHODS)) {
      const found = of([2, 4, 4]);
      [0.5, 0.25, 0.25].forEach((p, i) => expect(found[i]).toBeCloseTo(p, 10));
    }
  });

  it('refuses invalid prices', () => {
    expect(() => shin([2, 1])).toThrow(InvariantError);
    expect(() => multiplicative([2])).toThrow(InvariantError);
  });
});

describe('the weighted mid', () => {
  it('lies between the sides, and nearer to the side with less stake', () => {
    const level = (price: number, stake: number) => ({ price, minMicros: null, maxMicros: stake });
    const stake = fc.double({ min: 1, max: 1e6, noNaN: true });
    const width = fc.double({ min: 0.01, max: 0.5, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: 1.1, max: 20, noNaN: true }), width, stake, stake, (price, gap, a, b) => {
        const mid = weightedMid({ forTakers: level(price, a), againstTakers: level(price + gap, b) });
        expect(mid).toBeLessThanOrEqual(1 / price);
        expect(mid).toBeGreaterThanOrEqual(1 / (price + gap));
        const middle = (1 / price + 1 / (price + gap)) / 2;
        // Fewer contracts offered to `for` takers: the price is about to shorten, the probability to rise.
        if (a * price < b * (price + gap)) expect(mid).toBeGreaterThanOrEqual(middle);
        else expect(mid).toBeLessThanOrEqual(middle);
      }),
    );
  });
});

const rates = fc.record<ScoreRates>({
  home: fc.double({ min: 0.4, max: 3, noNaN: true }),
  away: fc.double({ min: 0.4, max: 3, noNaN: true }),
  rho: fc.double({ min: -0.1, max: 0.1, noNaN: true }),
});

const HOME = settlementGrid((home, away) => (home > away ? WIN : LOSS));
const DRAW = settlementGrid((home, away) => (home === away ? WIN : LOSS));
const AWAY = settlementGrid((home, away) => (home < away ? WIN : LOSS));
const MARKETS = [HOME, DRAW, AWAY, totalGrid('over', 10), totalGrid('under', 9), handicapGrid('home', -3)];

describe('the score grid', () => {
  it('is a distribution, or null where it cannot be one', () => {
    fc.assert(
      fc.property(rates, (of) => {
        const grid = scoreGrid(of) as ScoreGrid;
        expect(total(grid)).toBeCloseTo(1, 12);
        expect(grid.every((p) => p >= 0)).toBe(true);
      }),
    );
    expect(scoreGrid({ home: 2, away: 2, rho: 0.5 })).toBeNull();
    expect(scoreGrid({ home: 0, away: 2, rho: 0 })).toBeNull();
    expect(scoreGrid({ home: NaN, away: 2, rho: 0 })).toBeNull();
  });

  it('values a bet at its own fair price at nothing', () => {
    fc.assert(
      fc.property(rates, fc.constantFrom(...MARKETS), (of, settlement) => {
        const grid = scoreGrid(of) as ScoreGrid;
        expect(expectedProfit(grid, settlement, fairPrice(grid, settlement))).toBeCloseTo(0, 12);
      }),
    );
  });

  it('is found again from the prices that it gives', () => {
    fc.assert(
      fc.property(rates, (of) => {
        const grid = scoreGrid(of) as ScoreGrid;
        const targets = MARKETS.map((settlement) => ({
          settlement,
          price: fairPrice(grid, settlement),
          weight: 100,
        }));
        const found = fitScores(targets);
        expect(found?.misfit).toBeLessThan(1e-6);
        expect(found?.isDetermined).toBe(true);
        // Home, draw and away fit many goals as well as few.
        expect(fitScores(targets.slice(0, 3))?.isDetermined).toBe(false);
        for (const name of ['home', 'away', 'rho'] as const)
          expect(found?.rates[name]).toBeCloseTo(of[name], 4);
      }),
      { numRuns: 50 },
    );
  });

  it('cannot be found from two prices', () => {
    const target = { settlement: HOME, price: 2, weight: 1 };
    expect(fitScores([target, target])).toBeNull();
  });

  it('weighs harmful scores more, and asks for more the more there is at stake', () => {
    fc.assert(
      fc.property(rates, fc.double({ min: -500, max: 500, noNaN: true }), (of, held) => {
        const grid = scoreGrid(of) as ScoreGrid;
        const book = HOME.won.map((won) => held * won);
        const tilted = tiltedGrid(grid, book, 0.002);
        expect(total(tilted)).toBeCloseTo(1, 12);
        const shift = fairPrice(tilted, HOME) - fairPrice(grid, HOME);
        expect(Math.sign(shift) === Math.sign(held) || Math.abs(shift) < 1e-9 || Math.abs(held) < 1e-6).toBe(
          true,
        );
        // No price makes up for a probable and large loss.
        const price = (side: 'for' | 'against', stake: number): number =>
          indifferencePrice(side, tilted, HOME, stake, 0.002) ?? Infinity;
        expect(price('for', 50) > price('for', 10) || price('for', 10) === Infinity).toBe(true);
        expect(price('against', 50)).toBeLessThan(price('against', 10));
        expect(price('for', 0)).toBeCloseTo(fairPrice(tilted, HOME), 12);
      }),
    );
  });
});

describe('the price of indifference', () => {
  it('is the fair price where almost nothing is at stake', () => {
    fc.assert(
      fc.property(rates, fc.constantFrom('for', 'against'), (of, direction) => {
        const grid = scoreGrid(of) as ScoreGrid;
        const price = indifferencePrice(direction, grid, HOME, 1, 1e-9) ?? NaN;
        expect(price / fairPrice(grid, HOME)).toBeCloseTo(1, 5);
      }),
    );
  });
});

describe('the exchange’s grids', () => {
  const codes = (of: (home: number, away: number) => string): string[][] =>
    Array.from({ length: 20 }, (_, home) => Array.from({ length: 20 }, (__, away) => of(home, away)));

  it('are read for the requested direction', () => {
    const home = codes((h, a) => (h > a ? 'w' : 'l'));
    expect(readSettlementGrid('for', home)).toEqual(HOME);
    expect(
      readSettlementGrid(
        'against',
        codes((h, a) => (h > a ? 'l' : 'w')),
      ),
    ).toEqual(HOME);
    const quarter = codes((h, a) => (h > a ? 'w' : h === a ? 'hl' : 'l'));
    expect(readSettlementGrid('for', quarter)).toEqual(handicapGrid('home', -1));
  });

  it('recognise half wins and half losses', () => {
    const split = readSettlementGrid(
      'against',
      codes(() => 'l/w'),
    );
    expect([split?.won[0], split?.lost[0]]).toEqual([0.5, 0.5]);
  });

  it('are not read where a code is unknown or the size differs', () => {
    expect(
      readSettlementGrid(
        'for',
        codes((h) => (h === 3 ? '?' : 'w')),
      ),
    ).toBeNull();
    expect(readSettlementGrid('for', [])).toBeNull();
    expect(readSettlementGrid('for', codes(() => 'w').slice(1))).toBeNull();
  });
});

describe('quotes with bounded inventory', () => {
  const model = fc.record({
    volatility: fc.double({ min: 1e-4, max: 0.5, noNaN: true }),
    arrivals: fc.double({ min: 0.01, max: 2, noNaN: true }),
    decay: fc.double({ min: 0.2, max: 40, noNaN: true }),
    aversion: fc.double({ min: 0.001, max: 0.5, noNaN: true }),
    bound: fc.integer({ min: 1, max: 12 }),
  });

  it('mirror each other, lean against the inventory and stop at the bound', () => {
    fc.assert(
      fc.property(model, fc.double({ min: 1, max: 600, noNaN: true }), (of, remaining) => {
        const value = glftValue(of, remaining);
        const at = (held: number) => glftDistances(of, value, held);
        expect(at(of.bound).bid).toBeNull();
        expect(at(-of.bound).ask).toBeNull();
        for (let held = -of.bound; held < of.bound; held++) {
          expect(at(held).bid as number).toBeCloseTo(at(-held).ask as number, 9);
          if (held + 1 < of.bound) {
            expect(at(held + 1).bid as number).toBeGreaterThanOrEqual((at(held).bid as number) - 1e-9);
          }
        }
      }),
    );
  });

  it('are at the horizon what a single fill is worth', () => {
    const of = { volatility: 1, arrivals: 1, decay: 2, aversion: 0.1, bound: 3 };
    const { bid, ask } = glftDistances(of, glftValue(of, 0), 2);
    expect(bid).toBeCloseTo(Math.log(1 + 0.1 / 2) / 0.1, 12);
    expect(ask).toBeCloseTo(bid as number, 12);
  });
});

describe('the rate of fills by distance', () => {
  it('is found again from the counts that it makes', () => {
    const arrivals = fc.double({ min: 0.01, max: 1e3, noNaN: true });
    const decay = fc.double({ min: 0, max: 50, noNaN: true });
    fc.assert(
      fc.property(arrivals, decay, (a, k) => {
        const counts = [0.01, 0.03, 0.08].map((distance, i) => {
          const time = 100 * (i + 1);
          return { distance, time, fills: time * a * Math.exp(-k * distance) };
        });
        const found = fitIntensity(counts);
        expect(found.arrivals / a).toBeCloseTo(1, 6);
        expect(found.decay).toBeCloseTo(k, 5);
      }),
    );
  });

  it('is not guessed without data', () => {
    expect(() => fitIntensity([])).toThrow(InvariantError);
    expect(() => fitIntensity([{ distance: 1, time: 1, fills: 3 }])).toThrow(InvariantError);
    const none = { time: 1, fills: 0 };
    expect(() =>
      fitIntensity([
        { distance: 1, ...none },
        { distance: 2, ...none },
      ]),
    ).toThrow(InvariantError);
  });
});
