import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SelectionView } from '../../src/domain/event-view.ts';
import {
  adverseLogOdds,
  betterBy,
  complement,
  floorTick,
  LAST_TICK,
  limitsCross,
  logit,
  logOddsOf,
  lossOfContract,
  priceOf,
  type PriceKind,
  priceOfLogOdds,
  selectionLogOdds,
  SELECTION_KINDS,
  tickAtLogOdds,
} from '../../src/domain/odds.ts';
import { kindOfIntent, type QuoteIntent } from '../../src/domain/quote-intent.ts';
import { DIRECTIONS, type Direction } from '../../src/domain/selection.ts';
import { widen } from '../../src/risk/guards/widen.ts';
import { parseParameters } from '../../src/strategy/loader.ts';
import {
  bestSides,
  defineStrategy,
  handicapGrid,
  isBetter,
  type OwnFill,
  type OwnOrder,
  quoteTick,
  restingQuotes,
  rxjs,
  type Strategy,
  topOfBook,
  type Wanted,
  weightedMid,
  z,
} from '../../src/strategy/sdk.ts';
import { anOrder, aFill, playScenario, runStrategy, SCENARIOS } from '../../src/testing/index.ts';
import consensus from '../../strategies/consensus.ts';
import guardedLadder from '../../strategies/guarded-ladder.ts';
import inventory from '../../strategies/inventory.ts';
import scoreGridStrategy from '../../strategies/score-grid.ts';
import symmetric from '../../strategies/symmetric.ts';
import { hostedBy } from '../support/strategy-host.ts';
import { eventView, selectionView } from './support.ts';

/** An intent on the selection of a test. */
type Asked = Omit<QuoteIntent, 'selectionId'>;
type Kinds = NonNullable<SelectionView['priceKinds']>;

const ODDS: Kinds = { for: 'odds-for', against: 'odds-against' };
const LAID: Kinds = { for: 'odds-for', against: 'lay-for' };
const at = (price: number): number => floorTick(price) as number;

const selectionIn = (kinds: Kinds | undefined, price = 2.3): SelectionView =>
  selectionView([[price, 100]], [[price * 1.04, 100]], kinds === undefined ? {} : { priceKinds: kinds });

/** The answer of a host to a strategy that wants these. */
function hostAnswers(kinds: Kinds | undefined, wanted: readonly Asked[], price?: number) {
  const selection = selectionIn(kinds, price);
  const { selectionId } = selection;
  const strategy = defineStrategy({
    ...{ name: 'mine', description: '', parameters: z.unknown() },
    quote: () => wanted.map((each) => ({ selectionId, ...each }) as Wanted),
  });
  return hostedBy(strategy, {}).quote(eventView([selection]));
}

describe('the host', () => {
  const wanted = { direction: 'against', tick: at(2.26), stakeMicros: 20e6, level: 0 } as const;

  it('turns a price of the selection into the first tick away from fair, and keeps the contracts', () => {
    // 2.26 for is 1.79365 against: 1.80 is the first tick away from fair.
    const { intents, problems } = hostAnswers(ODDS, [wanted]);
    expect(problems).toEqual([]);
    expect(intents).toMatchObject([{ direction: 'against', priceKind: 'odds-against', tick: at(1.8) }]);
    expect(intents[0]?.stakeMicros).toBe(Math.floor((20e6 * 2.26) / 1.8));
  });

  it('changes nothing where every price is the price of the selection', () => {
    for (const kinds of [undefined, LAID]) {
      const { intents } = hostAnswers(kinds, [wanted]);
      expect(intents).toMatchObject([{ tick: at(2.26), stakeMicros: 20e6 }]);
      expect(intents[0]).not.toHaveProperty('priceKind');
    }
    const forSide = { direction: 'for', tick: at(2.4), stakeMicros: 20e6, level: 0 } as const;
    expect(hostAnswers(ODDS, [forSide]).intents).toMatchObject([{ tick: at(2.4), stakeMicros: 20e6 }]);
  });

  it('measures a size by the order that results', () => {
    const { stakeMicros: _, ...rest } = wanted;
    const stakeOf = (size: object) => hostAnswers(ODDS, [{ ...rest, size } as never]).intents[0]?.stakeMicros;
    expect(stakeOf({ liabilityMicros: 18e6 })).toBe(18e6);
    expect(stakeOf({ stakeMicros: 18e6 })).toBe(18e6);
    expect(stakeOf({ contractsMicros: 18e6 })).toBe(10e6);
  });

  it('takes ticks of the exchange as they are, and refuses those of another kind', () => {
    const own = { ...wanted, tick: at(1.85), priceKind: 'odds-against' } as const;
    expect(hostAnswers(ODDS, [own]).intents).toMatchObject([
      { tick: at(1.85), stakeMicros: 20e6, priceKind: 'odds-against' },
    ]);
    for (const kinds of [LAID, undefined]) {
      const { intents, problems } = hostAnswers(kinds, [own]);
      expect(intents).toEqual([]);
      expect(problems).toMatchObject([
        { kind: 'invalid-intent', message: "priceKind odds-against is not the view's lay-for" },
      ]);
    }
    const { problems } = hostAnswers(ODDS, [{ ...own, priceKind: 'lay-for' }]);
    expect(problems).toMatchObject([{ kind: 'invalid-intent' }]);
  });

  it('drops a quote for which the ladder has no tick', () => {
    const kinds = { for: 'lay-against', against: 'odds-against' } as const;
    const far = { direction: 'for', tick: at(200), stakeMicros: 20e6, level: 0 } as const;
    const { intents, problems } = hostAnswers(kinds, [far, { ...wanted, tick: at(1.8) }]);
    expect(intents).toHaveLength(1);
    expect(problems).toMatchObject([
      { kind: 'invalid-intent', message: 'no_tick: lay-against has none for for at 200' },
    ]);
  });

  it('finds faults as before, whatever the prices are', () => {
    const faults = [
      { ...wanted, tick: 1.5 },
      { ...wanted, stakeMicros: 0.5 },
      { ...wanted, stakeMicros: 0 },
      { ...wanted, direction: 'both' as never },
      { ...wanted, size: { stakeMicros: 5 } } as never,
    ];
    for (const fault of faults) {
      const messages = [ODDS, undefined].map((kinds) => hostAnswers(kinds, [fault]).problems[0]?.message);
      expect(messages[0]).toEqual(messages[1]);
      expect(messages[0]).toBeDefined();
    }
  });

  it('finds quotes that would match each other by their exact prices', () => {
    // 1.04 against matches 26 for, and 1.08 matches 13.5: the doubles alone would say otherwise.
    const crossing = (forPrice: number, againstPrice: number) => {
      const { intents, problems } = hostAnswers(ODDS, [
        { direction: 'for', tick: at(forPrice), stakeMicros: 1e6, level: 0 },
        {
          direction: 'against',
          tick: at(againstPrice),
          stakeMicros: 1e6,
          level: 0,
          priceKind: 'odds-against',
        },
        { direction: 'against', tick: at(200), stakeMicros: 1e6, level: 1, priceKind: 'odds-against' },
      ]);
      expect(intents).toHaveLength(problems.length > 0 ? 0 : 3);
      return problems.map(({ kind }) => kind);
    };
    expect(crossing(26, 1.04)).toEqual(['self-cross']);
    expect(crossing(13.5, 1.08)).toEqual(['self-cross']);
    expect(crossing(14, 1.08)).toEqual([]);
    expect(crossing(2, 1.99)).toEqual(['self-cross']);
    expect(crossing(2, 2.02)).toEqual([]);
  });

  it('values a quote by its own price', () => {
    const value = (kinds: Kinds | undefined, intent: Asked) =>
      hostAnswers(kinds, [{ ...intent, fairProbability: 0.3 }]).intents[0]?.valueMicrosPerS ?? NaN;
    // 3 for is exactly 1.5 against, and 10 at it has the contracts of 20: the same bet.
    const laid = value(undefined, { ...wanted, tick: at(3), stakeMicros: 10e6 });
    expect(laid).toBeGreaterThan(0);
    expect(value(ODDS, { ...wanted, tick: at(3), stakeMicros: 10e6 })).toBeCloseTo(laid, 3);
    const odds = { ...wanted, tick: at(1.5), stakeMicros: 20e6, priceKind: 'odds-against' } as const;
    expect(value(ODDS, odds)).toBeCloseTo(laid, 3);
    expect(value(ODDS, { ...odds, tick: at(1.4) })).toBe(0);
  });

  it('shows a strategy its orders and fills as prices of the selection', () => {
    const orders: OwnOrder[] = [];
    const fills: OwnFill[] = [];
    const { merge, map } = rxjs;
    const strategy = defineStrategy({
      ...{ name: 'mine', description: '', parameters: z.object({}) },
      quotes: (view$, { ownOrder$, fill$ }) =>
        merge(
          view$,
          ownOrder$.pipe(map((order) => orders.push(order))),
          fill$.pipe(map((fill) => fills.push(fill))),
        ).pipe(map(() => [])),
    });
    const run = runStrategy(strategy);
    const selection = selectionIn(ODDS);
    run.view(eventView([selection]));
    const terms = { direction: 'against', priceKind: 'odds-against', stakeMicros: 50e6 } as const;
    run.order(anOrder(selection, { ...terms, tick: at(1.6), filledMicros: 10e6 }));
    run.fill(aFill(selection, { ...terms, price: 1.6 }));
    expect(orders).toMatchObject([{ tick: at(2.68), stakeMicros: 30e6, filledMicros: 6e6 }]);
    expect(fills).toMatchObject([{ price: complement(1.6), stakeMicros: 30e6 }]);
  });
});

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

/** Strategies that place by log-odds, their half-spread, and the selections that they need. */
const BUNDLED: readonly (readonly [Strategy, object])[] = [
  [symmetric as Strategy, { halfSpread: 0.05, placement: 'model' }],
  [guardedLadder as Strategy, { halfSpread: 0.05, levelStep: 0.05, placement: 'model' }],
  [inventory as Strategy, { volatilityPerHour: 0.08, fillsPerMinute: 3, decay: 40 }],
  [scoreGridStrategy as Strategy, { halfSpread: 0.05, placement: 'model' }],
  [consensus as Strategy, { halfSpread: 0.05, thinWidth: 0, liquidWidth: 1, maxMisfit: 10 }],
];
const FREE = { minPrice: 1.01, maxPrice: 1000, maxWidth: 50 };

/** Three outcomes whose prices agree, so that a score grid fits them; the first has about this price. */
function match(price: number, kinds: Kinds | undefined): readonly SelectionView[] {
  const likely = 1 / price;
  return [likely, (1 - likely) * 0.4, (1 - likely) * 0.6].map((probability, index) => {
    const outcome = ['ah,h,-2', 'ah,h,2', 'ah,h,6'][index] as string;
    const fair = logit(Math.min(0.97, probability));
    return selectionView([[priceOfLogOdds(fair + 0.02), 1000]], [[priceOfLogOdds(fair - 0.02), 1000]], {
      ...{ outcome, grid: handicapGrid('home', [-2, 2, 6][index] as number) },
      ...(kinds === undefined ? {} : { priceKinds: kinds }),
    });
  });
}

/** The quotes of a strategy, host included. */
function quotesOf(strategy: Strategy, parameters: object, selections: readonly SelectionView[]) {
  const known = parseParameters(strategy, { ...parameters, ...onlyKnown(strategy, FREE) });
  return hostedBy(strategy, known).quote(eventView(selections));
}

/** The parameters that a strategy has. */
const onlyKnown = (strategy: Strategy, given: object): object =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([name]) => strategy.parameters.safeParse({ [name]: given[name as never] }).success,
    ),
  );

describe.each(BUNDLED.map(([strategy, parameters]) => [strategy.name, strategy, parameters] as const))(
  'the quotes of %s',
  (_, strategy, parameters) => {
    const price = fc.double({ min: 1.02, max: 200, noNaN: true });
    const kinds = fc.constantFrom(undefined, ODDS, LAID);

    it('have equal contracts on both sides, no faults, and never match each other', () => {
      let seen = 0;
      fc.assert(
        fc.property(price, kinds, (middle, given) => {
          const { intents, problems } = quotesOf(strategy, parameters, match(middle, given));
          expect(problems.filter(({ kind }) => kind !== 'self-cross')).toEqual([]);
          for (const [forQuote, againstQuote] of pairsOf(intents)) {
            seen++;
            const [a, b] = [forQuote, againstQuote].map(
              ({ stakeMicros, tick }) => stakeMicros * priceOf(tick),
            ) as [number, number];
            const cent = 1e4 * Math.max(priceOf(forQuote.tick), priceOf(againstQuote.tick));
            expect(Math.abs(a - b)).toBeLessThanOrEqual(cent + 1);
            expect(limitsCross(terms(forQuote), terms(againstQuote))).toBe(false);
          }
        }),
        { numRuns: 150 },
      );
      expect(seen).toBeGreaterThan(100);
    });

    it('lie away from fair, less than a tick of their own ladder from the wanted log-odds', () => {
      let seen = 0;
      fc.assert(
        fc.property(price, fc.constantFrom(ODDS, LAID), (middle, given) => {
          const [laid, own] = [undefined, given].map(
            (each) => quotesOf(strategy, parameters, match(middle, each)).intents,
          ) as [readonly QuoteIntent[], readonly QuoteIntent[]];
          for (const quote of own) {
            const same = laid.find((each) => keyOf(each) === keyOf(quote));
            if (same === undefined) continue;
            seen++;
            const kind = kindOfIntent(quote);
            const far = selectionLogOdds(kind, priceOf(quote.tick));
            // The wanted log-odds lie within the tick of the other ladder that was taken for them.
            const [from, to] = rangeOf(same);
            const [low, high] = rangeOf(quote);
            expect(low).toBeLessThanOrEqual(to + 1e-9);
            expect(high).toBeGreaterThanOrEqual(from - 1e-9);
            const fair = fairOf(match(middle, given), quote);
            if (fair !== null && parameters !== BUNDLED[3]?.[1] && parameters !== BUNDLED[4]?.[1])
              expect(adverseLogOdds(kind, priceOf(quote.tick), fair)).toBeLessThanOrEqual(1e-9);
            expect(Number.isFinite(far)).toBe(true);
          }
        }),
        { numRuns: 150 },
      );
      expect(seen).toBeGreaterThan(50);
    });
  },
);

const keyOf = ({ selectionId, direction, level }: QuoteIntent): string =>
  `${selectionId} ${direction} ${level}`;
const terms = (intent: QuoteIntent) => ({ priceKind: kindOfIntent(intent), tick: intent.tick });

/** The log-odds for which a tick is the first one away from fair, the lower first. */
function rangeOf(intent: QuoteIntent): readonly [low: number, high: number] {
  const kind = kindOfIntent(intent);
  const nearer = betterBy(kind, intent.tick, -1);
  const here = selectionLogOdds(kind, priceOf(intent.tick));
  const there =
    nearer >= 0 && nearer <= LAST_TICK
      ? selectionLogOdds(kind, priceOf(nearer))
      : here + (intent.direction === 'for' ? Infinity : -Infinity);
  return [Math.min(here, there), Math.max(here, there)];
}

/** The log-odds around which a strategy that follows the market quotes. */
function fairOf(selections: readonly SelectionView[], { selectionId }: QuoteIntent): number | null {
  const selection = selections.find((each) => each.selectionId === selectionId);
  const top = selection && topOfBook(selection.market);
  return top ? logit(weightedMid(top)) : null;
}

function pairsOf(intents: readonly QuoteIntent[]): (readonly [QuoteIntent, QuoteIntent])[] {
  return intents.flatMap((quote) => {
    if (quote.direction !== 'for') return [];
    const other = intents.find((each) => keyOf(each) === keyOf({ ...quote, direction: 'against' }));
    return other === undefined ? [] : [[quote, other] as const];
  });
}

describe('symmetric quotes', () => {
  it('are the first ticks of their ladders at the half-spread', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1.02, max: 200, noNaN: true }),
        fc.constantFrom(undefined, ODDS, LAID),
        fc.constantFrom(0.03, 0.1, 0.5),
        (middle, kinds, halfSpread) => {
          const [selection] = match(middle, kinds);
          const top = selection && topOfBook(selection.market);
          if (!selection || !top) return;
          const fair = logit(weightedMid(top));
          const { intents } = quotesOf(symmetric as Strategy, { halfSpread, placement: 'model' }, [
            selection,
          ]);
          for (const { direction, tick, priceKind } of intents) {
            const kind = (kinds ?? SELECTION_KINDS)[direction];
            expect(priceKind ?? SELECTION_KINDS[direction]).toBe(kind);
            const wanted = direction === 'for' ? fair - halfSpread : fair + halfSpread;
            expect(tick).toBe(tickAtLogOdds(kind, wanted));
          }
        },
      ),
    );
  });
});

it('plays scenarios with our orders at odds: the same course within the width of a tick', () => {
  const [quiet] = SCENARIOS;
  if (quiet === undefined) throw new Error('there is a scenario');
  const [laid, odds] = [{}, { priceKinds: ODDS }].map((each) =>
    playScenario(symmetric as Strategy, quiet, { ...each, parameters: { placement: 'model' } }),
  );
  expect(odds?.problems).toEqual([]);
  const filled = odds?.inputs.flatMap((input) => (input.kind === 'fill' ? [input.fill] : [])) ?? [];
  expect(filled.filter(({ priceKind }) => priceKind === 'odds-against').length).toBeGreaterThan(3);
  expect(odds?.fills).toBeGreaterThan((laid?.fills ?? 0) / 3);
  expect(Math.abs((odds?.profitMicros ?? 0) - (laid?.profitMicros ?? 0))).toBeLessThan(50e6);
});
