import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LADDER, priceOf, tickOf } from '../../src/domain/ladder.ts';
import { logOddsOf } from '../../src/domain/odds.ts';
import { runStrategy } from '../../src/testing/index.ts';
import { parseParameters } from '../../src/strategy/loader.ts';
import { logit, type QuoteIntent } from '../../src/strategy/sdk.ts';
import symmetric from '../../strategies/symmetric.ts';
import { eventView, type Levels, selectionView } from './support.ts';

function quote(
  forTakers: Levels | null,
  againstTakers: Levels | null,
  parameters: object = {},
): QuoteIntent[] {
  const view = eventView([selectionView(forTakers, againstTakers)]);
  return [...runStrategy(symmetric, { parameters }).view(view).intents];
}

const ticksOf = (intents: readonly QuoteIntent[]): Record<string, number> =>
  Object.fromEntries(intents.map(({ direction, tick }) => [direction, priceOf(tick)]));

describe('symmetric', () => {
  it('quotes both sides of the mid, rounded away from it', () => {
    const intents = quote([[2, 100]], [[2.1, 100]], { halfSpread: 0.1, placement: 'model', stake: 5 });
    const fair = intents[0]?.fairProbability as number;
    expect(fair).toBeCloseTo((2.1 * (1 / 2) + 2 * (1 / 2.1)) / 4.1, 12);
    const [low, high] = [1 + Math.exp(-logit(fair) - 0.1), 1 + Math.exp(-logit(fair) + 0.1)];
    expect([low, high].map((price) => price.toFixed(3))).toEqual(['1.948', '2.158']);
    expect(ticksOf(intents)).toEqual({ against: 1.94, for: 2.16 });
    expect(intents.every(({ level }) => level === 0)).toBe(true);
    // 9.62 contracts on both sides. The `against` side can lose more: 4.95 × 0.94.
    expect(intents.map(({ stakeMicros }) => stakeMicros / 1e6)).toEqual([4.45, 4.95]);
  });

  it('joins or improves on the best of the others while the edge allows', () => {
    const market = [[[2, 100]], [[2.1, 100]]] as const;
    expect(ticksOf(quote(...market, { halfSpread: 0.1, placement: 'join' }))).toEqual({
      against: 2,
      for: 2.1,
    });
    expect(ticksOf(quote(...market, { halfSpread: 0.1, placement: 'improve' }))).toEqual({
      against: 2.02,
      for: 2.08,
    });
    const edge = { halfSpread: 0.1, placement: 'improve', minEdge: 0.045 };
    expect(ticksOf(quote(...market, edge))).toEqual({ against: 2, for: 2.1 });
  });

  it('omits selections that are one-sided, unknown, crossed, too wide or outside the wanted prices', () => {
    expect(quote([[2, 100]], [])).toEqual([]);
    expect(quote(null, [[2.1, 100]])).toEqual([]);
    expect(quote([[2.1, 100]], [[2.1, 100]])).toEqual([]);
    expect(quote([[1.5, 100]], [[3, 100]], { maxWidth: 0.5 })).toEqual([]);
    expect(quote([[2, 100]], [[2.1, 100]], { maxPrice: 1.9 })).toEqual([]);
  });

  it('refuses parameters that make no sense', () => {
    expect(() => parseParameters(symmetric, { halfSpread: -1 })).toThrow(/halfSpread = -1/);
    expect(() => parseParameters(symmetric, { minPrice: 3, maxPrice: 2 })).toThrow(
      /minPrice = 3: is above maxPrice/,
    );
    expect(() => parseParameters(symmetric, { spread: 1 })).toThrow(/spread/);
  });

  it('never crosses, keeps its margin and its edge, and keeps to the ladder', () => {
    const tick = fc.integer({ min: 0, max: 349 });
    const stake = fc.double({ min: 0.01, max: 1e5, noNaN: true });
    const parameters = fc.record({
      halfSpread: fc.double({ min: 0.001, max: 1, noNaN: true }),
      minEdge: fc.double({ min: 0, max: 0.2, noNaN: true }),
      marginTicks: fc.integer({ min: 1, max: 5 }),
      placement: fc.constantFrom('model', 'join', 'improve'),
      maxWidth: fc.constant(50),
      minPrice: fc.constant(1.01),
      maxPrice: fc.constant(1000),
    });
    fc.assert(
      fc.property(tick, tick, stake, stake, parameters, (a, b, stakeA, stakeB, chosen) => {
        fc.pre(a !== b);
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const market = [[[LADDER[low] as number, stakeA]], [[LADDER[high] as number, stakeB]]] as const;
        const view = eventView([selectionView(...market)]);
        const { intents, problems } = runStrategy(symmetric, { parameters: chosen }).view(view);
        expect(problems).toEqual([]);
        for (const intent of intents) expectPassive(intent, low, high, chosen);
      }),
      { numRuns: 500 },
    );
  });
});

function expectPassive(
  { direction, tick, fairProbability }: QuoteIntent,
  low: number,
  high: number,
  { marginTicks, minEdge, halfSpread }: { marginTicks: number; minEdge: number; halfSpread: number },
): void {
  expect(tickOf(priceOf(tick))).toBe(tick);
  const edge = logOddsOf(priceOf(tick)) - logit(fairProbability as number);
  const least = Math.min(minEdge, halfSpread) - 1e-9;
  if (direction === 'against') {
    expect(tick).toBeLessThanOrEqual(high - marginTicks);
    expect(edge).toBeGreaterThanOrEqual(least);
  } else {
    expect(tick).toBeGreaterThanOrEqual(low + marginTicks);
    expect(-edge).toBeGreaterThanOrEqual(least);
  }
}
