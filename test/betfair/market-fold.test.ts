import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FoldedMarket, MarketFold } from '../../src/betfair/market-fold.ts';
import { BOOK_CHANGE } from '../../src/betfair/runner-book.ts';
import { priceOf } from '../../src/domain/ladder.ts';

const NAMES = new Map<number, string>(Object.entries(BOOK_CHANGE).map(([name, change]) => [change, name]));

/** Folds changes, one each second. */
function folded(...changes: readonly object[]): { market: FoldedMarket | null; told: string[] } {
  const told: string[] = [];
  const fold = new MarketFold('1.5', {
    push: (atMs, change, of, tick, micros) =>
      void told.push(`${atMs} ${NAMES.get(change)} ${of} ${priceOf(tick)} ${micros / 1e6}`),
    defined: (atMs, { status }) => void told.push(`${atMs} ${status}`),
  });
  for (const [at, change] of changes.entries()) fold.apply({ id: '1.5', ...change }, at + 1);
  return { market: fold.folded(), told };
}

const runners = (...statuses: readonly string[]): object[] =>
  statuses.map((status, at) => ({
    id: at + 1,
    status,
    sortPriority: at + 1,
    adjustmentFactor: 10 * (at + 1),
  }));

const define = (more: object): object => ({
  marketDefinition: { marketTime: '2026-01-03T15:00:00Z', eventId: '3', eventTypeId: '7', ...more },
});
const rc = (...changes: readonly object[]): object => ({ rc: changes.map((each) => ({ id: 1, ...each })) });

describe('the levels of a market', () => {
  const rank = [[0, 2, 7]];
  it.each<[string, readonly object[], readonly string[]]>([
    [
      'every price, not the ranks beside it',
      [rc({ atb: [[2, 5]], batb: [[0, 2.1, 7]] })],
      ['1 restingAgainst 0 2 5'],
    ],
    [
      'the ranks where there is nothing better',
      [rc({ batb: rank, bdatb: [[0, 2.1, 9]] })],
      ['1 restingAgainst 0 2 7'],
    ],
    ['what takers see where there is nothing else', [rc({ bdatl: rank })], ['1 restingFor 0 2 7']],
    [
      'a better source from its first level on, and then no other',
      [rc({ batb: rank }), rc({ atb: [[1.9, 5]] }), rc({ batb: [[0, 2.2, 1]] })],
      ['1 restingAgainst 0 2 7', '2 restingAgainst 0 2 0', '2 restingAgainst 0 1.9 5'],
    ],
  ])('are %s', (_, changes, told) => {
    expect(folded(...changes).told).toEqual(told);
  });
});

describe('a price between two ticks', () => {
  const opening = { ...define({}), ...rc({ atb: [[1.9, 5]], atl: [[1.95, 5]] }) };

  it.each([
    // A trade stands where it reaches fewer orders, a level where it gives its taker less.
    ['a trade with takers for', { trd: [[1.905, 8]] }, 'tradedAgainst 0 1.91 4'],
    ['a trade with takers against', { trd: [[1.945, 8]] }, 'tradedFor 0 1.94 4'],
    ['a trade beyond the best price for', { trd: [[1.885, 8]] }, 'tradedAgainst 0 1.89 4'],
    ['a trade beyond the best price against', { trd: [[1.995, 8]] }, 'tradedFor 0 1.99 4'],
    ['stake for takers for', { atb: [[1.895, 3]] }, 'restingAgainst 0 1.89 3'],
    ['stake for takers against', { atl: [[1.955, 3]] }, 'restingFor 0 1.96 3'],
  ])('holds %s', (_, change, told) => {
    const { market, told: all } = folded(opening, rc(change));
    expect(all.at(-1)).toBe(`2 ${told}`);
    expect(market?.counts).toMatchObject({ offLadder: 1, outside: 0 });
  });

  it('holds stake besides that of its tick', () => {
    const { told } = folded(
      opening,
      rc({ atb: [[1.905, 3]] }),
      rc({ atb: [[1.9, 2]] }),
      rc({ atb: [[1.905, 0]] }),
    );
    expect(told.slice(3)).toEqual([
      '2 restingAgainst 0 1.9 8',
      '3 restingAgainst 0 1.9 5',
      '4 restingAgainst 0 1.9 2',
    ]);
  });
});

describe('an image', () => {
  const first = { img: true, ...define({ status: 'OPEN' }), ...rc({ atb: [[2, 5]], trd: [[2, 8]] }) };

  it('that repeats what was known is no gap and no change', () => {
    const { market, told } = folded(first, { img: true, ...rc({ atb: [[2, 5]], trd: [[2, 8]] }) });
    expect([market?.gaps, market?.counts.newImages]).toEqual([[], 0]);
    expect(told).toEqual(['1 OPEN', '1 restingAgainst 0 2 5']);
  });

  it('makes a gap each time that it tells something new', () => {
    const image = (stake: number): object => ({ img: true, ...rc({ atb: [[2, stake]], trd: [[2, 8]] }) });
    const { market } = folded(first, image(6), rc({ atb: [[2, 7]] }), image(7), image(8));
    expect([market?.gaps, market?.counts.newImages]).toEqual([
      [
        { fromMs: 1, toMs: 2 },
        { fromMs: 4, toMs: 5 },
      ],
      2,
    ]);
  });

  it.each([
    ['level', { atb: [[2, 6]], trd: [[2, 8]] }, ['2 restingAgainst 0 2 6']],
    ['price', { atb: [[1.9, 5]], trd: [[2, 8]] }, ['2 restingAgainst 0 2 0', '2 restingAgainst 0 1.9 5']],
    ['volume', { atb: [[2, 5]], trd: [[2, 9]] }, []],
  ])('with another %s is a gap since the last change', (_, change, more) => {
    const { market, told } = folded(first, { img: true, ...rc(change) });
    expect([market?.gaps, market?.counts.newImages]).toEqual([[{ fromMs: 1, toMs: 2 }], 1]);
    expect(told.slice(2)).toEqual(more);
  });
});

describe('traded volume', () => {
  const totals = (ratio: number): number[][] =>
    [100, 250.5, 3_000.77, 41].map((total, at) => [2 + at / 50, Math.round(total * ratio * 100) / 100]);

  it.each([1.0132, 0.9, 1.0004])(
    'that changes by one ratio (%d) changed its currency: nothing traded',
    (ratio) => {
      const { market, told } = folded(
        { ...define({}), ...rc({ trd: totals(1) }) },
        rc({ trd: totals(ratio) }),
        rc({ trd: [[2, 100 * ratio + 10]] }),
      );
      expect(told.filter((each) => each.startsWith('2 '))).toEqual([]);
      expect(told.at(-1)).toMatch(/^3 traded\w+ 0 2 /);
      expect(market?.counts.corrections).toBe(4);
    },
  );

  it.each([
    [1.0132, 0, 0],
    [1.0132, 1, 1],
    [1.0132, 2, 2],
    [0.98, 2, 2],
    // So many others speak against a currency.
    [1.0132, 3, 10],
  ])('that changes by one ratio (%d) beside %d totals that traded: %d trades', (ratio, traded, trades) => {
    const before = Array.from({ length: 10 }, (_, at) => [2 + at / 50, 100 * (at + 1)]);
    const after = before.map(([price = 0, total = 0], at) => [
      price,
      Math.round(total * ratio * 100) / 100 + (at < traded ? 50 * (at + 1) : 0),
    ]);
    const { told, market } = folded({ ...define({}), ...rc({ trd: before }) }, rc({ trd: after }));
    expect(told.filter((each) => each.startsWith('2 traded'))).toHaveLength(trades);
    expect(market?.counts.corrections).toBe(10 - trades);
  });

  it('that grows by different shares traded', () => {
    const grown = totals(1).map(([price = 0, total = 0], at) => [price, total + 10 * (at + 1)]);
    const { told } = folded(rc({ trd: totals(1) }), rc({ trd: grown }));
    expect(told.filter((each) => each.startsWith('2 traded'))).toHaveLength(4);
  });

  it('that grows where other totals stay traded, even by one ratio', () => {
    const some = totals(1.1).slice(0, 3);
    const { told } = folded(rc({ trd: totals(1) }), rc({ trd: some }));
    expect(told.filter((each) => each.startsWith('2 traded'))).toHaveLength(3);
  });

  it('is corrected by any ratio near 1, whatever the totals are', () => {
    const total = fc.double({ min: 50, max: 1e6, noNaN: true }).map((size) => Math.round(size * 100) / 100);
    fc.assert(
      fc.property(
        fc.array(total, { minLength: 3, maxLength: 30, size: 'max' }),
        fc.double({ min: 0.8, max: 1.25, noNaN: true }).filter((ratio) => Math.abs(ratio - 1) > 1e-3),
        (sizes, ratio) => {
          const before = sizes.map((size, at) => [priceOf(at + 50), size]);
          const after = before.map(([price = 0, size = 0]) => [price, Math.round(size * ratio * 100) / 100]);
          const { told } = folded(rc({ trd: before }), rc({ trd: after }));
          expect(told.filter((each) => each.startsWith('2 traded'))).toEqual([]);
        },
      ),
      { numRuns: 1_000, examples: [[[50, 50, 164.7], 1.1280813600485733]] },
    );
  });
});

describe('the definitions of a market', () => {
  it('describe a runner until a later one does, also one that lists fewer, or none', () => {
    const { market } = folded(
      define({
        runners: [{ ...runners('ACTIVE')[0], name: 'Ann' }, ...runners('', 'ACTIVE').slice(1)],
        marketType: 'WIN',
      }),
      define({ runners: runners('WINNER', 'REMOVED'), status: 'CLOSED' }),
      define({ status: 'CLOSED', runners: runners('', 'REMOVED').slice(1), name: null }),
      define({ status: 'CLOSED' }),
    );
    expect(market?.definition).toMatchObject({ marketType: 'WIN', status: 'CLOSED', matchId: '3' });
    expect(market?.runners.map(({ name, status }) => [name, status])).toEqual([
      ['Ann', 'WINNER'],
      [null, 'REMOVED'],
    ]);
  });

  it('tell removals with their factor, at the instant that the file names, else that of the definition', () => {
    const removed = runners('ACTIVE', 'REMOVED', 'REMOVED');
    const { market } = folded(
      define({ runners: runners('ACTIVE', 'ACTIVE', 'ACTIVE') }),
      define({
        runners: [removed[0], { ...removed[1], removalDate: new Date(1).toISOString() }, removed[2]],
      }),
      define({ runners: removed }),
    );
    expect(market?.removals).toEqual([
      { atMs: 1, of: 1, factor: 20 },
      { atMs: 2, of: 2, factor: 30 },
    ]);
  });

  it('keep the first start beside the last', () => {
    const { market } = folded(define({}), define({ marketTime: '2026-01-03T14:58:00Z' }));
    expect(market?.scheduledMs).toBe(Date.parse('2026-01-03T15:00:00Z'));
    expect(market?.definition.startMs).toBe(Date.parse('2026-01-03T14:58:00Z'));
  });
});

describe('removals', () => {
  const removed = (at: number, seconds: number): object => ({
    ...runners('REMOVED', 'REMOVED', 'REMOVED')[at],
    removalDate: new Date(1_000 * seconds).toISOString(),
  });
  const active = runners('ACTIVE', 'ACTIVE', 'ACTIVE');
  /** The market at the given instants, with these runners. */
  const removalsOf = (
    ...given: readonly (readonly [atMs: number, runners: readonly object[]])[]
  ): unknown => {
    const fold = new MarketFold('1.5', { push: () => undefined, defined: () => undefined });
    for (const [atMs, those] of given) fold.apply({ id: '1.5', ...define({ runners: those }) }, atMs);
    return fold.folded()?.removals.map(({ atMs, of, factor }) => [atMs, of, factor]);
  };

  it('are in the order in which they happened, whatever is told first', () => {
    const first = [removed(0, 50), ...active.slice(1)];
    const both = [removed(0, 50), removed(1, 20), ...active.slice(2)];
    const expected = [
      [20_000, 1, 20],
      [50_000, 0, 10],
    ];
    expect(removalsOf([0, active], [60_000, first], [90_000, both])).toEqual(expected);
    expect(removalsOf([0, active], [90_000, both])).toEqual(expected);
  });

  it('happen once, and at the latest when they are told', () => {
    const gone = [removed(0, 500), ...active.slice(1)];
    expect(removalsOf([0, active], [60_000, gone], [70_000, gone], [80_000, active.slice(1)])).toEqual([
      [60_000, 0, 10],
    ]);
  });
});
