/** The records of runs over generated events against a reading of the docs alone: every fill, and the outcome of every event. */
import { describe, expect, it } from 'vitest';
import { fastSettings } from '../../../src/research/fast/settings.ts';
import { runFastWith } from '../../../src/research/fast/engine.ts';
import type { EquityPoint, EventOutcome, ResearchFill } from '../../../src/research/result.ts';
import { type EventTape, MARKET_STATE, OP } from '../../../src/research/tape.ts';
import { readRiskLimits } from '../../../src/risk/index.ts';
import { generatedEvent } from '../../fair/generated-event.ts';
import { NaiveEvent } from '../../fair/naive-fair.ts';
import {
  naiveAfterCommission,
  naiveFill,
  naiveMarked,
  naiveOutcome,
  naivePosition,
  type NaiveTerms,
} from '../../fair/naive-judge.ts';
import { scripted, type Written } from '../../support/scripted-strategy.ts';

const EVENTS = 12;
const FEED_MS = 20;
const SETTINGS = fastSettings({ placementDelayMs: [0, 0], inPlayDelayMs: [0, 0] });

/** Joins the best prices of both sides. */
const joining = scripted(({ selections }) =>
  selections.flatMap(({ market }, at): Written[] => {
    const [back, lay] = [market.for?.best?.price, market.against?.best?.price];
    if (back === undefined || lay === undefined || back >= lay) return [];
    return [
      ['for', lay, 4, at],
      ['against', back, 3, at],
    ];
  }),
);

interface Run {
  readonly fills: readonly ResearchFill[];
  readonly equity: readonly EquityPoint[];
  readonly outcome: EventOutcome;
}

async function run(
  tape: EventTape,
  window: readonly [number | null, number | null],
  commission: number | null,
): Promise<Run> {
  const wide = { inPlay: { allowed: true } };
  const limits = readRiskLimits(wide, 'simulated');
  if (!limits.ok) throw new Error(JSON.stringify(limits.problems));
  const [result] = await runFastWith(
    {
      async *tapes() {
        yield tape;
      },
      strategy: joining,
      parameters: {},
      limits: limits.limits,
      balanceMicros: 100_000e6,
      scenarios: ['touch'],
      requestLatencyMs: 30,
      feedLatencyMs: FEED_MS,
      commission,
      fromMs: window[0],
      toMs: window[1],
      seed: 1,
    },
    SETTINGS,
  );
  const [outcome] = result?.events ?? [];
  if (result === undefined || outcome === undefined) throw new Error('no result');
  return { fills: result.fills, equity: result.equity, outcome };
}

const termsOf = ({ selections }: EventTape, fill: ResearchFill): NaiveTerms => ({
  selection: selections.findIndex(({ selectionId }) => selectionId === fill.selectionId),
  direction: fill.direction,
  tick: fill.tick,
  stakeMicros: fill.stakeMicros,
  atMs: fill.atMs,
  inPlay: fill.inPlay,
});

/** The state of a market after all updates of an instant. One that closed stays so. */
function stateAt({ updates: { op, of, tick, atMs } }: EventTape, market: number, untilMs: number): number {
  const states = [...tick].filter(
    (_, row) => op[row] === OP.state && of[row] === market && (atMs[row] ?? NaN) <= untilMs,
  );
  const end = states.find((state) => (state & 3) === MARKET_STATE.closed);
  return end ?? states.at(-1) ?? MARKET_STATE.open;
}

/** The time in which the markets were open, for each of their selections, within a window. */
function openMs(tape: EventTape, [fromMs, toMs]: readonly [number | null, number | null]): number {
  const { updates, gaps, selections } = tape;
  const [firstMs, endMs] = [updates.atMs[0] ?? NaN, updates.atMs.at(-1) ?? NaN];
  const all = [
    ...updates.atMs,
    ...gaps.flatMap((gap) => [gap.fromMs, gap.toMs]),
    fromMs ?? firstMs,
    toMs ?? endMs,
  ];
  const edges = [...new Set(all)].filter((ms) => ms >= firstMs && ms <= endMs).toSorted((a, b) => a - b);
  const isOpen = (market: number, ms: number): boolean => {
    const isInGap = gaps.some(
      (gap) => (gap.market ?? market) === market && gap.fromMs <= ms && ms < gap.toMs,
    );
    return (stateAt(tape, market, ms) & 3) === MARKET_STATE.open && !isInGap;
  };
  const stretches = edges.flatMap((ms, at) => {
    const isWithin = ms >= (fromMs ?? -Infinity) && ms < (toMs ?? Infinity);
    const openNow = isWithin ? tape.markets.map((_, market) => isOpen(market, ms)) : [];
    const count = selections.filter(({ market }) => openNow[market] === true).length;
    return count * ((edges[at + 1] ?? ms) - ms);
  });
  return stretches.reduce((sum, ms) => sum + ms, 0);
}

const positionsOf = (event: NaiveEvent, terms: readonly NaiveTerms[], nowMs: number) =>
  event.tape.selections.map((_, selection) => naivePosition(event, terms, selection, nowMs));

/** A sample of the account: of the fills that were known by then, at the last fair values. */
function expectPoint(
  event: NaiveEvent,
  terms: readonly NaiveTerms[],
  { atMs, markedMicros, inventoryMicros }: EquityPoint,
): void {
  const known = terms.filter((each) => each.atMs + FEED_MS <= atMs);
  const positions = positionsOf(event, known, atMs);
  const held = positions.reduce((sum, { win, lose }) => sum + win - lose, 0);
  const within = 1 + known.length;
  const misses = [markedMicros - naiveMarked(event, positions, atMs), inventoryMicros - held];
  expect([atMs, misses.map((miss) => Math.abs(miss) <= within)]).toEqual([atMs, [true, true]]);
}

describe('a run over a generated event', () => {
  it('records what a naive reading of the docs does', async () => {
    let fillsOfAll = 0;
    for (let number = 0; number < EVENTS; number++) {
      const tape = generatedEvent(number);
      const firstMs = tape.updates.atMs[0] ?? NaN;
      const window =
        number % 3 === 0 ? ([firstMs + 45_000, firstMs + 500_000] as const) : ([null, null] as const);
      const commission = number % 4 === 0 ? 0.02 : null;
      const { fills, equity, outcome } = await run(tape, window, commission);
      const event = new NaiveEvent(tape);
      const terms = fills.map((fill) => termsOf(tape, fill));
      const naive = terms.map((each) => naiveFill(event, each));
      for (const [at, fill] of fills.entries()) {
        expect(fill).toMatchObject(about(naive[at] ?? {}));
        expect(fill.restedFromMs).toBeLessThanOrEqual(fill.atMs);
        expect(fill.marketId).toBe(
          tape.markets[tape.selections[terms[at]?.selection ?? -1]?.market ?? -1]?.marketId,
        );
        if (fill.atMs !== tape.inPlayMs)
          expect(fill.inPlay).toBe(tape.inPlayMs !== null && fill.atMs > tape.inPlayMs);
      }
      const expected = naiveOutcome(event, terms, naive, commission);
      for (const name of Object.keys(expected) as (keyof typeof expected)[]) {
        const [found, right] = [outcome[name], expected[name]];
        if (typeof found === 'string') expect(found).toBe(right);
        else
          expect([
            number,
            name,
            Math.abs(found - Number(right)) <= 1 + 1e-6 * Math.abs(found) + fills.length,
          ]).toEqual([number, name, true]);
      }
      for (const point of equity.slice(0, -1)) expectPoint(event, terms, point);
      expect([
        number,
        Math.abs(outcome.markedMicros - naiveMarked(event, positionsOf(event, terms, Infinity), Infinity)) <=
          1 + fills.length,
      ]).toEqual([number, true]);
      expect([number, outcome.openMs]).toEqual([number, openMs(tape, window)]);
      const settled = naive.map(({ settledMicros }, at) => ({
        settledMicros,
        selection: terms[at]?.selection ?? -1,
      }));
      const hasResult = tape.selections.some(({ settlement }) => settlement !== null);
      const after = hasResult ? naiveAfterCommission(event, settled, commission) : null;
      expect([number, outcome.afterCommissionMicros]).toEqual([number, after]);
      fillsOfAll += fills.length;
    }
    expect(fillsOfAll).toBeGreaterThan(100);
  });
});

/** Micros to a few, and probabilities to seven digits: both readings round at other places. */
const about = (values: object): object =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, aboutOne(name, value)]));

function aboutOne(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => aboutOne(name, each));
  if (typeof value !== 'number') return value;
  return /micros/i.test(name) ? expect.closeTo(value, -1) : expect.closeTo(value, 7);
}
