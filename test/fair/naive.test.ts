import { existsSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tapesOfFiles } from '../../src/app/research/tapes.ts';
import { WIN } from '../../src/domain/payoff.ts';
import { integerBetween, seededRandom } from '../../src/lib/random.ts';
import type { Group } from '../../src/fair/groups.ts';
import { fairSeries } from '../../src/fair/series.ts';
import { type EventTape, OP } from '../../src/research/tape.ts';
import { closed, inPlay, open, type Step, suspended, TAPE_START_MS, tapeOf } from '../support/tapes.ts';
import { NaiveEvent, type NaiveSet } from './naive-fair.ts';
import { assertUntil } from '../support/covering.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../shared/data/betfair');

const read = new WeakMap<EventTape, Map<string, NaiveEvent>>();

/** The naive reading of a set. */
function naiveOf(tape: EventTape, set: NaiveSet): NaiveEvent {
  const known = read.get(tape) ?? new Map<string, NaiveEvent>();
  read.set(tape, known);
  const key = JSON.stringify(set);
  const naive = known.get(key) ?? new NaiveEvent(tape, [set]);
  known.set(key, naive);
  return naive;
}

/** Compares the series with the naive reading at an instant. The series answers before the updates of an instant. */
function compare(tape: EventTape, set: NaiveSet, selection: number, atMs: number): 'fair' | 'none' {
  const series = fairSeries(tape);
  const naive = naiveOf(tape, set).fair(selection, atMs);
  const { logOdds } = series.fairAt(selection, atMs + 0.5);
  expect([atMs, selection, logOdds === null]).toEqual([atMs, selection, naive === null]);
  if (naive !== null) expect(logOdds).toBeCloseTo(naive, 6);
  return naive === null ? 'none' : 'fair';
}

function compareMark(
  tape: EventTape,
  set: NaiveSet,
  selection: number,
  atMs: number,
  horizonS: number,
): string {
  const mark = fairSeries(tape).markAfter(selection, atMs, horizonS);
  const naive = naiveOf(tape, set).mark(selection, atMs, horizonS);
  expect([atMs, mark.kind]).toEqual([atMs, naive.kind]);
  if (naive.logOdds !== null) expect(mark.logOdds).toBeCloseTo(naive.logOdds, 6);
  return naive.kind;
}

const MATCH: NaiveSet = { market: 0, selections: [0, 1, 2], winners: 1 };
/** Prices around 2, 4 and 4. */
const PRICES = [
  [1.95, 1.98, 2, 2.04, 2.08, 2.12],
  [3.85, 3.9, 4, 4.1, 4.3, 4.5],
  [3.85, 3.95, 4, 4.1, 4.2, 4.4],
] as const;

const level = fc
  .tuple(fc.nat({ max: 2 }), fc.nat({ max: 5 }), fc.integer({ min: 0, max: 40 }))
  .map(
    ([selection, place, stake]) =>
      [place < 3 ? 'against' : 'for', PRICES[selection]?.[place] ?? 2, stake, selection] as const,
  );
const state = fc
  .constantFrom([suspended, 0], [open, 0], [open + inPlay, 8_000], [suspended + inPlay, 8_000])
  .map(([to, delayMs]) => ['state', to, delayMs] as const);
const evening = fc
  .array(
    fc.tuple(
      fc.integer({ min: 0, max: 4_000 }),
      fc.oneof({ weight: 12, arbitrary: level }, { weight: 1, arbitrary: state }),
    ),
    {
      minLength: 10,
      maxLength: 50,
      size: 'max',
    },
  )
  .map((given): Step[] => {
    let atMs = 1_000;
    const first = PRICES.flatMap((prices, selection): Step[] => [
      [0, 'against', prices[2], 60, selection],
      [0, 'for', prices[3], 60, selection],
    ]);
    const steps = given.map(([afterMs, what]) => [(atMs += afterMs), ...what] as unknown as Step);
    return [...first, ...steps, [atMs + 40_000, 'state', closed]];
  });

/** What is read at an instant, and at a horizon. */
const KINDS = ['fair', 'late', 'none', 'on time', 'result'];

describe('the series of fair values', () => {
  it('is that of a naive reading of its definition, on generated evenings', () => {
    const seen = new Map<string, number>();
    const count = (what: string): unknown => seen.set(what, (seen.get(what) ?? 0) + 1);
    assertUntil(
      () => seen.size === KINDS.length,
      fc.property(
        evening,
        fc.integer({ min: 0, max: 30_000 }),
        fc.integer({ min: 0, max: 60_000 }),
        (steps, gapMs, removedMs) => {
          const tape = tapeOf(steps, {
            selections: [{ outcome: 'h', settlement: WIN }, { outcome: 'd' }, { outcome: 'a' }],
            gaps: [[gapMs, gapMs + 3_000]],
            removals: [{ atMs: removedMs + 20_000, market: 0, selection: null, factor: 5 }],
          });
          for (const [ms] of steps)
            for (const selection of [0, 1, 2]) count(compare(tape, MATCH, selection, TAPE_START_MS + ms));
          for (const ms of [1_000, 15_000, 40_000])
            count(compareMark(tape, MATCH, 0, TAPE_START_MS + ms, 10));
        },
      ),
      { numRuns: 10 },
    );
    expect([...seen.keys()].toSorted()).toEqual(KINDS);
  });

  it.runIf(existsSync(FOLDER))('is that of a naive reading on the recorded cricket match', async () => {
    const tape = await recorded('1.200806927.jsonl.gz');
    const random = seededRandom(1, 'instants');
    const found = Array.from({ length: 120 }, (_, draw) => {
      const at = integerBetween(random, 1_000, tape.updates.length - 1);
      return compare(
        tape,
        { market: 0, selections: [0, 1], winners: 1 },
        draw % 2,
        tape.updates.atMs[at] ?? NaN,
      );
    });
    expect(found.filter((each) => each === 'fair').length).toBeGreaterThan(20);
  });

  it.runIf(existsSync(FOLDER))('is that of a naive reading on the recorded race', async () => {
    const whole = await recorded('1.185781277.bz2');
    const traded = new Set([...whole.updates.of].filter((_, at) => whole.updates.op[at] !== OP.state));
    const all = [...whole.selections.keys()];
    // Runners without any offer had left before the recording.
    const gone = all.filter((selection) => !traded.has(selection));
    const firstMs = whole.updates.atMs[0] ?? NaN;
    const removals = gone.map((selection) => ({ atMs: firstMs, market: 0, selection, factor: null }));
    const tape = { ...whole, removals };
    const random = seededRandom(1, 'instants');
    const found = Array.from({ length: 40 }, (_, draw) => {
      const at = integerBetween(random, tape.updates.length >> 1, tape.updates.length - 1);
      return compare(
        tape,
        { market: 0, selections: all, winners: 1 },
        draw % all.length,
        tape.updates.atMs[at] ?? NaN,
      );
    });
    expect(found.filter((each) => each === 'fair').length).toBeGreaterThan(10);
  });

  it.runIf(existsSync(FOLDER))('is that of a naive reading on the recorded football matches', async () => {
    const { tapes } = await tapesOfFiles([path.join(FOLDER, '1.242971311.jsonl.gz')]);
    const found = tapes.flatMap((tape) =>
      fairSeries(tape)
        .groups.slice(0, 4)
        .flatMap((group) => compareGroup(tape, group)),
    );
    const fair = found.filter((each) => each === 'fair').length;
    expect(fair).toBeGreaterThan(100);
  });
});

async function recorded(file: string): Promise<EventTape> {
  const { tapes } = await tapesOfFiles([path.join(FOLDER, file)]);
  return tapes[0] as EventTape;
}

/** At the middle of the tape and at its end. */
function compareGroup(tape: EventTape, { market, selections, winners }: Group): ('fair' | 'none')[] {
  const { atMs, length } = tape.updates;
  const instants = [atMs[(length - 1) >> 1] ?? NaN, atMs[length - 1] ?? NaN];
  const set = { market, selections, winners: winners ?? 0 };
  return instants.flatMap((ms) => selections.map((selection) => compare(tape, set, selection, ms)));
}
