import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logit } from '../../../src/domain/odds.ts';
import { normal, seededRandom } from '../../../src/lib/random.ts';
import {
  betDelays,
  closedGate,
  halfOf,
  leastHalf,
  type MakerVolatility,
  makerVolatilityEstimator,
  mayQuoteAgain,
  newOrderHalf,
  restingHalf,
  topOfBook,
  volatilityOfMids,
} from '../../../src/strategy/pricing/index.ts';
import { aSelection } from '../../../src/testing/index.ts';

const SIGMA = 0.004;
const volatility: MakerVolatility = { perRootS: SIGMA, jumpsPerS: 0.001, meanJump: 0.3, changes: 20 };
const MINUTE_HALF = SIGMA * Math.sqrt(60);

/** A diffusion of one point a second; `jump` is added at each of these seconds. */
function walk(
  seconds: number,
  jumpsAt: readonly number[],
  seed: number,
): { atMs: number; logOdds: number }[] {
  const random = seededRandom(seed, 'walk');
  let logOdds = 0;
  return Array.from({ length: seconds }, (_, second) => {
    logOdds += SIGMA * normal(random) + (jumpsAt.includes(second) ? 0.5 : 0);
    return { atMs: second * 1_000, logOdds };
  });
}

const readAll = (points: readonly { atMs: number; logOdds: number | null }[]): MakerVolatility | null => {
  const { seed, reduce, read } = makerVolatilityEstimator({ halfLifeS: 1e9 });
  return read(points.reduce(reduce, seed));
};

describe('volatility by bipower', () => {
  it('finds the σ of a diffusion', () => {
    const found = readAll(walk(60_000, [], 1));
    expect(found?.perRootS).toBeGreaterThan(0.96 * SIGMA);
    expect(found?.perRootS).toBeLessThan(1.04 * SIGMA);
    expect(found?.changes).toBeCloseTo(1_999, 0);
  });

  it('finds the same beside jumps, and counts these apart', () => {
    const jumpsAt = Array.from({ length: 20 }, (_, i) => 1_000 + 2_900 * i);
    const found = readAll(walk(60_000, jumpsAt, 2));
    expect(found?.perRootS).toBeGreaterThan(0.95 * SIGMA);
    expect(found?.perRootS).toBeLessThan(1.1 * SIGMA);
    expect(found?.jumpsPerS).toBeCloseTo(20 / 60_000, 4);
    expect(found?.meanJump).toBeCloseTo(0.5, 1);
  });

  it('follows a market that becomes ten times as wild', () => {
    const { seed, reduce, read } = makerVolatilityEstimator();
    const points = walk(20_000, [], 3).map(({ atMs, logOdds }, at, all) => ({
      atMs,
      logOdds:
        at < 10_000 ? logOdds : (all[9_999]?.logOdds ?? 0) + 10 * (logOdds - (all[9_999]?.logOdds ?? 0)),
    }));
    expect(read(points.reduce(reduce, seed))?.perRootS).toBeGreaterThan(8 * SIGMA);
  });

  it('has no reading before ten changes, and counts nothing across a break', () => {
    const points = walk(299, [], 4);
    expect(readAll(points)).toBeNull();
    const broken = walk(3_000, [], 5).map(({ atMs, logOdds }) => ({
      atMs,
      logOdds: atMs === 1_500_000 ? null : atMs > 1_500_000 ? logOdds + 9 : logOdds,
    }));
    expect(readAll(broken)?.meanJump).toBeLessThan(1);
    const paused = walk(3_000, [], 6).map(({ atMs, logOdds }) =>
      atMs > 1_500_000 ? { atMs: atMs + 61_000, logOdds: logOdds + 9 } : { atMs, logOdds },
    );
    expect(readAll(paused)?.meanJump).toBeLessThan(1);
  });

  it('scales with the moves, and does not see their sign', () => {
    const moves = fc.array(fc.double({ min: -0.1, max: 0.1, noNaN: true }), {
      minLength: 12,
      maxLength: 60,
      size: 'max',
    });
    fc.assert(
      fc.property(moves, fc.double({ min: 0.5, max: 4, noNaN: true }), (steps, scale) => {
        const at = (factor: number) => {
          let logOdds = 0;
          return readAll(steps.map((step, i) => ({ atMs: 30_000 * i, logOdds: (logOdds += factor * step) })));
        };
        const [once, scaled, mirrored] = [at(1), at(scale), at(-1)];
        // Squares are compared: the root of a rounding error of 1e-18 is 1e-9.
        expect((scaled?.perRootS ?? NaN) ** 2).toBeCloseTo((scale * (once?.perRootS ?? NaN)) ** 2, 12);
        expect(mirrored).toEqual(once);
      }),
    );
  });

  it('reads the course of a mid: a mid that stands has none, a short course says nothing', () => {
    expect(volatilityOfMids([], 0)).toBeNull();
    expect(volatilityOfMids([0, 0.5], 300_000)?.perRootS).toBe(0);
    expect(volatilityOfMids([0, 0.5], 299_000)).toBeNull();
    const mids = Array.from({ length: 20 }, (_, i) => [30_000 * i, i % 2 === 0 ? 0.5 : 0.505]).flat();
    const size = logit(0.505) - logit(0.5);
    expect(volatilityOfMids(mids, 570_000)?.perRootS).toBeCloseTo(size * Math.sqrt(Math.PI / 2 / 30), 9);
  });
});

describe('the least widths', () => {
  const times = { viewAgeMs: 100, requestMs: 900, turnMs: 100, closeMs: 800 };

  it.each([
    // A delay exposes a new order: √(0.1 + 0.9 + delay).
    ['new, no delay', newOrderHalf(volatility, times, { newMs: 0 }, { k2: 0 }), 2 * SIGMA],
    ['new, 8 s of delay', newOrderHalf(volatility, times, { newMs: 8_000 }, { k2: 0 }), 6 * SIGMA],
    ['new, three deviations', newOrderHalf(volatility, times, { newMs: 8_000 }, { k1: 3, k2: 0 }), 9 * SIGMA],
    // It protects a resting one: √(0.1 + 0.1 + 0.8 − delay).
    ['resting, no delay', restingHalf(volatility, times, { takersMs: 0 }, { k2: 0 }), 2 * SIGMA],
    ['resting, half covered', restingHalf(volatility, times, { takersMs: 750 }, { k2: 0 }), SIGMA],
    ['resting, covered', restingHalf(volatility, times, { takersMs: 5_000 }, { k2: 0 }), 0],
    ['both, a minute', restingHalf(volatility, times, { takersMs: 5_000 }), MINUTE_HALF],
    ['both, jumps', leastHalf(volatility, { fillsPerS: 0.02, pickedOff: 0.5 }), MINUTE_HALF + 0.0075],
    ['both, jumps that always find us', leastHalf(volatility, { k2: 0, fillsPerS: 0.02 }), 0.015],
    ['both, jumps without a rate of fills', leastHalf(volatility, { k2: 0 }), 0],
  ])('%s', (_, found, right) => {
    expect(found).toBeCloseTo(right, 12);
  });

  it('of a new order grows with each delay, of a resting one falls with the bet delay, and neither is below what holds for both', () => {
    const ms = fc.integer({ min: 0, max: 20_000 });
    fc.assert(
      fc.property(ms, ms, ms, ms, ms, (viewAgeMs, requestMs, closeMs, delayMs, moreMs) => {
        const at = { viewAgeMs, requestMs, turnMs: 0, closeMs };
        const [less, more] = [delayMs, delayMs + moreMs];
        const floor = leastHalf(volatility);
        expect(newOrderHalf(volatility, at, { newMs: more })).toBeGreaterThanOrEqual(
          newOrderHalf(volatility, at, { newMs: less }),
        );
        expect(restingHalf(volatility, at, { takersMs: more })).toBeLessThanOrEqual(
          restingHalf(volatility, at, { takersMs: less }),
        );
        expect(newOrderHalf(volatility, at, { newMs: less })).toBeGreaterThanOrEqual(floor);
        expect(restingHalf(volatility, at, { takersMs: more })).toBeGreaterThanOrEqual(floor);
      }),
    );
  });

  it.each([
    [
      { betDelayMs: 5_000, betDelayModels: null },
      { newMs: 5_000, takersMs: 5_000 },
    ],
    [
      { betDelayMs: 5_000, betDelayModels: ['PASSIVE'] },
      { newMs: 0, takersMs: 5_000 },
    ],
    [
      { betDelayMs: null, betDelayModels: null },
      { newMs: 7_000, takersMs: 0 },
    ],
    [
      { betDelayMs: 0, betDelayModels: null },
      { newMs: 0, takersMs: 0 },
    ],
  ])('of %o wait %o', (told, delays) => {
    expect(betDelays(told, 7_000)).toEqual(delays);
  });
});

describe('a side that was filled', () => {
  const NOW = 100_000;
  const rule = { afterFillS: 30, leastMove: 0.02 };
  const state = (ageMs: number, mid: number | null) => ({
    mids: [0, 0.43],
    mid,
    recentFills: [
      { direction: 'against' as const, price: 2.3, stakeMicros: 1e6, ageMs: 90_000 },
      { direction: 'for' as const, price: 2.36, stakeMicros: 1e6, ageMs },
    ],
  });

  it.each([
    ['waits, even further away', 'for', 2.5, 29_999, 0.45, false],
    ['stays away from the filled price', 'for', 2.36, 30_000, 0.43, false],
    ['stays away from a better one for takers', 'for', 2.3, 30_000, 0.43, false],
    ['may be further away', 'for', 2.38, 30_000, 0.43, true],
    ['returns once fair moved up', 'for', 2.36, 30_000, 0.44, true],
    ['returns once fair moved down', 'for', 2.36, 30_000, 0.42, true],
    ['stays away while fair is not known', 'for', 2.36, 30_000, null, false],
    ['stays away where nobody knows what fair was', 'for', 2.36, 100_001, 0.44, false],
    ['looks at fills of its own side alone', 'against', 2.28, 0, 0.43, true],
    ['stays away on the other side, too', 'against', 2.3, 0, 0.43, false],
  ] as const)('%s', (_, direction, price, ageMs, mid, may) => {
    expect(mayQuoteAgain(direction, price, state(ageMs, mid), NOW, rule)).toBe(may);
  });

  it.each([
    ['waits after the last of several fills', 10_000, 2.36, 2.5, false],
    ['may be further away than the last fill, though not than the first', 40_000, 2.3, 2.34, true],
    ['stays away from the last fill, though further away than the first', 40_000, 2.5, 2.44, false],
  ] as const)('%s', (_, ageMs, lastPrice, price, may) => {
    const fills = [
      { direction: 'for' as const, price: 2.4, stakeMicros: 1e6, ageMs: 95_000 },
      { direction: 'for' as const, price: lastPrice, stakeMicros: 1e6, ageMs },
      { direction: 'against' as const, price: 2.2, stakeMicros: 1e6, ageMs: 0 },
    ];
    const filled = { mids: [0, 0.43], mid: 0.43, recentFills: fills };
    expect(mayQuoteAgain('for', price, filled, NOW, rule)).toBe(may);
  });

  it('that never was filled is free', () => {
    expect(mayQuoteAgain('for', 2, { mids: [], mid: null }, NOW, rule)).toBe(true);
  });
});

describe('gates', () => {
  const top = topOfBook(aSelection({ forTakers: [[1.98, 30]], againstTakers: [[2.02, 20]] }).market);
  const mids = [0, 0.49, 50_000, 0.5];
  const OPEN = { maxWidth: Infinity, minDepth: 0, minAgeS: 0 };

  it.each([
    [{}, null],
    [{ maxWidth: 0.0401 }, null],
    [{ maxWidth: 0.0399 }, 'width'],
    // 20 USDT at 2.02 risk 20·√1.02 = 20.2, 30 at 1.98 risk 29.7.
    [{ minDepth: 20.1 }, null],
    [{ minDepth: 20.3 }, 'depth'],
    [{ minAgeS: 10 }, null],
    [{ minAgeS: 10.1 }, 'age'],
    [{ maxWidth: 0.01, minDepth: 99, minAgeS: 99 }, 'width'],
  ] as const)('of %o: %s', (gates, closed) => {
    if (top === null) throw new Error('the market has two sides');
    expect(closedGate(top, { mids }, 60_000, { ...OPEN, ...gates })).toBe(closed);
    expect(closedGate(top, { mids: [] }, 60_000, { ...OPEN, minAgeS: 1 })).toBe('age');
    // 0 opens it, also where no mid ever stood, or one changes just now.
    for (const course of [[], [60_000, 0.5]])
      expect(closedGate(top, { mids: course }, 60_000, OPEN)).toBeNull();
  });
});

it('the half of a price is positive on the side that earns', () => {
  expect(halfOf('for', 2.1, 0)).toBeCloseTo(Math.log(1.1), 12);
  expect(halfOf('against', 1.9, 0)).toBeCloseTo(-Math.log(0.9), 12);
  expect(halfOf('against', 2.1, 0)).toBeLessThan(0);
});
