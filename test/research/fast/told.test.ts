/** What views of the fast engine tell beside prices to take. */
import { describe, expect, it } from 'vitest';
import type { EventView, OwnQuote, SelectionView } from '../../../src/domain/event-view.ts';
import { levelsOf } from '../../../src/domain/price-list.ts';
import { keysFrom } from '../../../src/market/index.ts';
import type { BacktestInput } from '../../../src/research/backtest-engine.ts';
import { runFastWith } from '../../../src/research/fast/engine.ts';
import { fastSettings } from '../../../src/research/fast/settings.ts';
import type { EventTape } from '../../../src/research/tape.ts';
import { readRiskLimits } from '../../../src/risk/index.ts';
import { defineStrategy, rxjs, z } from '../../../src/strategy/sdk.ts';
import { scripted, type Written } from '../../support/scripted-strategy.ts';
import { inPlay, open, type Step, suspended, TAPE_START_MS, tapeOf } from '../../support/tapes.ts';

const BOOK: readonly Step[] = [
  [0, 'state', open],
  [0, 'for', 2.5, 100],
  [0, 'against', 2.3, 80],
];
/** Every change is shown at once. */
const INSTANT = { placementDelayMs: [0, 0], inPlayDelayMs: [0, 0], quoteOnChangeMs: 0 } as const;

async function run(
  tape: EventTape,
  strategy: BacktestInput['strategy'],
  given: Partial<BacktestInput> = {},
): Promise<void> {
  const limits = readRiskLimits({ inPlay: { allowed: true } }, 'simulated');
  if (!limits.ok) throw new Error(JSON.stringify(limits.problems));
  const input: BacktestInput = {
    async *tapes() {
      yield tape;
    },
    strategy,
    parameters: {},
    limits: limits.limits,
    balanceMicros: 10_000e6,
    scenarios: ['queue'],
    requestLatencyMs: 0,
    feedLatencyMs: 0,
    commission: null,
    fromMs: null,
    toMs: null,
    seed: 1,
    ...given,
  };
  await runFastWith(input, fastSettings(INSTANT));
}

/** Each different value that a strategy without memory reads, behind the millisecond of its first view. */
async function seen<T>(
  tape: EventTape,
  read: (view: EventView) => T,
  { quotes = [], ...given }: Partial<BacktestInput> & { readonly quotes?: readonly Written[] } = {},
): Promise<readonly (readonly [ms: number, value: T])[]> {
  const values: [number, T][] = [];
  const strategy = scripted((view) => {
    const value = structuredClone(read(view));
    if (JSON.stringify(values.at(-1)?.[1]) !== JSON.stringify(value))
      values.push([view.nowMs - TAPE_START_MS, value]);
    return quotes;
  });
  await run(tape, strategy, given);
  return values;
}

const only = ({ selections: [selection] }: EventView): SelectionView => selection as SelectionView;
const quote = (view: EventView): OwnQuote | undefined => only(view).quotes[0];
const tradesOf = (view: EventView) => {
  const { lastTraded, tradedVolume } = only(view);
  return { lastTraded, volume: tradedVolume === null ? null : levelsOf(tradedVolume) };
};

describe('trades', () => {
  const TRADES: readonly Step[] = [
    ...BOOK,
    [10_000, 'trade for', 2.5, 5],
    [10_000, 'for', 2.5, 95],
    [20_000, 'trade against', 2.3, 7],
    [30_000, 'trade for', 2.5, 2],
    [60_000, 'for', 2.52, 1],
  ];
  const at = (price: number, stake: number) => ({ price, minMicros: null, maxMicros: stake * 1e6 });

  it('are told with the price of the last one and what each price traded, as they happen', async () => {
    expect(await seen(tapeOf(TRADES), tradesOf)).toEqual([
      [0, { lastTraded: null, volume: [] }],
      [10_000, { lastTraded: 2.5, volume: [at(2.5, 5)] }],
      [20_000, { lastTraded: 2.3, volume: [at(2.5, 5), at(2.3, 7)] }],
      [30_000, { lastTraded: 2.5, volume: [at(2.5, 7), at(2.3, 7)] }],
    ]);
  });

  it('arrive after the time of the feed', async () => {
    const told = await seen(tapeOf(TRADES), (view) => only(view).lastTraded, { feedLatencyMs: 400 });
    expect(told).toEqual([
      [400, null],
      [10_400, 2.5],
      [20_400, 2.3],
      [30_400, 2.5],
    ]);
  });

  it('are null where the market was recorded without them', async () => {
    const tape = tapeOf(
      [...TRADES, [0, 'for', 3, 5, 1]].toSorted((a, b) => Number(a[0]) - Number(b[0])) as Step[],
      {
        selections: [{ outcome: 'h' }, { outcome: 'ah,h,-1', market: 1 }],
        markets: [{}, {}],
      },
    );
    const told = await seen(tape, ({ selections }) =>
      selections.map(({ lastTraded, tradedVolume }) => [lastTraded, tradedVolume?.length ?? null]),
    );
    expect(told.at(-1)?.[1]).toEqual([
      [2.5, 6],
      [null, null],
    ]);
    expect(await seen(tapeOf(BOOK), tradesOf)).toEqual([[0, { lastTraded: null, volume: null }]]);
  });

  it('look the same to a strategy with memory, also when it reads a view later', async () => {
    const kept: EventView[] = [];
    const watching = defineStrategy({
      name: 'watching',
      description: 'keeps views',
      parameters: z.unknown(),
      quotes: (view$) => view$.pipe(rxjs.map((view) => (kept.push(view), []))),
    });
    await run(tapeOf(TRADES), watching);
    const first = (ms: number) => kept.find(({ nowMs }) => nowMs >= TAPE_START_MS + ms) as EventView;
    expect(tradesOf(first(0))).toEqual({ lastTraded: null, volume: [] });
    expect(tradesOf(first(10_001))).toEqual({ lastTraded: 2.5, volume: [at(2.5, 5)] });
    expect(tradesOf(first(20_001))).toEqual({ lastTraded: 2.3, volume: [at(2.5, 5), at(2.3, 7)] });
  });
});

it.each<[string, readonly Written[]]>([
  [
    'inside the spread',
    [
      ['for', 2.44, 20],
      ['against', 2.36, 20],
    ],
  ],
  [
    'at the best prices',
    [
      ['for', 2.5, 20],
      ['against', 2.3, 20],
    ],
  ],
  ['on one side', [['for', 2.44, 20]]],
])('prices to take and the mid are those without our own orders: %s', async (_, quotes) => {
  const steps: readonly Step[] = [
    ...BOOK,
    [10_000, 'for', 2.5, 90],
    [10_000, 'against', 2.3, 70],
    [20_000, 'for', 2.52, 40],
    [30_000, 'for', 2.5, 0],
    [30_000, 'against', 2.3, 0],
    [40_000, 'against', 2.28, 30],
    [90_000, 'for', 3, 1],
  ];
  const told = (view: EventView) => {
    const { market, mid } = only(view);
    const sideOf = (side: typeof market.for) =>
      side === null ? null : { best: side.best, list: levelsOf(side.priceList) };
    return { mid, for: sideOf(market.for), against: sideOf(market.against) };
  };
  const without = await seen(tapeOf(steps), told);
  expect(without.length).toBeGreaterThan(4);
  expect(await seen(tapeOf(steps), told, { quotes })).toEqual(without);
  // Nor does a strategy that reads no list see them.
  const mids = (view: EventView) => [only(view).mid, only(view).market.for?.best];
  expect(await seen(tapeOf(steps), mids, { quotes })).toEqual(await seen(tapeOf(steps), mids));
});

it('the mid lies between ticks, and is null while a side is missing', async () => {
  const tape = tapeOf([...BOOK, [10_000, 'for', 2.5, 0], [20_000, 'for', 2.54, 10]]);
  expect(await seen(tape, (view) => only(view).mid)).toEqual([
    [0, (1 / 2.3 + 1 / 2.5) / 2],
    [10_000, null],
    [20_000, (1 / 2.3 + 1 / 2.54) / 2],
  ]);
});

it('the open profit is that at the mid, and is not known while a selection that holds bets has none', async () => {
  const tape = tapeOf(
    [
      ...BOOK,
      [10_000, 'trade for', 2.46, 5],
      [20_000, 'against', 2.3, 0],
      [30_000, 'against', 2.3, 80],
      [40_000, 'for', 2.54, 1],
    ],
    { selections: [{ outcome: 'h' }, { outcome: 'd' }] },
  );
  const profits = await seen(tape, ({ profit }) => profit.openMicros, { quotes: [['for', 2.44, 20]] });
  const mid = (1 / 2.3 + 1 / 2.5) / 2;
  const held = Math.round(mid * 7.2e6 - (1 - mid) * 5e6);
  expect(profits.map(([, micros]) => micros)).toEqual([0, held, null, held]);
});

it.each(['forgets', 'keeps'])(
  'a strategy that %s reads its fills of the last ten minutes, each with its age',
  async (memory) => {
    const steps: readonly Step[] = [
      ...BOOK,
      [10_000, 'trade for', 2.46, 5],
      [20_000, 'trade for', 2.46, 5],
      [610_000, 'for', 2.52, 1],
      [610_001, 'for', 2.52, 2],
      [620_000, 'for', 2.52, 3],
      [620_001, 'for', 2.52, 4],
    ];
    const ages = new Map<number, number[]>();
    const note = (view: EventView): void =>
      void ages.set(
        view.nowMs - TAPE_START_MS,
        (only(view).recentFills ?? []).map(({ ageMs }) => ageMs),
      );
    const quotes: readonly Written[] = [['for', 2.44, 20]];
    const forgetting = scripted((view) => (note(view), quotes));
    const keeping = defineStrategy({
      name: 'keeping',
      description: 'has a memory',
      parameters: z.unknown(),
      quotes: (view$) => view$.pipe(rxjs.map((view) => (note(view), forgetting.quote(view, {}) as never))),
    });
    await run(tapeOf(steps), memory === 'forgets' ? forgetting : keeping);
    expect([610_000, 610_001, 620_000, 620_001].map((ms) => ages.get(ms))).toEqual([
      [600_000, 590_000],
      [590_001],
      [600_000],
      [],
    ]);
  },
);

describe('the state of a market', () => {
  it('names bet delay and suspension', async () => {
    const tape = tapeOf(
      [
        ...BOOK,
        [10_000, 'state', suspended],
        [15_000, 'state', open + inPlay, 5_000],
        [40_000, 'for', 2.52, 1],
        [50_000, 'for', 2.54, 1],
      ],
      { markets: [{ betDelayModels: ['PASSIVE'] }], gaps: [[30_000, 40_000]] },
    );
    const state = (view: EventView) => [
      only(view).suspension,
      only(view).betDelayMs,
      only(view).betDelayModels,
    ];
    expect(await seen(tape, state)).toEqual([
      [0, ['none', 0, ['PASSIVE']]],
      [10_000, ['exchange', 0, ['PASSIVE']]],
      [15_000, ['none', 5_000, ['PASSIVE']]],
      [30_000, ['gap', 5_000, ['PASSIVE']]],
      [40_000, ['none', 5_000, ['PASSIVE']]],
    ]);
  });

  it('is null where the recording does not tell it', async () => {
    const tape = tapeOf([
      [0, 'for', 2.5, 100],
      [0, 'against', 2.3, 80],
    ]);
    const state = (view: EventView) => [only(view).betDelayMs, only(view).betDelayModels];
    expect(await seen(tape, state)).toEqual([[0, [null, null]]]);
  });
});

describe('our orders', () => {
  const QUOTES: readonly Written[] = [['for', 2.5, 20]];

  it('are sent, then delayed, then they rest', async () => {
    const tape = tapeOf([
      [0, 'state', open + inPlay, 3_000],
      [0, 'for', 2.5, 100],
      [0, 'against', 2.3, 80],
      [30_000, 'for', 2.52, 1],
    ]);
    const options = { quotes: QUOTES, requestLatencyMs: 1_500 };
    const phases = await seen(tape, (view) => quote(view)?.phase ?? 'none', options);
    expect(phases.map(([, phase]) => phase)).toEqual(['none', 'sent', 'delayed', 'resting']);
    // It is sent with the first view, arrives after 1.5 s and waits 3 s; the answer is here after 3 s. Views are 2 s apart.
    expect(phases.map(([ms]) => ms)).toEqual([0, 2_000, 4_000, 6_000]);
  });

  it('are closing while a close is under way', async () => {
    const tape = tapeOf([...BOOK, [10_000, 'against', 2.32, 10], [30_000, 'for', 2.52, 1]]);
    const phases = new Set<string>();
    const strategy = scripted((view) => {
      for (const { phase } of only(view).quotes) phases.add(phase);
      return view.nowMs - TAPE_START_MS < 10_000 ? QUOTES : [];
    });
    await run(tape, strategy, { requestLatencyMs: 3_000 });
    expect(phases).toContain('closing');
  });

  it('have the stake ahead that was there, less what traded, and never more than the level holds', async () => {
    const tape = tapeOf([
      ...BOOK,
      [3_000, 'for', 2.5, 130],
      [5_000, 'trade for', 2.5, 30],
      [5_000, 'for', 2.5, 100],
      [7_000, 'for', 2.5, 60],
      [9_000, 'for', 2.5, 90],
      [11_000, 'for', 2.52, 1],
    ]);
    const ahead = await seen(tape, (view) => quote(view)?.aheadMicros, { quotes: QUOTES });
    expect(ahead.map(([, micros]) => micros)).toEqual([100e6, 70e6, 60e6]);
  });
});

describe('scores', () => {
  const tape: EventTape = {
    ...tapeOf([...BOOK, [60_000, 'for', 2.52, 1]]),
    scores: [
      { atMs: TAPE_START_MS + 20_000, score: [0, 0], redCards: null, clock: { period: '1h', minutes: 0 } },
      { atMs: TAPE_START_MS + 30_000, score: [1, 0], redCards: [0, 1], clock: { period: '1h', minutes: 9 } },
    ],
  };
  const told = ({ score, redCards, matchClock }: EventView) => ({
    score,
    redCards,
    minutes: matchClock?.minutes,
  });

  it('are told when they arrive, though no price moves', async () => {
    expect(await seen(tape, told, { feedLatencyMs: 100 })).toEqual([
      [100, { score: null, redCards: null, minutes: undefined }],
      [20_100, { score: [0, 0], redCards: null, minutes: 0 }],
      [30_100, { score: [1, 0], redCards: [0, 1], minutes: 9 }],
    ]);
  });
});

it('a score that is on its way with the prices is not known before them', async () => {
  const tape: EventTape = {
    ...tapeOf([...BOOK, [20_030, 'for', 2.52, 1], [60_000, 'for', 2.54, 1]]),
    scores: [{ atMs: TAPE_START_MS + 20_050, score: [1, 0], redCards: null, clock: null }],
  };
  // The strategy gets the showing of 20,030 after the goal, and that showing does not tell the goal.
  const views: number[] = [];
  const told = await seen(
    tape,
    ({ score, nowMs }) => {
      views.push(nowMs - TAPE_START_MS);
      return score;
    },
    { feedLatencyMs: 100 },
  );
  expect(views.some((ms) => ms > 20_050 && ms < 20_150)).toBe(true);
  expect(told.map(([, score]) => score)).toEqual([null, [1, 0]]);
  expect(told[1]?.[0]).toBeGreaterThanOrEqual(20_150);
});

describe('prices of price sources', () => {
  const arrived = (ms: number, price: number | null, key = 'Home v Away|h') => ({
    arrivedMs: TAPE_START_MS + ms,
    source: 'mine',
    key,
    price,
  });
  const tape: EventTape = {
    ...tapeOf([...BOOK, [60_000, 'for', 2.52, 1]]),
    sourcePrices: [
      { ...arrived(5_000, 2.4), atMs: TAPE_START_MS + 4_000 },
      arrived(6_000, 9, 'Other v Match|h'),
      arrived(20_000, 2.44),
      arrived(30_000, null),
    ],
  };
  const rules = {
    name: 'mine',
    staleAfterMs: 10_000,
    match: { sports: [], competitions: [], marketTypes: [] },
    keyOf: keysFrom('{home} v {away}|{outcome}'),
  };
  const priceOf = (view: EventView) => only(view).sourcePrices['mine']?.price ?? null;

  it('are those that had arrived and are not stale', async () => {
    const prices = await seen(tape, priceOf, { priceSources: [rules] });
    expect(prices.map(([, price]) => price)).toEqual([null, 2.4, null, 2.44, null]);
    expect(prices[1]?.[0]).toBe(5_000);
    expect(prices[3]?.[0]).toBe(20_000);
    const latencies = await seen(tape, (view) => only(view).sourcePrices['mine']?.latencyMs ?? null, {
      priceSources: [rules],
    });
    expect(latencies).toContainEqual([5_000, 1_000]);
  });

  it('are absent without a source of their name', async () => {
    expect(await seen(tape, (view) => only(view).sourcePrices)).toEqual([[0, {}]]);
    expect(await seen(tape, priceOf, { priceSources: [{ ...rules, name: 'other' }] })).toEqual([[0, null]]);
  });
});
