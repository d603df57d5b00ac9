import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventId, sport } from '../../src/domain/ids.ts';
import { LOSS, WIN } from '../../src/domain/payoff.ts';
import { FAIR, type FairOptions } from '../../src/fair/options.ts';
import { fairSeries } from '../../src/fair/series.ts';
import { runFastWith } from '../../src/research/fast/engine.ts';
import { fastSettings } from '../../src/research/fast/settings.ts';
import type { ResearchFill } from '../../src/research/result.ts';
import { summarise } from '../../src/research/statistics/summarise.ts';
import type { EventTape } from '../../src/research/tape.ts';
import { readRiskLimits } from '../../src/risk/index.ts';
import type { Strategy } from '../../src/strategy/contract.ts';
import { scripted } from '../support/scripted-strategy.ts';
import {
  closed,
  generatedSteps,
  inPlay,
  open,
  type Step,
  suspended,
  TAPE_START_MS,
  tapeOf,
  fairBetween,
} from '../support/tapes.ts';

const limits = readRiskLimits({ inPlay: { allowed: true } }, 'simulated');

async function run(
  tapes: EventTape | readonly EventTape[],
  strategy: Strategy,
  variants: readonly FairOptions[] = [],
) {
  if (!limits.ok) throw new Error('the limits do not parse');
  const [result] = await runFastWith(
    {
      async *tapes() {
        yield* [tapes].flat();
      },
      strategy,
      parameters: {},
      limits: limits.limits,
      balanceMicros: 10_000e6,
      scenarios: ['touch'],
      requestLatencyMs: 0,
      feedLatencyMs: 0,
      commission: null,
      fromMs: null,
      toMs: null,
      seed: 1,
      variants,
    },
    fastSettings({ placementDelayMs: [0, 0], inPlayDelayMs: [0, 0] }),
  );
  if (result === undefined) throw new Error('no result');
  return result;
}

const both = scripted(() => [
  ['for', 2.42, 20],
  ['against', 2.4, 20],
]);

/** What a series says at regular instants. */
function said(tape: EventTape): unknown[] {
  const series = fairSeries(tape);
  return Array.from({ length: 100 }, (_, step) => {
    const atMs = TAPE_START_MS + step * 600;
    return [series.fairAt(0, atMs), series.markAfter(0, atMs, 10), series.closingLine(0)];
  });
}

describe('the fair values of fills', () => {
  it('are those of the market without our orders, whatever they fill', async () => {
    let fills = 0;
    await fc.assert(
      fc.asyncProperty(generatedSteps, async (steps) => {
        const tape = tapeOf([[0, 'against', 2.3, 90], [0, 'for', 2.5, 90], ...steps], {
          selections: [{ outcome: 'h', settlement: WIN }],
        });
        const without = said(structuredClone(tape));
        const result = await run(tape, both);
        fills += result.fills.length;
        expect(said(tape)).toEqual(without);
        for (const { atMs, fairAtFill } of result.fills) {
          const { logOdds } = fairSeries(tape).fairAt(0, atMs);
          expect(fairAtFill).toBe(logOdds === null ? null : 1 / (1 + Math.exp(0 - logOdds)));
        }
      }),
      { numRuns: 30 },
    );
    expect(fills).toBeGreaterThan(50);
  });

  it('judge by each variant as the verdict does', async () => {
    const steps: readonly Step[] = [
      [0, 'against', 2.3, 90],
      [0, 'for', 2.5, 90],
      [5_000, 'trade for', 2.44, 9],
      [9_000, 'against', 2.38, 12],
      [400_000, 'state', closed],
    ];
    const tape = tapeOf(steps, { selections: [{ outcome: 'h', settlement: WIN }] });
    const thin = { ...FAIR, riskMicros: FAIR.riskMicros / 2 };
    const { fills, events } = await run(tape, both, [FAIR, thin]);
    const worth = fills.reduce((sum, fill) => sum + (fill.closingMicros ?? fill.markMicros[1] ?? 0), 0);
    const stake = fills.reduce((sum, fill) => sum + fill.stakeMicros, 0);
    expect(stake).toBe(9e6);
    expect(events[0]?.byVariant[0]).toEqual({
      'before play': { worth, stake },
      'in play': { worth: 0, stake: 0 },
    });
    // 12 at 2.38 are 14.1 of risk: the touch only if 10 are asked for.
    const later = 1 / (1 + Math.sqrt(1.38 * 1.5));
    expect(events[0]?.byVariant[1]?.['before play']).toEqual({
      worth: Math.round(9e6 * (2.42 * later - 1)),
      stake,
    });
    expect(events[0]?.byVariant[1]?.['before play'].worth).not.toBe(worth);
    expect((await run(tape, both)).events[0]?.byVariant).toEqual([]);
  });

  it('attribute settled profit to the micro', async () => {
    await fc.assert(
      fc.asyncProperty(generatedSteps, fc.constantFrom(WIN, LOSS), async (steps, settlement) => {
        const result = await run(tapeOf(steps, { selections: [{ outcome: 'h', settlement }] }), both);
        const { split, profit } = summarise(result, 1);
        const sum = split.spreadMicros + split.adverseMicros + split.inventoryMicros;
        expect(sum + (split.settlementMicros ?? NaN)).toBe(profit.settledMicros);
        const paid = result.fills.reduce((all, { settledMicros }) => all + (settledMicros ?? NaN), 0);
        expect(profit.settledMicros).toBe(paid);
      }),
      { numRuns: 30 },
    );
  });

  it('end the equity at settled profit and open bets, over events with and without a result', async () => {
    const drawn = fc.array(fc.tuple(generatedSteps, fc.constantFrom(WIN, LOSS, null)), {
      minLength: 1,
      maxLength: 4,
    });
    let mixed = 0;
    await fc.assert(
      fc.asyncProperty(drawn, async (given) => {
        const tapes = given.map(([steps, settlement], at) => ({
          ...tapeOf(steps, { selections: [{ outcome: 'h', settlement }] }),
          event: { sport: sport('fb'), eventId: eventId(`2026-01-03,${at},22`) },
        }));
        const result = await run(tapes, both);
        const { profit } = summarise(result, 1);
        const { afterCommissionMicros, withOpenMicros, markedMicros, events, open: rest } = profit;
        expect(withOpenMicros).toBe((afterCommissionMicros ?? 0) + rest.markedMicros);
        expect(result.equity.at(-1)).toMatchObject({
          settledMicros: afterCommissionMicros ?? 0,
          markedMicros: withOpenMicros,
        });
        const [settled, others] = [true, false].map((hasResult) =>
          result.events.filter((event) => (event.settledMicros !== null) === hasResult && event.fills > 0),
        );
        expect([events - rest.events, rest.events]).toEqual([settled?.length, others?.length]);
        const ignoring = settled?.reduce((sum, event) => sum + event.markedMicros, 0) ?? 0;
        expect(markedMicros).toBe(ignoring + rest.markedMicros);
        if (rest.events > 0 && rest.events < events) mixed++;
      }),
      { numRuns: 60 },
    );
    expect(mixed).toBeGreaterThan(3);
  });

  /** A quote at 2.42 is filled at 10 s, after which the price falls; in play from 310 s on. */
  const STEPS: readonly Step[] = [
    [0, 'against', 2.36, 100],
    [0, 'for', 2.5, 100],
    [10_000, 'trade for', 2.42, 5],
    [15_000, 'for', 2.5, 0],
    [15_000, 'for', 2.4, 100],
    [400_000, 'state', suspended],
    [410_000, 'state', open + inPlay, 5_000],
    [700_000, 'trade for', 2.42, 5],
    [705_000, 'state', closed],
  ];
  const settled = { selections: [{ outcome: 'h', settlement: LOSS }] };
  const forOnly = scripted(() => [['for', 2.42, 20]]);
  const worth = (fair: number, price = 2.42): number => Math.round(5e6 * (price * fair - 1));

  it('judge each fill by its worths', async () => {
    const { fills } = await run(tapeOf(STEPS, settled), forOnly);
    const [first, last] = [fills[0], fills.at(-1)] as [ResearchFill, ResearchFill];
    const later = worth(fairBetween(2.36, 2.4));
    expect(first).toMatchObject({
      worthMicros: worth(fairBetween(2.36, 2.5)),
      markKinds: ['on time', 'on time', 'on time'],
      markMicros: [later, later, later],
      closingMicros: later,
      lastMicros: later,
      noClosing: null,
      perUnpushed: false,
    });
    expect(last).toMatchObject({
      markKinds: ['result', 'result', 'result'],
      fairLater: [null, null, null],
      markMicros: [-5e6, -5e6, -5e6],
      settledMicros: -5e6,
      noClosing: 'the fill is in play',
    });
  });

  it('stand beside the starting price, of fills before play', async () => {
    const selections = [{ outcome: 'h', settlement: LOSS, startingPrice: 2.2 }];
    const { fills } = await run(tapeOf(STEPS, { selections }), forOnly);
    expect(fills.map(({ startingMicros }) => startingMicros)).toEqual([worth(1 / 2.2), null]);
    expect(
      (await run(tapeOf(STEPS, settled), forOnly)).fills.map(({ startingMicros }) => startingMicros),
    ).toEqual([null, null]);
    const removals = [{ atMs: 18_000, market: 0, selection: null, factor: 40 }];
    const reduced = tapeOf(STEPS, { selections, markets: [{ marketType: 'win' }], removals });
    const [fill] = (await run(reduced, forOnly)).fills;
    expect(fill?.startingMicros).toBe(worth(1 / 2.2, 2.42 * 0.6));
    const result = await run(tapeOf(STEPS, { selections }), forOnly);
    expect(summarise(result, 1).startingPrice).toMatchObject({ mean: worth(1 / 2.2) / 5e6, fills: 1 });
  });

  it('are at the reduced price after another runner left', async () => {
    const removals = [{ atMs: 18_000, market: 0, selection: null, factor: 40 }];
    const tape = tapeOf(STEPS, { ...settled, markets: [{ marketType: 'win' }], removals });
    const [fill] = (await run(tape, forOnly)).fills;
    expect(fill?.worthMicros).toBe(worth(fairBetween(2.36, 2.5)));
    expect(fill?.closingMicros).toBe(worth(fairBetween(2.36, 2.4), 2.42 * 0.6));
  });
});
