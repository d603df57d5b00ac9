/** The maker kit against a reading of its descriptions that keeps every sample and asks the whole list anew. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logit } from '../../../src/domain/odds.ts';
import { DIRECTIONS, type Direction } from '../../../src/domain/selection.ts';
import {
  type FairPoint,
  type MakerVolatility,
  makerVolatilityEstimator,
  type MakerVolatilityOptions,
  mayQuoteAgain,
  volatilityOfMids,
} from '../../../src/strategy/pricing/index.ts';
import { assertUntil } from '../../support/covering.ts';

interface Change {
  /** As it counts: a jump counts as the largest usual change. */
  readonly counted: number;
  readonly size: number;
  readonly isJump: boolean;
  readonly passedS: number;
  /** The change before, where nothing broke between. */
  readonly before: number | null;
}

/** Each change weighs half for every half-life of changes after it. */
function weightsOf(changes: readonly Change[], halfLifeS: number): number[] {
  return changes.map((_, at) => {
    const laterS = changes.slice(at + 1).reduce((sum, { passedS }) => sum + passedS, 0);
    return 2 ** (0 - laterS / halfLifeS);
  });
}

function naiveReading(changes: readonly Change[], options: MakerVolatilityOptions): MakerVolatility | null {
  const { everyS, leastChanges, halfLifeS } = options;
  const weights = weightsOf(changes, halfLifeS);
  const sumOf = (value: (change: Change) => number): number =>
    changes.reduce((sum, change, at) => sum + (weights[at] ?? NaN) * value(change), 0);
  const [count, pairs] = [sumOf(() => 1), sumOf(({ before }) => (before === null ? 0 : 1))];
  if (count < leastChanges || pairs === 0) return null;
  const products = sumOf(({ before, counted }) => (before ?? 0) * counted);
  const jumps = sumOf(({ isJump }) => (isJump ? 1 : 0));
  return {
    perRootS: Math.sqrt(((Math.PI / 2) * products) / pairs / everyS),
    jumpsPerS: jumps / (count * everyS),
    meanJump: jumps === 0 ? 0 : sumOf(({ isJump, size }) => (isJump ? size : 0)) / jumps,
    changes: count,
  };
}

function naiveChanges(samples: readonly FairPoint[], options: MakerVolatilityOptions): Change[] {
  const { everyS, jumpAt } = options;
  const changes: Change[] = [];
  let from: { readonly atMs: number; readonly logOdds: number } | null = null;
  let isBroken = true;
  for (const { atMs, logOdds } of samples) {
    if (logOdds === null) {
      [from, isBroken] = [null, true];
      continue;
    }
    const passedS: number = from === null ? 0 : (atMs - from.atMs) / 1_000;
    if (from === null || passedS > 2 * everyS) {
      [from, isBroken] = [{ atMs, logOdds }, true];
      continue;
    }
    if (passedS < everyS) continue;
    const size = Math.abs(logOdds - from.logOdds) * Math.sqrt(everyS / passedS);
    const usual = naiveReading(changes, options)?.perRootS ?? 0;
    const most = usual > 0 ? jumpAt * usual * Math.sqrt(everyS) : Infinity;
    const before = isBroken ? null : (changes.at(-1)?.counted ?? null);
    changes.push({ size, counted: Math.min(size, most), isJump: size > most, passedS, before });
    [from, isBroken] = [{ atMs, logOdds }, false];
  }
  return changes;
}

function expectSame(found: MakerVolatility | null, expected: MakerVolatility | null): void {
  expect(found === null).toBe(expected === null);
  for (const name of ['perRootS', 'jumpsPerS', 'meanJump', 'changes'] as const)
    expect(found?.[name] ?? 0).toBeCloseTo(expected?.[name] ?? 0, 9);
}

const options = fc.record({
  everyS: fc.constantFrom(30, 10),
  jumpAt: fc.constantFrom(4, 2),
  leastChanges: fc.constantFrom(10, 3),
  halfLifeS: fc.constantFrom(1_800, 200, 1e9),
});

/** Mostly small steps, at times a jump, a pause or no value. */
const samples = fc
  .array(
    fc.record({
      afterMs: fc.constantFrom(1_000, 5_000, 10_000, 10_000, 29_999, 30_000, 60_000, 60_001),
      move: fc.oneof(
        { weight: 9, arbitrary: fc.double({ min: -0.02, max: 0.02, noNaN: true }) },
        { weight: 1, arbitrary: fc.constantFrom(0.5, -0.4) },
      ),
      isAbsent: fc.constantFrom(...Array.from({ length: 20 }, (_, at) => at === 0)),
    }),
    { minLength: 10, maxLength: 80, size: 'max' },
  )
  .map((steps) => {
    let [atMs, logOdds] = [0, 0];
    return steps.map(({ afterMs, move, isAbsent }): FairPoint => {
      [atMs, logOdds] = [atMs + afterMs, logOdds + move];
      return { atMs, logOdds: isAbsent ? null : logOdds };
    });
  });

describe('volatility by bipower', () => {
  it('is that of all changes, each with its weight, over breaks, pauses and jumps', () => {
    let [readings, jumps] = [0, 0];
    assertUntil(
      () => jumps > 15,
      fc.property(samples, options, (given, chosen) => {
        const { seed, reduce, read } = makerVolatilityEstimator(chosen);
        const found = read(given.reduce(reduce, seed));
        expectSame(found, naiveReading(naiveChanges(given, chosen), chosen));
        if (found !== null) readings++;
        if ((found?.meanJump ?? 0) > 0) jumps++;
      }),
      { numRuns: 400 },
    );
    expect(readings).toBeGreaterThan(100);
    expect(jumps).toBeGreaterThan(15);
  });

  it('of a course of mids is that of the mids that held every so often, back from now', () => {
    const course = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 60_000 }), fc.double({ min: 0.3, max: 0.7, noNaN: true })),
      { minLength: 1, maxLength: 60, size: 'max' },
    );
    let readings = 0;
    fc.assert(
      fc.property(course, fc.integer({ min: 0, max: 90_000 }), options, (steps, laterMs, chosen) => {
        let atMs = 0;
        const points = steps.map(([afterMs, mid]) => [(atMs += afterMs), mid] as const);
        const nowMs = atMs + laterMs;
        const stepMs = chosen.everyS * 1_000;
        const instants = Array.from({ length: 400 }, (_, back) => nowMs - back * stepMs)
          .filter((ms) => ms >= (points[0]?.[0] ?? Infinity))
          .toReversed();
        const held = instants.map((ms): FairPoint => {
          const mid = points.findLast(([fromMs]) => fromMs <= ms)?.[1] ?? NaN;
          return { atMs: ms, logOdds: logit(mid) };
        });
        const all = { ...chosen, halfLifeS: Infinity };
        const found = volatilityOfMids(points.flat(), nowMs, chosen);
        expectSame(found, naiveReading(naiveChanges(held, all), all));
        if (found !== null) readings++;
      }),
      { numRuns: 300 },
    );
    expect(readings).toBeGreaterThan(100);
  });
});

describe('a side that was filled', () => {
  const fill = fc.record({
    direction: fc.constantFrom<Direction>(...DIRECTIONS),
    price: fc.constantFrom(2.3, 2.36, 2.4),
    stakeMicros: fc.constant(1e6),
    ageMs: fc.constantFrom(0, 29_999, 30_000, 40_000, 90_000, 100_001),
  });

  it('waits after its last fill, and then until it asks more than that fill or fair moved since', () => {
    const NOW = 100_000;
    const answers = new Set<string>();
    const mid = fc.constantFrom(0.43, 0.4301, 0.44, 0.42);
    assertUntil(
      () => answers.size >= 7,
      fc.property(
        fc.constantFrom<Direction>(...DIRECTIONS),
        fc.constantFrom(2.28, 2.3, 2.34, 2.36, 2.38, 2.4, 2.42),
        fc.array(fill, { maxLength: 5 }).map((fills) => fills.toSorted((a, b) => b.ageMs - a.ageMs)),
        fc.tuple(mid, mid, mid),
        fc.option(mid),
        (direction, price, recentFills, [first, second, third], now) => {
          const mids = [0, first, 60_000, second, 70_000, third];
          const rule = { afterFillS: 30, leastMove: 0.02 };
          const found = mayQuoteAgain(direction, price, { mids, mid: now, recentFills }, NOW, rule);
          const own = recentFills.filter((each) => each.direction === direction);
          const last = own.at(-1);
          const thenMs = NOW - (last?.ageMs ?? 0);
          const then = thenMs < 0 ? null : thenMs < 60_000 ? first : thenMs < 70_000 ? second : third;
          const asksMore = direction === 'for' ? price > (last?.price ?? 0) : price < (last?.price ?? 0);
          const hasMoved = now !== null && then !== null && Math.abs(logit(now) - logit(then)) >= 0.02;
          const expected = last === undefined || (last.ageMs >= 30_000 && (asksMore || hasMoved));
          expect(found).toBe(expected);
          answers.add(`${found} ${asksMore} ${hasMoved}`);
        },
      ),
      { numRuns: 2_000 },
    );
    expect(answers.size).toBeGreaterThanOrEqual(7);
  });
});
