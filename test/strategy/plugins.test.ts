import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LADDER, priceOf } from '../../src/domain/ladder.ts';
import { bestLevel } from '../../src/domain/price-list.ts';
import { runStrategy } from '../../src/testing/index.ts';
import {
  type EventView,
  handicapGrid,
  LOSS,
  type QuoteIntent,
  type RecentFill,
  type SelectionView,
  type SettlementGrid,
  settlementGrid,
  type Strategy,
  totalGrid,
  WIN,
} from '../../src/strategy/sdk.ts';
import consensus from '../../strategies/consensus.ts';
import guardedLadder from '../../strategies/guarded-ladder.ts';
import inventory from '../../strategies/inventory.ts';
import scoreGridPlugin from '../../strategies/score-grid.ts';
import symmetric from '../../strategies/symmetric.ts';
import { eventView, type Levels, selectionView } from './support.ts';

const GRIDS: Readonly<Record<string, SettlementGrid>> = {
  h: settlementGrid((home, away) => (home > away ? WIN : LOSS)),
  d: settlementGrid((home, away) => (home === away ? WIN : LOSS)),
  a: settlementGrid((home, away) => (home < away ? WIN : LOSS)),
  over: totalGrid('over', 10),
  ah: handicapGrid('home', -1),
};

const named = (outcome: string, forTakers: Levels | null, againstTakers: Levels | null): SelectionView =>
  selectionView(forTakers, againstTakers, { outcome, grid: GRIDS[outcome] ?? null });

function quote<P>(plugin: Strategy<P>, view: EventView, parameters: object = {}): readonly QuoteIntent[] {
  const { intents, problems } = runStrategy(plugin, { parameters }).view(view);
  const [problem] = problems;
  if (problem?.error instanceof Error) throw problem.error;
  expect(problem).toBeUndefined();
  return intents;
}

/** `{ 'h for 0': 2.1, … }`: prices by outcome, direction and level. */
const table = (intents: readonly QuoteIntent[]): Record<string, number> =>
  Object.fromEntries(
    intents.map(({ selectionId, direction, level, tick }) => [
      `${selectionId.split('|')[2]} ${direction} ${level}`,
      priceOf(tick),
    ]),
  );

const held = (selection: SelectionView, ifWin: number, ifLose: number): EventView => {
  const position = { ifWinMicros: ifWin * 1e6, ifLoseMicros: ifLose * 1e6 };
  return eventView([{ ...selection, position }]);
};

/** A coherent event: expected goals about 1.5 and 1.2. */
const MATCH = [
  named('h', [[2.24, 100]], [[2.3, 100]]),
  named('d', [[3.75, 100]], [[3.9, 100]]),
  named('a', [[3.4, 100]], [[3.5, 100]]),
  named('over', [[1.96, 100]], [[1.99, 100]]),
];

/** Logs of nothing: what a filled `against` order on a selection leaves, in USDT. */
const soldHome = (stake: number, price: number): Partial<EventView> => ({
  holdings: [
    {
      selectionId: MATCH[0]?.selectionId as never,
      grid: GRIDS['h'] as SettlementGrid,
      position: { ifWinMicros: -stake * (price - 1) * 1e6, ifLoseMicros: stake * 1e6 },
    },
  ],
});

describe('inventory', () => {
  const market = named('h', [[1.9, 100]], [[2.1, 100]]);
  const width = { maxFills: 4, decay: 20, volatilityPerHour: 1, aversion: 0.1 };

  it('quotes both sides of the mid alike when flat', () => {
    const { 'h against 0': against, 'h for 0': above } = table(quote(inventory, held(market, 0, 0), width));
    expect(against).toBeLessThan(2);
    expect(above).toBeGreaterThan(2);
    expect((above as number) - 2).toBeCloseTo(2 - (against as number), 1);
  });

  it('leans against its position, more the longer the horizon, and stops at its bound', () => {
    const flat = table(quote(inventory, held(market, 0, 0), width));
    const long = table(quote(inventory, held(market, 40, -40), width));
    expect(long['h for 0']).toBeGreaterThan(flat['h for 0'] as number);
    expect(long['h against 0']).toBeGreaterThanOrEqual(flat['h against 0'] as number);
    const short = table(quote(inventory, held(market, -40, 40), width));
    expect(short['h against 0']).toBeLessThan(flat['h against 0'] as number);
    const full = table(quote(inventory, held(market, 400, -400), width));
    expect(Object.keys(full)).toEqual(['h against 0']);
    const soon = { ...held(market, 40, -40), startsInMs: 60_000 };
    expect(table(quote(inventory, soon, width))['h for 0']).toBeLessThan(long['h for 0'] as number);
  });

  it('uses its nearest horizon in running, whatever is known of the start', () => {
    const running = (startsInMs: number | null): EventView => ({
      ...held(market, 40, -40),
      inRunning: true,
      startsInMs,
    });
    const nearest = table(quote(inventory, { ...held(market, 40, -40), startsInMs: 60_000 }, width));
    for (const startsInMs of [null, 3_600_000, -60_000])
      expect(table(quote(inventory, running(startsInMs), width))).toEqual(nearest);
  });
});

/** One goal up with 0.8 and 0.7 still expected. */
const AHEAD = [
  named('h', [[1.4, 100]], [[1.41, 100]]),
  named('d', [[4.8, 100]], [[5, 100]]),
  named('a', [[11.5, 100]], [[12.5, 100]]),
  named('over', [[2.24, 100]], [[2.28, 100]]),
];

describe('score-grid', () => {
  const parameters = { aversion: 0.004, stake: 10, placement: 'model' };

  it('leans in every market of the event that a fill affects', () => {
    const flat = table(quote(scoreGridPlugin, eventView(MATCH), parameters));
    const short = table(quote(scoreGridPlugin, eventView(MATCH, soldHome(100, 2.3)), parameters));
    expect(Object.keys(flat)).toHaveLength(8);
    // Short of the home side: buys it dearer, sells it dearer; the contrary for away and draw.
    expect(short['h against 0']).toBeLessThan(flat['h against 0'] as number);
    expect(short['h for 0']).toBeLessThan(flat['h for 0'] as number);
    expect(short['a for 0']).toBeGreaterThan(flat['a for 0'] as number);
    expect(short['d for 0']).toBeGreaterThan(flat['d for 0'] as number);
    expect(short['over against 0']).toBeLessThan(flat['over against 0'] as number);
  });

  it('does not quote without three markets whose settlement is known', () => {
    expect(quote(scoreGridPlugin, eventView(MATCH.slice(0, 2)), parameters)).toEqual([]);
    const unknown = MATCH.map((selection) => ({ ...selection, grid: null }));
    expect(quote(scoreGridPlugin, eventView(unknown), parameters)).toEqual([]);
  });

  it('is silent in running, where it would lean on scores that are no longer possible', () => {
    // Lost since the goal, and alike in every score that can still be: nothing to lean on.
    const goalless = settlementGrid((home, away) => (home + away === 0 ? WIN : LOSS));
    const position = { ifWinMicros: 700e6, ifLoseMicros: -100e6 };
    const holdings = [{ selectionId: named('cs,0,0', null, null).selectionId, position, grid: goalless }];
    const prices = (changes: Partial<EventView>) =>
      table(quote(scoreGridPlugin, eventView(AHEAD, changes), parameters));
    expect(prices({ holdings })).not.toEqual(prices({}));
    for (const state of [{ score: [1, 0] as const, inRunning: true }, { startsInMs: -1 }])
      expect(prices({ ...state, holdings })).toEqual({});
  });
});

describe('consensus', () => {
  const thin = named('ah', [[1.5, 5]], [[3.2, 5]]);

  it('quotes thin and one-sided markets around what the liquid ones imply, and leaves the liquid ones alone', () => {
    const intents = quote(consensus, eventView([...MATCH, thin]));
    const prices = table(intents);
    expect(Object.keys(prices)).toEqual(['ah for 0', 'ah against 0']);
    // Half a win less than the home side's handicap of nought: the fair price is about 1.98.
    expect(prices['ah against 0']).toBeGreaterThan(1.8);
    expect(prices['ah against 0']).toBeLessThan(1.98);
    expect(prices['ah for 0']).toBeGreaterThan(1.98);
    expect(prices['ah for 0']).toBeLessThan(2.2);
    const oneSided = named('ah', [[2.02, 5]], []);
    expect(table(quote(consensus, eventView([...MATCH, oneSided])))['ah for 0']).toBeGreaterThan(2.02);
  });

  it('leaves markets alone whose sides cross or are both missing', () => {
    const crossed = named('ah', [[2.1, 100]], [[1.9, 100]]);
    for (const odd of [
      crossed,
      named('ah', [[2, 100]], [[2, 100]]),
      named('ah', [], []),
      named('ah', null, null),
    ])
      expect(quote(consensus, eventView([...MATCH, odd]), { thinWidth: 0.2 })).toEqual([]);
  });

  it('is silent in running, where the goals that have fallen fit other rates', () => {
    // The fit is perfect, and takes both to score for 2.9 instead of 1.99.
    expect(quote(consensus, eventView([...AHEAD, thin])).length).toBeGreaterThan(0);
    expect(quote(consensus, eventView([...AHEAD, thin], { score: [1, 0], inRunning: true }))).toEqual([]);
    expect(quote(consensus, eventView([...AHEAD, thin], { startsInMs: -1 }))).toEqual([]);
  });

  it('is silent where the liquid markets fit many scores, however well', () => {
    const goals = named('over', [[4.2, 5]], []);
    expect(quote(consensus, eventView([...MATCH.slice(0, 3), goals]))).toEqual([]);
    const handicap = named('ah', [[1.96, 100]], [[2, 100]]);
    expect(quote(consensus, eventView([...MATCH.slice(0, 3), handicap, goals]))).toEqual([]);
  });

  it('is silent where the liquid markets do not fit together or are too few', () => {
    const absurd = [
      ...MATCH.slice(0, 3),
      named('over', [[1.2, 100]], [[1.21, 100]]),
      named('ah', [[8, 9]], [[8.2, 9]]),
    ];
    expect(quote(consensus, eventView([...absurd, thin]))).toEqual([]);
    expect(quote(consensus, eventView([...MATCH.slice(0, 2), thin]))).toEqual([]);
  });
});

describe('guarded-ladder', () => {
  const market = named('h', [[1.96, 100]], [[2.04, 100]]);
  const parameters = { placement: 'model', halfSpread: 0.04, levelStep: 0.04, stake: 10, stakeGrowth: 2 };
  const filled = (fill: Partial<RecentFill>, view: Partial<EventView> = {}): string[] => {
    const recentFills = [
      { direction: 'for', price: 2.06, stakeMicros: 10e6, ageMs: 1_000, ...fill } as const,
    ];
    return Object.keys(
      table(quote(guardedLadder, eventView([{ ...market, recentFills }], view), parameters)),
    );
  };

  it('quotes levels outwards with growing sizes', () => {
    const intents = quote(guardedLadder, eventView([market]), parameters);
    expect(table(intents)).toEqual({
      'h against 0': 1.95,
      'h against 1': 1.92,
      'h against 2': 1.88,
      'h for 0': 2.04,
      'h for 1': 2.1,
      'h for 2': 2.14,
    });
    const contracts = (direction: string): number[] =>
      intents
        .filter((intent) => intent.direction === direction)
        .map(({ stakeMicros, tick }) => (stakeMicros * priceOf(tick)) / 1e6);
    for (const direction of ['for', 'against']) {
      const [first, second, third] = contracts(direction) as [number, number, number];
      expect(second / first).toBeCloseTo(2, 1);
      expect(third / second).toBeCloseTo(2, 1);
    }
    // Only the largest level risks the stake.
    const most = (level: number): number =>
      Math.max(
        ...intents
          .filter((intent) => intent.level === level && intent.direction === 'for')
          .map(({ stakeMicros }) => stakeMicros / 1e6),
      );
    expect([most(0), most(1), most(2)]).toEqual([2.35, 4.58, 8.99]);
  });

  it('widens towards the start and in running, where it quotes only when configured to', () => {
    const width = (view: Partial<EventView>, more: object = {}): number => {
      const prices = table(quote(guardedLadder, eventView([market], view), { ...parameters, ...more }));
      return (prices['h for 0'] as number) - (prices['h against 0'] as number);
    };
    const quiet = width({});
    expect(width({ startsInMs: 450_000 })).toBeGreaterThan(quiet);
    expect(width({ startsInMs: 0 })).toBeGreaterThan(width({ startsInMs: 450_000 }));
    expect(width({ inRunning: true })).toBeNaN();
    expect(width({ inRunning: true }, { inPlay: true })).toBeGreaterThan(width({ startsInMs: 0 }));
    // The exchange may report the start late.
    expect(width({ startsInMs: -1 })).toBeNaN();
    expect(width({ startsInMs: -1 }, { inPlay: true })).toBe(width({ inRunning: true }, { inPlay: true }));
  });

  it('pauses a side whose fills went against it, or that alone was filled, until they have aged', () => {
    expect(filled({})).toHaveLength(6);
    const against = ['h against 0', 'h against 1', 'h against 2'];
    expect(filled({ price: 1.9 })).toEqual(against);
    expect(filled({ price: 1.9, ageMs: 121_000 })).toHaveLength(6);
    expect(filled({ stakeMicros: 195e6 })).toEqual(against);
    expect(filled({ stakeMicros: 190e6 })).toHaveLength(6);
    expect(filled({ direction: 'against', price: 2.12 })).toEqual(['h for 0', 'h for 1', 'h for 2']);
  });
});

const PLUGINS: readonly Strategy[] = [symmetric, inventory, scoreGridPlugin, consensus, guardedLadder];

describe('every bundled strategy', () => {
  const tick = fc.integer({ min: 0, max: 349 });
  const stake = fc.double({ min: 0.01, max: 1e5, noNaN: true });
  const side = fc.option(fc.array(fc.tuple(tick, stake), { maxLength: 3 }));
  const money = fc.integer({ min: -1e9, max: 1e9 });
  const selection = (outcome: string): fc.Arbitrary<SelectionView> =>
    fc.tuple(side, side, money, money, fc.boolean()).map(([a, b, ifWinMicros, ifLoseMicros, sane]) => {
      const levels = (of: typeof a): Levels | null =>
        of?.map(([at, size]) => [LADDER[at] as number, size] as const) ?? null;
      const shown = sane ? MATCH.find((known) => known.outcome === outcome) : undefined;
      const view = shown ?? named(outcome, levels(a), levels(b));
      return { ...view, position: { ifWinMicros, ifLoseMicros } };
    });
  const views = fc
    .tuple(
      fc.tuple(...Object.keys(GRIDS).map(selection)),
      fc.option(fc.integer({ min: -1e7, max: 1e8 })),
      fc.boolean(),
    )
    .map(([selections, startsInMs, inRunning]) => {
      const holdings = selections.map(({ selectionId, position, grid = null }) => ({
        selectionId,
        position,
        grid,
      }));
      return eventView(selections, { startsInMs, inRunning, holdings });
    });

  it.each(PLUGINS.map((plugin) => [plugin.name, plugin] as const))(
    '%s wants nothing that would take, whatever the market',
    (_, plugin) => {
      fc.assert(
        fc.property(views, (view) => {
          for (const intent of quote(plugin, view)) expectNotTaking(intent, view);
        }),
        { numRuns: 150 },
      );
    },
  );

  it.each(PLUGINS.map((plugin) => [plugin.name, plugin] as const))(
    '%s gives the same answer to the same view',
    (_, plugin) => {
      const view = eventView([...MATCH, named('ah', [[1.5, 5]], [[3.2, 5]])], soldHome(20, 2.3));
      const once = quote(plugin, view);
      expect(once.length).toBeGreaterThan(0);
      expect(quote(plugin, structuredClone(view))).toEqual(once);
    },
  );
});

function expectNotTaking({ selectionId, direction, tick }: QuoteIntent, view: EventView): void {
  const { market } = view.selections.find((one) => one.selectionId === selectionId) as SelectionView;
  const price = priceOf(tick);
  const againstTakers = bestLevel('against', market.against?.priceList ?? [])?.price ?? Infinity;
  const forTakers = bestLevel('for', market.for?.priceList ?? [])?.price ?? 0;
  if (direction === 'against') expect(price).toBeLessThan(againstTakers);
  else expect(price).toBeGreaterThan(forTakers);
}
