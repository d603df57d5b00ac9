import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exponential, integerBetween, normal, seededRandom } from '../../../src/lib/random.ts';
import {
  logOddsOf,
  type MidSample,
  priceOf,
  priceOfLogOdds,
  type VolatilityOptions,
  volatilityEstimator,
  type VolatilityReading,
} from '../../../src/strategy/sdk.ts';
import { floorTick, type Tick } from '../../../src/domain/ladder.ts';
import { expectStatedErrors } from './errors.ts';

const MS_PER_HOUR = 3_600_000;
const VOLATILITY = 0.3;
const SEEDS = Array.from({ length: 60 }, (_, i) => i + 1);

/** A diffusion seen at random times, on average every two seconds. */
function diffusion(seed: number, hours: number, startMs = 0): MidSample[] {
  const random = seededRandom(seed, 'diffusion');
  const samples: MidSample[] = [{ atMs: startMs, logOdds: 0 }];
  let [atMs, logOdds] = [startMs, 0];
  while (atMs < startMs + hours * MS_PER_HOUR) {
    const passedMs = 1 + Math.round(exponential(random, 1 / 2000));
    atMs += passedMs;
    logOdds += VOLATILITY * Math.sqrt(passedMs / MS_PER_HOUR) * normal(random);
    samples.push({ atMs, logOdds });
  }
  return samples;
}

function read(
  samples: readonly MidSample[],
  options: Partial<VolatilityOptions> = {},
): VolatilityReading | null {
  const { reduce, seed, read: reading } = volatilityEstimator(options);
  return reading(samples.reduce(reduce, seed));
}

const reading = (samples: readonly MidSample[], options?: Partial<VolatilityOptions>): VolatilityReading =>
  read(samples, options) as VolatilityReading;

const later = (samples: readonly MidSample[], byMs: number, by = 0): MidSample[] =>
  samples.map(({ atMs, logOdds }) => ({ atMs: atMs + byMs, logOdds: (logOdds as number) + by }));

const last = (samples: readonly MidSample[]): MidSample & { logOdds: number } =>
  samples.at(-1) as MidSample & { logOdds: number };

describe('volatility of log-odds', () => {
  it('is the generating one, within its stated standard errors', () => {
    const runs = SEEDS.map((seed) => reading(diffusion(seed, 3), { halfLifeS: 1e9 }));
    expectStatedErrors(VOLATILITY, runs);
    // About a thousand moves of ten seconds: 1 / √(2 × 1,000) of the value.
    for (const { value, standardError } of runs) expect(standardError / value).toBeLessThan(0.025);
  });

  it('states its errors with forgetting, too', () => {
    expectStatedErrors(
      VOLATILITY,
      SEEDS.map((seed) => reading(diffusion(seed, 2), { halfLifeS: 600 })),
    );
  });

  it('follows a change within a few half-lives', () => {
    const calm = diffusion(1, 4);
    const wild = later(diffusion(2, 1), last(calm).atMs, last(calm).logOdds).map(({ atMs, logOdds }) => ({
      atMs,
      logOdds: last(calm).logOdds + 4 * ((logOdds as number) - last(calm).logOdds),
    }));
    const { value, standardError } = reading([...calm, ...wild], { halfLifeS: 600 });
    // Six half-lives later a 64th of the old weight is left.
    expect(Math.abs(value - 4 * VOLATILITY)).toBeLessThan(4 * standardError);
  });

  it('does not count a gap, whatever happened in it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 121, max: 100_000 }),
        fc.double({ min: -3, max: 3, noNaN: true }),
        (gapS, jump) => {
          const before = diffusion(3, 0.2);
          const after = diffusion(4, 0.2);
          const whole = [
            ...before,
            ...later(after, last(before).atMs + gapS * 1000, last(before).logOdds + jump),
          ];
          const [a, b] = [before, after].map((samples) => reading(samples, { halfLifeS: Infinity }));
          const both = reading(whole, { halfLifeS: Infinity });
          const squares = (of: VolatilityReading | undefined): number =>
            (of?.value ?? NaN) ** 2 * (of?.hours ?? NaN);
          expect(both.hours).toBeCloseTo((a?.hours ?? NaN) + (b?.hours ?? NaN), 9);
          expect(both.value ** 2 * both.hours).toBeCloseTo(squares(a) + squares(b), 9);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('does not count a frozen quote, nor the jump at its end', () => {
    const before = diffusion(5, 1);
    const { atMs, logOdds } = last(before);
    const frozen = Array.from({ length: 3600 }, (_, i) => ({ atMs: atMs + (i + 1) * 1000, logOdds }));
    const after = later(diffusion(6, 1), atMs + 3_600_000 + 1000, logOdds + 0.8);
    const options = { halfLifeS: 1e12 };
    const whole = reading([...before, ...frozen, ...after], options);
    expect(reading([...before, ...frozen], options)).toEqual(reading(before, options));
    expect(Math.abs(whole.value - VOLATILITY)).toBeLessThan(4 * whole.standardError);
    expect(whole.hours).toBeLessThan(2.01);
  });

  it('counts a quiet spell that ends by itself', () => {
    const every10Min = Array.from({ length: 61 }, (_, i) => 0.02 * (i % 2));
    const samples = every10Min.flatMap((logOdds, i) =>
      Array.from({ length: 600 }, (_, s) => ({ atMs: (600 * i + s) * 1000, logOdds })),
    );
    // One tick of 0.02 every ten minutes: 0.02 × √6 per square root of an hour.
    expect(reading(samples, { halfLifeS: 1e12 }).value).toBeCloseTo(0.02 * Math.sqrt(6), 3);
  });

  it('is right for mids on the price ladder', () => {
    const onLadder = ({ atMs, logOdds }: MidSample): MidSample => {
      const tick = floorTick(priceOfLogOdds(logOdds as number)) as Tick;
      return { atMs, logOdds: logOddsOf(priceOf(tick)) };
    };
    // A flickering price counts for more than the diffusion over ten seconds, and hardly over two minutes.
    const values = SEEDS.slice(0, 20).map(
      (seed) => reading(diffusion(seed, 3).map(onLadder), { halfLifeS: 1e9, leastS: 120 }).value,
    );
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(Math.abs(mean / VOLATILITY - 1)).toBeLessThan(0.1);
  });

  it('starts anew after a break in the market, and ignores mids of the past', () => {
    const at = (seconds: number, logOdds: number | null): MidSample => ({ atMs: seconds * 1000, logOdds });
    expect(read([at(0, 0), at(5, null), at(20, 1)])).toBeNull();
    const moved = [at(0, 0), at(20, 0.1)];
    expect(reading([...moved, at(10, 5)])).toEqual(reading(moved));
    expect(reading([...moved, at(21, null), at(10, 5)])).toEqual(reading(moved));
    expect(reading([...moved, at(21, null), at(5, 5), at(19, 9)])).toEqual(reading(moved));
    expect(reading(moved).value).toBeCloseTo(0.1 / Math.sqrt(20 / 3600), 12);
  });

  it('never reads more hours than have passed', () => {
    const times = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 80 });
    fc.assert(
      fc.property(times, fc.integer(), (gaps, seed) => {
        const random = seededRandom(seed, 'walk');
        let atMs = 0;
        const samples = gaps.map((s) => ({
          atMs: (atMs += s * 1000),
          logOdds: integerBetween(random, 0, 2) / 10,
        }));
        const found = read(samples);
        if (found !== null) expect(found.hours).toBeLessThanOrEqual(atMs / MS_PER_HOUR + 1e-12);
      }),
    );
  });
});
