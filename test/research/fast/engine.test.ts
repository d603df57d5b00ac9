import { describe, expect, it } from 'vitest';
import { fromMicros } from '../../../src/domain/money.ts';
import { HALF_LOSS, HALF_WIN, LOSS, WIN } from '../../../src/domain/payoff.ts';
import type { BacktestInput } from '../../../src/research/backtest-engine.ts';
import { runFastWith } from '../../../src/research/fast/engine.ts';
import { fastSettings } from '../../../src/research/fast/settings.ts';
import { SCENARIOS } from '../../../src/fills/fill-model.ts';
import type { ScenarioResult } from '../../../src/research/result.ts';
import type { EventTape } from '../../../src/research/tape.ts';
import { readRiskLimits } from '../../../src/risk/index.ts';
import type { Strategy } from '../../../src/strategy/contract.ts';
import { scripted } from '../../support/scripted-strategy.ts';
import {
  closed,
  inPlay,
  open,
  type Step,
  suspended,
  TAPE_START_MS,
  tapeOf,
  fairBetween,
} from '../../support/tapes.ts';

const INSTANT = fastSettings({ placementDelayMs: [0, 0], inPlayDelayMs: [0, 0] });

function limitsOf(table: object): BacktestInput['limits'] {
  const read = readRiskLimits(table, 'simulated');
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.limits;
}

interface Options extends Partial<BacktestInput> {
  readonly settings?: typeof INSTANT;
}

async function run(
  tapes: readonly EventTape[],
  strategy: Strategy,
  options: Options = {},
): Promise<ScenarioResult> {
  const { settings = INSTANT, ...given } = options;
  const input: BacktestInput = {
    async *tapes() {
      yield* tapes;
    },
    strategy,
    parameters: {},
    limits: limitsOf({ inPlay: { allowed: true } }),
    balanceMicros: 10_000e6,
    scenarios: ['touch'],
    requestLatencyMs: 0,
    feedLatencyMs: 0,
    commission: null,
    fromMs: null,
    toMs: null,
    seed: 1,
    ...given,
  };
  const [result] = await runFastWith(input, settings);
  if (result === undefined) throw new Error('no result');
  return result;
}

const shown = ({ fills }: ScenarioResult): string[] =>
  fills.map(
    ({ atMs, direction, stakeMicros }) => `${atMs - TAPE_START_MS}: ${direction} ${fromMicros(stakeMicros)}`,
  );

const BOOK: readonly Step[] = [
  [0, 'for', 2.5, 100],
  [0, 'against', 2.3, 80],
];
const END: Step = [600_000, 'state', closed];

const forOnly = scripted(() => [['for', 2.4, 20]]);

describe('the fast engine', () => {
  it('rests the quotes of a strategy and explains each fill', async () => {
    const steps: readonly Step[] = [
      ...BOOK,
      [10_000, 'trade for', 2.4, 5],
      [10_500, 'against', 2.34, 60],
      [30_000, 'against', 2.3, 0],
      [30_000, 'against', 2.34, 0],
      [30_000, 'against', 2.2, 60],
      END,
    ];
    const { fills, events } = await run([tapeOf(steps)], forOnly);
    // Fair values are the middle of log-odds, of the book before the trade for the fill.
    expect(fills).toHaveLength(1);
    expect(fills[0]).toMatchObject({
      direction: 'for',
      stakeMicros: 5e6,
      atMs: TAPE_START_MS + 10_000,
      startsInMs: 3_590_000,
      inPlay: false,
      restedFromMs: TAPE_START_MS,
      queueAheadMicros: 0,
      tradedMicros: 5e6,
      cause: 'trade',
      dataAgeMs: 10_000,
      settledMicros: null,
      marketId: '1.0',
      fairAtFill: expect.closeTo(fairBetween(2.3, 2.5), 12),
      markKinds: ['on time', 'on time', 'on time'],
      fairLater: [2.34, 2.2, 2.2].map((back) => expect.closeTo(fairBetween(back, 2.5), 12)),
      fairAtClose: expect.closeTo(fairBetween(2.2, 2.5), 12),
    });
    expect(events[0]).toMatchObject({ fills: 1, stakeMicros: 5e6, day: '2026-01-03', settledMicros: null });
  });

  it.each([
    ['2026-01-03', 'ends after midnight', 8.9, 10],
    ['2026-01-04', 'is recorded from the day before on', 9.1, 10],
    ['2026-01-04', 'is recorded on the day before alone', 9.1, 1],
  ])('counts an event to %s that %s: the day of its scheduled start', async (day, _, startsInH, endsInH) => {
    const hourMs = 3_600_000;
    const tape = tapeOf([...BOOK, [endsInH * hourMs, 'state', closed]], { startsInMs: startsInH * hourMs });
    expect((await run([tape], forOnly)).events.map((event) => event.day)).toEqual([day]);
  });

  it('decides with what the exchange shows: at most each 500 ms, after the latencies', async () => {
    const decidedMs: number[] = [];
    const strategy = scripted(({ selections: [first], nowMs }) => {
      if (first?.market.for !== null) decidedMs.push(nowMs - TAPE_START_MS);
      return [];
    });
    const steps: readonly Step[] = [
      ...BOOK,
      [100, 'for', 2.5, 90],
      [200, 'for', 2.5, 80],
      [900, 'for', 2.5, 70],
      [5_000, 'for', 2.5, 60],
      [6_000, 'state', closed],
    ];
    await run([tapeOf(steps)], strategy, { feedLatencyMs: 30 });
    expect(decidedMs).toEqual([30, 530, 1_030, 3_030, 5_030, 5_530]);
  });

  it('does not fill a request that is under way', async () => {
    const steps: readonly Step[] = [...BOOK, [399, 'trade for', 2.4, 3], [400, 'trade for', 2.4, 4], END];
    const settings = fastSettings({ placementDelayMs: [250, 250] });
    const options = { requestLatencyMs: 100, feedLatencyMs: 50, settings };
    expect(shown(await run([tapeOf(steps)], forOnly, options))).toEqual(['400: for 4']);
  });

  it('draws latencies from observed ones, by the seed', async () => {
    const steps: readonly Step[] = [...BOOK, ...trades(), END];
    const options = { requestLatencyMs: [10, 900], feedLatencyMs: [0, 400] };
    const of = async (seed: number) => shown(await run([tapeOf(steps)], forOnly, { ...options, seed }));
    expect(await of(1)).toEqual(await of(1));
    const seen = new Set(await Promise.all([1, 2, 3, 4, 5, 6].map(async (seed) => (await of(seed))[0])));
    expect(seen.size).toBeGreaterThan(1);
  });

  it('renews orders before they lapse, and cancels quotes that are no longer wanted', async () => {
    const steps: readonly Step[] = [...BOOK, [180_000, 'trade for', 2.4, 5], END];
    const result = await run([tapeOf(steps)], forOnly, { toMs: TAPE_START_MS + 181_000 });
    // One each 58 s: an order lives 60 s and is renewed at the last showing before its last 2.5 s.
    expect(result.events[0]).toMatchObject({ orders: 4, fills: 1, betslips: 1 });
    expect(result.events[0]?.refusals).toEqual({});
    const once = scripted(({ nowMs }) => (nowMs < TAPE_START_MS + 1_000 ? [['for', 2.4, 20]] : []));
    expect(shown(await run([tapeOf(steps)], once))).toEqual([]);
  });

  it('quotes nothing outside its window', async () => {
    const steps: readonly Step[] = [...BOOK, ...trades(), END];
    const window = { fromMs: TAPE_START_MS + 3_000, toMs: TAPE_START_MS + 5_000 };
    expect(shown(await run([tapeOf(steps)], forOnly, window))).toEqual(['3000: for 1', '4000: for 1']);
  });

  it('stops at suspensions and at the turn in play, and quotes again after it', async () => {
    const states: readonly Step[] = [
      [2_500, 'state', suspended],
      [5_500, 'state', open + inPlay, 3_000],
    ];
    const steps = [...BOOK, ...states, ...trades(), END].toSorted(([a], [b]) => a - b);
    const result = await run([tapeOf(steps)], forOnly);
    expect(shown(result).slice(0, 4)).toEqual(['1000: for 1', '2000: for 1', '9000: for 1', '10000: for 1']);
    expect(result.fills.map((fill) => fill.inPlay).slice(0, 3)).toEqual([false, false, true]);
    // They are inside the last minute before play, which marks judge.
    expect(result.fills.map(({ noClosing }) => noClosing).slice(0, 3)).toEqual([
      'the fill is in the last minute before play',
      'the fill is in the last minute before play',
      'the fill is in play',
    ]);
  });

  it('applies the limits of risk', async () => {
    const steps: readonly Step[] = [...BOOK, ...trades(), END];
    const small = limitsOf({ order: { maxStakeUsdt: 10 } });
    const result = await run([tapeOf(steps)], forOnly, { limits: small });
    expect(result.fills).toEqual([]);
    expect(result.events[0]?.refusals).toEqual({ stake_limit: expect.any(Number) as number });
    const bound = limitsOf({
      order: { maxLiabilityUsdt: 20 },
      worstCase: { selectionUsdt: 30 },
    });
    const fast: readonly Step[] = [
      ...BOOK,
      ...[10, 20, 30, 40].map((s): Step => [s * 1000, 'trade for', 2.4, 20]),
      END,
    ];
    // After 20 are matched, another 20 could lose 40.
    expect(shown(await run([tapeOf(fast)], forOnly, { limits: bound }))).toEqual(['10000: for 20']);
    const preMatch = limitsOf({});
    const turned: readonly Step[] = [...BOOK, [500, 'state', open + inPlay], ...trades(), END];
    expect(shown(await run([tapeOf(turned)], forOnly, { limits: preMatch }))).toEqual([]);
  });

  it.each([
    // Each fill of 20 leaves room for one more order of 20, until the day's stake is used up.
    [50, 2],
    [100, 5],
    [119, 5],
    [120, 6],
  ])(
    'counts the matched stake and what is still open against a turnover of %d: %d fills',
    async (dayUsdt, count) => {
      const steps = Array.from({ length: 10 }, (_, at): Step => [10_000 * (at + 1), 'trade for', 2.4, 20]);
      const limits = limitsOf({ order: { maxStakeUsdt: 20 }, turnover: { dayUsdt } });
      const { fills } = await run([tapeOf([...BOOK, ...steps, END])], forOnly, { limits });
      expect(fills).toHaveLength(count);
    },
  );

  it.each([
    ['stops for good after a fall from the highest profit, though it still gains', 3, 1],
    ['goes on after a smaller one', 5, 2],
  ])('%s', async (_, fromPeakUsdt, count) => {
    const book = (ms: number, gone: readonly [number, number], now: readonly [number, number]): Step[] => [
      [ms, 'against', gone[0], 0],
      [ms, 'for', gone[1], 0],
      [ms, 'against', now[0], 100],
      [ms, 'for', now[1], 100],
    ];
    const steps: readonly Step[] = [
      ...BOOK,
      [10_000, 'trade for', 2.4, 20],
      ...book(20_000, [2.3, 2.5], [1.9, 2]),
      // Up by 4.7 at the first sample, by 0.1 at the second.
      [80_000, 'for', 3, 1],
      ...book(90_000, [1.9, 2], [2.3, 2.5]),
      [150_000, 'for', 3, 2],
      [200_000, 'trade for', 2.4, 20],
      END,
    ];
    const loss = { dayUsdt: 1e4, strategyDayUsdt: 1e4, fromPeakUsdt, strategyFromPeakUsdt: fromPeakUsdt };
    const { fills } = await run([tapeOf(steps)], forOnly, { limits: limitsOf({ loss }) });
    expect(fills).toHaveLength(count);
  });

  it('fills by crossing books alone where no trade was recorded', async () => {
    const steps: readonly Step[] = [...BOOK, [10_000, 'for', 2.4, 50], [20_000, 'against', 2.42, 7], END];
    for (const scenario of SCENARIOS) {
      const result = await run([tapeOf(steps)], forOnly, { scenarios: [scenario] });
      expect(shown(result)).toEqual(['20000: for 7']);
      expect(result.fills[0]?.cause).toBe('book-crossed');
    }
  });

  it('measures the time with quotes on both sides, without suspensions', async () => {
    const both = scripted(() => [
      ['for', 2.4, 20],
      ['against', 2.36, 20],
    ]);
    const steps: readonly Step[] = [
      ...BOOK,
      [10_000, 'state', suspended],
      [15_000, 'state', open],
      [30_000, 'trade for', 2.4, 20],
      [40_000, 'state', closed],
    ];
    const { events } = await run([tapeOf(steps)], both);
    expect(events[0]?.openMs).toBe(35_000);
    // While the market is suspended nothing is shown, and the strategy still wants its quotes; they rest.
    expect(events[0]?.twoSidedMs).toBe(35_000);
  });
});

/** One unit of volume each second for a minute. */
const trades = (): Step[] =>
  Array.from({ length: 60 }, (_, at): Step => [(at + 1) * 1000, 'trade for', 2.4, 1]);

describe('settlement', () => {
  const quotes = scripted(() => [
    ['for', 2.4, 20, 0],
    ['against', 2.4, 10, 1],
  ]);
  const bothTraded: readonly Step[] = [
    ...[0, 1].flatMap((at): Step[] => [
      [0, 'for', 2.5, 100, at],
      [0, 'against', 2.3, 80, at],
    ]),
    [10_000, 'trade for', 2.4, 20, 0],
    [10_000, 'trade against', 2.4, 10, 1],
    [20_000, 'state', closed, 0, 0],
    [20_000, 'state', closed, 0, 1],
  ];
  const outcome = async (
    settlements: readonly (typeof WIN)[],
    sameMarket: boolean,
    commission: number | null = null,
  ) => {
    const selections = settlements.map((settlement, at) => ({
      outcome: at === 0 ? 'h' : 'a',
      settlement,
      market: sameMarket ? 0 : at,
    }));
    const markets = sameMarket ? [{}] : [{}, { commissionRate: 0.02 }];
    const tape = tapeOf(sameMarket ? bothTraded.slice(0, -1) : bothTraded, { selections, markets });
    const [event] = (await run([tape], quotes, { commission })).events;
    return [event?.settledMicros, event?.afterCommissionMicros].map((micros) => fromMicros(micros ?? NaN));
  };

  it('pays wins, losses and halves of them', async () => {
    expect(await outcome([WIN, LOSS], true)).toEqual([38, 36.1]);
    expect(await outcome([HALF_WIN, HALF_LOSS], true)).toEqual([19, 18.05]);
    expect(await outcome([LOSS, WIN], true)).toEqual([-34, -34]);
    expect(await outcome([HALF_LOSS, HALF_WIN], true)).toEqual([-17, -17]);
  });

  it('takes commission on the net winnings of each market, not across markets', async () => {
    // Within one market 28 are won and 14 lost; over two markets only the winnings pay.
    expect(await outcome([WIN, WIN], true)).toEqual([14, 13.3]);
    expect(await outcome([WIN, WIN], false)).toEqual([14, 12.6]);
    expect(await outcome([LOSS, LOSS], false)).toEqual([-10, -10.2]);
    expect(await outcome([LOSS, LOSS], false, 0.1)).toEqual([-10, -11]);
  });

  it('tells what commission takes of bets without an edge: half of each deviation at most, market by market', async () => {
    const chance = async (commission: number | null, rates: readonly number[]): Promise<number> => {
      const selections = rates.map((_, market) => ({
        outcome: market === 0 ? 'h' : 'a',
        settlement: WIN,
        market,
      }));
      const markets = rates.map((commissionRate) => ({ commissionRate }));
      const { events, fills } = await run([tapeOf(bothTraded, { selections, markets })], quotes, {
        commission,
      });
      expect(fills.map(({ direction }) => direction)).toEqual(['for', 'against']);
      const deviations = fills.map(({ fairAtFill, stakeMicros }) => {
        const fair = fairAtFill ?? NaN;
        return 2.4 * stakeMicros * Math.sqrt(fair * (1 - fair));
      });
      const expected = rates.map((rate, at) => ((commission ?? rate) * (deviations[at] ?? NaN)) / 2);
      expect(events[0]?.chanceCommissionMicros).toBeCloseTo(
        expected.reduce((sum, each) => sum + each),
        3,
      );
      return expected.reduce((sum, each) => sum + each);
    };
    expect(await chance(null, [0.05, 0.02])).toBeGreaterThan(0);
    expect(await chance(null, [0, 0.02])).toBeGreaterThan(0);
    expect(await chance(0.1, [0.05, 0.02])).toBeGreaterThan(await chance(null, [0.05, 0.02]));
    expect(await chance(0, [0.05, 0.02])).toBe(0);
  });

  it('adds the settled profit to the course of the account', async () => {
    const selections = [{ outcome: 'h', settlement: WIN }];
    const tape = tapeOf([...BOOK, [10_000, 'trade for', 2.4, 20], END], { selections });
    const { equity, events } = await run([tape], forOnly);
    expect(equity[0]).toMatchObject({ inventoryMicros: 48e6, settledMicros: 0, worstMicros: -20e6 });
    expect(equity.at(-1)).toMatchObject({ settledMicros: 26.6e6, markedMicros: 26.6e6, inventoryMicros: 0 });
    expect(events[0]?.worstMicros).toBe(-40e6);
  });

  it('settles fills from before a removal at the reduced price, and compares them with its fair prices so', async () => {
    const racing: readonly Step[] = [
      [0, 'for', 3.1, 100],
      [0, 'against', 2.9, 100],
      [5_000, 'trade for', 3, 5],
      [30_000, 'state', suspended],
      [60_000, 'for', 3.1, 0],
      [60_000, 'against', 2.9, 0],
      [60_000, 'for', 2.2, 100],
      [60_000, 'against', 2.1, 100],
      [60_000, 'state', open],
      END,
    ];
    const tape = tapeOf(racing, {
      selections: [
        { outcome: 'win,1', settlement: WIN },
        { outcome: 'win,2', settlement: LOSS },
      ],
      markets: [{ marketType: 'win' }],
      removals: [{ atMs: 30_000, market: 0, selection: 1, factor: 30 }],
    });
    const { fills } = await run(
      [tape],
      scripted(() => [['for', 3, 10]]),
      { toMs: TAPE_START_MS + 20_000 },
    );
    // The probability between two prices is that of the middle of their log-odds.
    const [fill] = fills;
    expect(fills).toHaveLength(1);
    expect(fill).toMatchObject({
      stakeMicros: 5e6,
      settledMicros: 5.5e6,
      markKinds: ['on time', 'on time', 'on time'],
    });
    expect(fill?.fairLater[0]).toBeCloseTo(fairBetween(2.9, 3.1), 12);
    expect(fill?.markMicros[0]).toBeCloseTo(5e6 * (3 * fairBetween(2.9, 3.1) - 1), 0);
    expect(fill?.fairLater[1]).toBeCloseTo(fairBetween(2.1, 2.2), 12);
    expect(fill?.markMicros[1]).toBeCloseTo(5e6 * (0.7 * 3 * fairBetween(2.1, 2.2) - 1), 0);
  });

  it('closes an order that lapses soon once its replacement stands, so that both are filled no longer than that', async () => {
    const renewing: readonly Step[] = [...BOOK, [59_500, 'trade for', 2.4, 100], END];
    const { fills } = await run([tapeOf(renewing)], forOnly, { requestLatencyMs: 100 });
    expect(shown({ fills } as ScenarioResult)).toEqual(['59500: for 20']);
  });
});
