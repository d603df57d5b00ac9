import { describe, expect, it } from 'vitest';
import { complement } from '../../src/domain/odds.ts';
import { type QuoteIntent } from '../../src/domain/quote-intent.ts';
import { defineStrategy, type OwnFill, type OwnOrder, rxjs, type Wanted, z } from '../../src/strategy/sdk.ts';
import { anOrder, aFill, runStrategy } from '../../src/testing/index.ts';
import { hostedBy } from '../support/strategy-host.ts';
import { at, eventView, type Kinds, LAID, ODDS, selectionIn } from './support.ts';

/** An intent on the selection of a test. */
type Asked = Omit<QuoteIntent, 'selectionId'>;

/** The answer of a host to a strategy that wants these. */
function hostAnswers(kinds: Kinds | undefined, wanted: readonly Asked[], price?: number) {
  const selection = selectionIn(kinds, price);
  const { selectionId } = selection;
  const strategy = defineStrategy({
    name: 'mine',
    description: '',
    parameters: z.unknown(),
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
      name: 'mine',
      description: '',
      parameters: z.object({}),
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
