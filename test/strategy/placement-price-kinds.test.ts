import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LAST_TICK, priceOf } from '../../src/domain/ladder.ts';
import {
  complement,
  logit,
  logOddsOf,
  lossOfContract,
  type PriceKind,
  SELECTION_KINDS,
} from '../../src/domain/odds.ts';
import { kindOfIntent } from '../../src/domain/quote-intent.ts';
import { DIRECTIONS, type Direction } from '../../src/domain/selection.ts';
import { widen } from '../../src/risk/guards/widen.ts';
import { bestSides, isBetter, quoteTick, restingQuotes } from '../../src/strategy/sdk.ts';
import { at, type Kinds, LAID, ODDS, selectionIn, selectionView } from './support.ts';

describe('a tick for a quote', () => {
  const terms = { fairLogOdds: logit(0.4), halfSpread: 0.03, minEdge: 0.004, marginTicks: 1 };
  const ownKinds = { for: 'odds-for', against: 'odds-against' } as const;
  const priceFor = (
    direction: Direction,
    [forTakers, againstTakers]: readonly [number | null, number | null],
    kind: PriceKind,
    changes: object = {},
  ) => {
    const level = (price: number | null) =>
      price === null ? null : { price, minMicros: null, maxMicros: 1e8 };
    const sides = { forTakers: level(forTakers), againstTakers: level(againstTakers) };
    const tick = quoteTick(direction, { ...terms, placement: 'model', ...changes }, sides, kind);
    return tick === null ? null : priceOf(tick);
  };

  it('is rounded away from fair on the ladder of the order', () => {
    // 0.4 and 0.03 more against: 2.4557 for, 1.68698 against.
    expect(priceFor('against', [null, null], 'odds-against')).toBe(1.69);
    expect(priceFor('against', [null, null], 'lay-for')).toBe(2.44);
    expect(priceFor('for', [null, null], 'odds-for')).toBe(2.56);
  });

  it('keeps its margin from the price at which it would take', () => {
    // 2.4 for is 1.714286 against: 1.71 takes, 1.72 does not.
    expect(priceFor('against', [null, 2.4], 'odds-against')).toBe(1.72);
    expect(priceFor('against', [null, 2.4], 'odds-against', { marginTicks: 3 })).toBe(1.74);
    expect(priceFor('against', [null, complement(1.72)], 'odds-against')).toBe(1.73);
    expect(priceFor('against', [null, 2.4], 'lay-for')).toBe(2.38);
  });

  it('on the lay ladder stays beyond every price for which rounded odds may stand', () => {
    // Odds of 1.11 may stand for any price above 9.3333, where 1.12 would be shown.
    const shown = complement(1.11);
    const wide = { fairLogOdds: logOddsOf(12), halfSpread: 0.01 };
    expect(priceFor('against', [null, shown], 'lay-for', wide)).toBe(9.2);
    expect(priceFor('against', [null, 10], 'lay-for', wide)).toBe(9.8);
  });

  it('joins the others, or goes a tick before them, on its own ladder', () => {
    const join = { placement: 'join', halfSpread: 0.2 };
    // 2.4 for is 1.714286 against: the first tick not before them is 1.72.
    expect(priceFor('against', [2.4, null], 'odds-against', join)).toBe(1.72);
    expect(priceFor('against', [complement(1.72), null], 'odds-against', join)).toBe(1.72);
    expect(
      priceFor('against', [complement(1.72), null], 'odds-against', { ...join, placement: 'improve' }),
    ).toBe(1.71);
    // Their price is better than the edge allows: 0.4 and 0.004 more is 1.6693 against.
    expect(priceFor('against', [2.49, null], 'odds-against', join)).toBe(1.68);
    expect(priceFor('for', [null, 2.6], 'odds-for', join)).toBe(2.6);
  });

  it('does not exist beyond the ladder', () => {
    expect(priceFor('against', [null, null], 'odds-against', { fairLogOdds: logOddsOf(1.0005) })).toBeNull();
    expect(priceFor('against', [null, null], 'lay-for', { fairLogOdds: logOddsOf(1.0005) })).toBeNull();
  });

  it('is the same with and without the kinds of the selection', () => {
    const price = fc.option(fc.double({ min: 1.01, max: 200, noNaN: true }));
    fc.assert(
      fc.property(
        fc.constantFrom(...DIRECTIONS),
        price,
        price,
        fc.constantFrom('model', 'join', 'improve'),
        (direction, forTakers, againstTakers, placement) => {
          const sides = bestSides({
            for: selectionView(forTakers === null ? [] : [[forTakers, 1]], null).market.for,
            against: selectionView(null, againstTakers === null ? [] : [[againstTakers, 1]]).market.against,
          });
          const given = { ...terms, placement };
          expect(quoteTick(direction, given, sides)).toBe(
            quoteTick(direction, given, sides, SELECTION_KINDS[direction]),
          );
        },
      ),
    );
  });

  it('is compared by the price of the selection in the SDK', () => {
    expect([isBetter('for', 2, 1.9), isBetter('against', 2, 1.9)]).toEqual([true, false]);
    expect(ownKinds.against).toBe('odds-against');
  });
});

describe('resting quotes on the ladder of our orders', () => {
  const limits = { stake: 20, minPrice: 1.05, maxPrice: 30 };
  const quotes = (
    kinds: Kinds | undefined,
    ticks: Readonly<Record<Direction, number | null>>,
    changes = {},
  ) =>
    restingQuotes(
      selectionIn(kinds),
      { fairProbability: 0.43, tickOn: (direction) => ticks[direction], ...changes },
      limits,
    );

  it('have the same contracts on both sides, in cents of their own stake', () => {
    const [back, lay] = quotes(ODDS, { for: at(2.4), against: at(1.79) });
    expect(back).toMatchObject({ direction: 'for', stakeMicros: 14.28e6 });
    expect(back).not.toHaveProperty('priceKind');
    expect(lay).toMatchObject({ direction: 'against', priceKind: 'odds-against', tick: at(1.79) });
    expect(lay?.stakeMicros).toBe(Math.floor((34.29 * 100) / 1.79) * 1e4);
  });

  it('name the kind of an order against only where odds are the rule', () => {
    const ticks = { for: at(2.4), against: at(2.26) };
    expect(quotes(LAID, ticks)[1]).toMatchObject({ priceKind: 'lay-for', stakeMicros: 15.17e6 });
    expect(quotes(undefined, ticks)[1]).not.toHaveProperty('priceKind');
    expect(quotes(ODDS, { for: null, against: at(1.79) }, { reason: 'why' })).toMatchObject([
      { priceKind: 'odds-against', reason: 'why' },
    ]);
  });

  it('are limited by the price of the selection', () => {
    // 1.03 against is 34.3 for, above the limit of 30; 30 against is 1.034 for, below that of 1.05.
    expect(quotes(ODDS, { for: null, against: at(1.03) })).toEqual([]);
    expect(quotes(ODDS, { for: null, against: at(1.04) })).toHaveLength(1);
    expect(quotes(ODDS, { for: null, against: at(30) })).toEqual([]);
    expect(quotes(ODDS, { for: null, against: at(20) })).toHaveLength(1);
  });

  it('lose no more than the stake on either side, even beyond fair', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 5, max: 200 }),
        fc.integer({ min: 5, max: 200 }),
        fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        fc.constantFrom(ODDS, LAID),
        (forTick, againstTick, fairProbability, kinds) => {
          const both = restingQuotes(
            selectionIn(kinds),
            { fairProbability, tickOn: (direction) => (direction === 'for' ? forTick : againstTick) },
            { ...limits, minPrice: 1.01, maxPrice: 1000 },
          );
          for (const quote of both) {
            const price = priceOf(quote.tick);
            const loss = quote.stakeMicros * price * lossOfContract(kindOfIntent(quote), price);
            expect(loss).toBeLessThanOrEqual(20e6 + 1);
            expect(quote.stakeMicros % 1e4).toBe(0);
          }
          const [a, b] = both.map((quote) => quote.stakeMicros * priceOf(quote.tick));
          const [p = 0, q = 0] = both.map((quote) => priceOf(quote.tick));
          if (a !== undefined && b !== undefined)
            expect(Math.abs(a - b)).toBeLessThanOrEqual(1e4 * Math.max(p, q) + 1);
        },
      ),
    );
  });
});

it('widens a quote on its own ladder, away from fair', () => {
  const intent = { direction: 'against', priceKind: 'odds-against', level: 0, stakeMicros: 1e6 } as const;
  const widened = (tick: number, by: number) =>
    widen({ ...intent, selectionId: selectionIn(ODDS).selectionId, tick }, by);
  // 1.8 is 44.4 % against; 0.1 more log-odds of the selection are 1.8841.
  expect(widened(at(1.8), 0.1)).toMatchObject({ priceKind: 'odds-against', tick: at(1.89) });
  expect(widened(LAST_TICK - 1, 5).tick).toBe(LAST_TICK);
  const { priceKind: _, ...laid } = intent;
  expect(widen({ ...laid, selectionId: selectionIn(LAID).selectionId, tick: at(2.26) }, 0.1).tick).toBe(
    at(2.14),
  );
});
