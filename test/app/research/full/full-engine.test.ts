/** The whole daemon on a recorded market, in virtual time. */
import { describe, expect, it } from 'vitest';
import { bundledConfig } from '../../../../src/app/adapters/own-files.ts';
import { loadConfig } from '../../../../src/app/config/load.ts';
import { riskLimitsOf } from '../../../../src/app/config/part-options.ts';
import { fullEngine } from '../../../../src/app/research/full/engine.ts';
import { type PlayedSession, playSession } from '../../../../src/app/research/full/session.ts';
import { FILL_MODELS } from '../../../../src/fills/scenarios.ts';
import { strategyNamed } from '../../../../src/app/strategies/load.ts';
import { LOSS, WIN } from '../../../../src/domain/payoff.ts';
import type { BacktestInput } from '../../../../src/research/backtest-engine.ts';
import type { ScenarioResult } from '../../../../src/research/result.ts';
import type { EventTape } from '../../../../src/research/tape.ts';
import { parseParameters } from '../../../../src/strategy/loader.ts';
import {
  closed,
  open,
  type Step,
  suspended,
  TAPE_START_MS,
  type TapeOptions,
  tapeOf,
} from '../../../support/tapes.ts';

const MINUTE_MS = 60_000;
const START_MICROS = 10_000e6;
const DAY_MS = 86_400_000;
const RESULT: TapeOptions = {
  selections: [
    { outcome: 'h', settlement: WIN },
    { outcome: 'a', settlement: LOSS },
  ],
};

/** A book of two selections that stands still. */
const BOOK: readonly Step[] = [
  [0, 'state', open],
  ...[0, 1].flatMap((selection): Step[] => [
    [0, 'for', 2.06, 500, selection],
    [0, 'for', 2.08, 500, selection],
    [0, 'against', 1.96, 500, selection],
    [0, 'against', 1.94, 500, selection],
  ]),
];

/** Both sides trade through the quotes every five seconds. */
function trades(fromMs: number, toMs: number): Step[] {
  const steps: Step[] = [];
  for (let atMs = fromMs; atMs < toMs; atMs += 5_000)
    steps.push([atMs, 'trade for', 2.08, 40, 0], [atMs, 'for', 2.08, 500, 0]);
  for (let atMs = fromMs + 2_000; atMs < toMs; atMs += 5_000)
    steps.push([atMs, 'trade against', 1.94, 40, 0], [atMs, 'against', 1.94, 500, 0]);
  return steps.sort((a, b) => a[0] - b[0]);
}

const END: Step = [5 * MINUTE_MS, 'state', closed];
const MARKET: readonly Step[] = [...BOOK, ...trades(MINUTE_MS, 4 * MINUTE_MS), END];

/** A market for each selection. Trades are in the first. */
const TWO_MARKETS: TapeOptions = {
  selections: [
    { outcome: 'h', settlement: WIN },
    { outcome: 'a', market: 1, settlement: LOSS },
  ],
  markets: [{}, {}],
};

const suspendedIn = (market: number): Step[] =>
  [
    ...MARKET,
    [0, 'state', open, 0, 1] as Step,
    [2 * MINUTE_MS - 1, 'state', suspended, 0, market] as Step,
    [3 * MINUTE_MS, 'state', open, 0, market] as Step,
    [5 * MINUTE_MS, 'state', closed, 0, 1] as Step,
  ].sort((a, b) => a[0] - b[0]);

async function run(
  tapes: readonly EventTape[],
  given: Partial<BacktestInput> = {},
): Promise<readonly ScenarioResult[]> {
  const { values: config } = loadConfig({
    files: [bundledConfig('simulated')],
    environment: {},
    settings: { 'universe.marketTypes': '' },
  });
  const strategy = await strategyNamed('symmetric');
  const choice = { halfSpread: 0.03 };
  return fullEngine({ config, strategy: 'symmetric', parameters: choice })({
    async *tapes() {
      yield* tapes;
    },
    strategy,
    parameters: parseParameters(strategy, choice),
    limits: riskLimitsOf(config),
    balanceMicros: 10_000e6,
    scenarios: ['queue'],
    requestLatencyMs: 20,
    feedLatencyMs: 20,
    commission: null,
    fromMs: null,
    toMs: null,
    seed: 1,
    ...given,
  });
}

/** The session of a tape under `queue`, without the engine around it. */
function session(tape: EventTape, againstPrices = 'lay'): Promise<PlayedSession> {
  const { values: config } = loadConfig({
    files: [bundledConfig('simulated')],
    environment: {},
    settings: {
      'universe.marketTypes': '',
      'strategy.parameters.halfSpread': '0.03',
      'simulator.againstPrices': againstPrices,
    },
  });
  return playSession({
    config,
    tapes: [tape],
    fillModel: FILL_MODELS.queue,
    limits: riskLimitsOf(config),
    balanceMicros: START_MICROS,
    requestLatencyMs: 20,
    feedLatencyMs: 20,
    commission: null,
    fromMs: null,
    toMs: null,
    seed: 3,
    onTime: () => undefined,
  });
}

const within = ({ fills }: ScenarioResult, fromMs: number, toMs: number): number =>
  fills.filter(({ atMs }) => atMs - TAPE_START_MS >= fromMs && atMs - TAPE_START_MS < toMs).length;

describe('the full engine', () => {
  it('quotes both sides, is filled by recorded trades, and settles as recorded', async () => {
    const [result] = await run([tapeOf(MARKET, RESULT)]);
    const [event] = result?.events ?? [];
    const fills = result?.fills ?? [];
    expect(fills.length).toBeGreaterThan(5);
    expect(new Set(fills.map(({ direction }) => direction))).toEqual(new Set(['for', 'against']));
    for (const fill of fills) {
      expect(fill).toMatchObject({ cause: 'trade', inPlay: false, marketId: '1.0' });
      expect(fill.restedFromMs).toBeLessThan(fill.atMs);
      expect(fill.fairAtFill).toBeCloseTo((1 / 1.96 + 1 / 2.06) / 2, 2);
      expect(fill.tradedMicros).toBeGreaterThanOrEqual(fill.stakeMicros);
    }
    const settled = fills.reduce((sum, { settledMicros }) => sum + (settledMicros ?? NaN), 0);
    expect(event).toMatchObject({ fills: fills.length, settledMicros: settled });
    expect(event?.refusals).toEqual({});
    expect(event?.betslips).toBeGreaterThanOrEqual(4);
    expect(event?.twoSidedMs).toBeGreaterThan(0.6 * (event?.openMs ?? Infinity));
  });

  it('finds the profit that the exchange has paid, to the micro', async () => {
    const { events, balanceMicros } = await session(tapeOf(MARKET, RESULT));
    const [event] = events;
    expect(event?.fills.length).toBeGreaterThan(5);
    expect(event?.outcome.settledMicros).toBe(balanceMicros - START_MICROS);
    expect(event?.outcome.settledMicros).not.toBe(0);
  });

  it('keeps the lay prices of the recording, whatever the embedded exchange speaks otherwise', async () => {
    const [lay, odds] = [
      await session(tapeOf(MARKET, RESULT)),
      await session(tapeOf(MARKET, RESULT), 'odds'),
    ];
    expect(odds.events).toEqual(lay.events);
    expect(odds.balanceMicros).toBe(lay.balanceMicros);
  });

  it('gives the same result again, and another one for another seed', async () => {
    const [first, again, other] = [
      await run([tapeOf(MARKET, RESULT)]),
      await run([tapeOf(MARKET, RESULT)]),
      await run([tapeOf(MARKET, RESULT)], { seed: 2 }),
    ];
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  it('is not filled during a suspension or a gap', async () => {
    const steps: Step[] = [
      ...MARKET,
      [2 * MINUTE_MS - 1, 'state', suspended] as Step,
      [3 * MINUTE_MS, 'state', open] as Step,
    ].sort((a, b) => a[0] - b[0]);
    const [suspension] = await run([tapeOf(steps, RESULT)]);
    const [gap] = await run([tapeOf(MARKET, { ...RESULT, gaps: [[2 * MINUTE_MS, 3 * MINUTE_MS]] })]);
    for (const result of [suspension, gap]) {
      expect(result && within(result, MINUTE_MS, 2 * MINUTE_MS)).toBeGreaterThan(0);
      expect(result && within(result, 2 * MINUTE_MS, 3 * MINUTE_MS)).toBe(0);
    }
  });

  it.each([
    ['a suspension', (market: number) => tapeOf(suspendedIn(market), TWO_MARKETS)],
    [
      'a gap',
      (market: number) => tapeOf(MARKET, { ...TWO_MARKETS, gaps: [[2 * MINUTE_MS, 3 * MINUTE_MS, market]] }),
    ],
  ])('is not filled in %s of its market, and filled in that of another', async (_, tapeWith) => {
    const [own] = await run([tapeWith(0)]);
    const [other] = await run([tapeWith(1)]);
    expect(own && within(own, MINUTE_MS, 2 * MINUTE_MS)).toBeGreaterThan(0);
    expect(own && within(own, 2 * MINUTE_MS, 3 * MINUTE_MS)).toBe(0);
    expect(other && within(other, 2 * MINUTE_MS, 3 * MINUTE_MS)).toBeGreaterThan(0);
  });

  it('quotes only within its window, and knows the market from before', async () => {
    const [result] = await run([tapeOf(MARKET, RESULT)], {
      fromMs: TAPE_START_MS + 90_000,
      toMs: TAPE_START_MS + 150_000,
    });
    expect(result && within(result, 90_000, 150_000)).toBeGreaterThan(0);
    expect(result && within(result, 0, 90_000) + within(result, 150_500, Infinity)).toBe(0);
    expect(result?.events[0]?.openMs).toBe(2 * 60_000);
    expect(result?.events[0]?.settledMicros).not.toBeNull();
  });

  it('plays events of different days one after the other, and tells its progress to the end', async () => {
    const later = tapeOf(MARKET, RESULT);
    const other = { ...later, event: { ...later.event, eventId: '2026-01-03,33,44' } as typeof later.event };
    const shifted = {
      ...other,
      startMs: other.startMs + DAY_MS,
      updates: { ...other.updates, atMs: other.updates.atMs.map((ms) => ms + DAY_MS) },
    };
    const done: number[] = [];
    const totals = new Set<number>();
    const [result] = await run([later, shifted], {
      onProgress: (doneMs, totalMs) => {
        done.push(doneMs);
        totals.add(totalMs);
      },
    });
    expect(result?.events.map(({ fills }) => fills > 0)).toEqual([true, true]);
    expect([...totals]).toEqual([2 * 5 * MINUTE_MS]);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(done.at(-1)).toBeGreaterThanOrEqual(2 * 5 * MINUTE_MS - 1_000);
  });
});
