import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SelectionView } from '../../src/domain/event-view.ts';
import { LAST_TICK, priceOf } from '../../src/domain/ladder.ts';
import {
  adverseLogOdds,
  betterBy,
  limitsCross,
  logit,
  priceOfLogOdds,
  selectionLogOdds,
  SELECTION_KINDS,
  tickAtLogOdds,
} from '../../src/domain/odds.ts';
import { kindOfIntent, type QuoteIntent } from '../../src/domain/quote-intent.ts';
import { parseParameters } from '../../src/strategy/loader.ts';
import { handicapGrid, type Strategy, topOfBook, weightedMid } from '../../src/strategy/sdk.ts';
import { playScenario, SCENARIOS } from '../../src/testing/index.ts';
import consensus from '../../strategies/consensus.ts';
import guardedLadder from '../../strategies/guarded-ladder.ts';
import inventory from '../../strategies/inventory.ts';
import scoreGridStrategy from '../../strategies/score-grid.ts';
import symmetric from '../../strategies/symmetric.ts';
import { hostedBy } from '../support/strategy-host.ts';
import { eventView, type Kinds, LAID, ODDS, selectionView } from './support.ts';

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
      outcome,
      grid: handicapGrid('home', [-2, 2, 6][index] as number),
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
