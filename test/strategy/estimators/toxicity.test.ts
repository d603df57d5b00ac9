import { describe, expect, it } from 'vitest';
import { normal, seededRandom } from '../../../src/lib/random.ts';
import {
  informedHalfSpread,
  type MarkSample,
  toxicityEstimator,
  type ToxicityOptions,
  type ToxicityReading,
} from '../../../src/strategy/sdk.ts';
import { expectStatedErrors } from './errors.ts';

const toProbability = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/**
 * Takers of whom a share knows the outcome and the others choose by chance, each met by a maker whose fair price follows
 * Bayes' rule, with some noise. A fill every 20 s, a fair price every 2 s.
 */
function market(seed: number, informedShare: number, fills: number): MarkSample[] {
  const random = seededRandom(seed, 'takers');
  const wins = random.next() < 0.5;
  const samples: MarkSample[] = [];
  let logOdds = 0;
  for (let i = 0; i < fills; i++) {
    const isInformed = random.next() < informedShare;
    const buys = isInformed ? wins : random.next() < 0.5;
    // A long run of informed takers would leave prices that no bet can have.
    if (Math.abs(logOdds) > 4) logOdds = 0;
    const atMs = i * 20_000;
    samples.push({ kind: 'fair', atMs, probability: toProbability(logOdds) });
    const direction = buys ? 'against' : 'for';
    samples.push({ kind: 'fill', atMs: atMs + 500, direction, price: 2, stakeMicros: 1e7 });
    logOdds += (buys ? 1 : -1) * informedHalfSpread(informedShare) + 0.05 * normal(random);
    for (const s of [2, 4, 6, 8, 10])
      samples.push({ kind: 'fair', atMs: atMs + s * 1000, probability: toProbability(logOdds) });
  }
  return [...samples, { kind: 'fair', atMs: fills * 20_000, probability: toProbability(logOdds) }];
}

function read(samples: readonly MarkSample[], options: Partial<ToxicityOptions> = {}): ToxicityReading {
  const { reduce, seed, read: reading } = toxicityEstimator(options);
  return reading(samples.reduce(reduce, seed)) as ToxicityReading;
}

describe('toxicity of fills', () => {
  it.each([0.05, 0.2, 0.5])(
    'finds a share of %f of informed takers, within its stated standard errors',
    (share) => {
      const runs = Array.from({ length: 60 }, (_, i) =>
        read(market(i + 1, share, 200), { halfLifeFills: 1e9 }),
      );
      expectStatedErrors(
        informedHalfSpread(share),
        runs.map(({ adverseMove }) => adverseMove as { value: number; standardError: number }),
      );
      for (const { informedShare } of runs) expect(informedShare).toBeCloseTo(share, 1);
    },
  );

  it('states its errors with forgetting, too', () => {
    const runs = Array.from({ length: 60 }, (_, i) => read(market(i + 1, 0.2, 200)).adverseMove);
    expectStatedErrors(informedHalfSpread(0.2), runs as { value: number; standardError: number }[]);
  });

  it('forgets old fills', () => {
    const calm = market(1, 0, 100);
    const toxic = market(2, 0.5, 100).map((sample) => ({ ...sample, atMs: sample.atMs + 2_000_000 }));
    expect(read([...calm, ...toxic]).informedShare).toBeCloseTo(0.5, 1);
    expect(read([...calm, ...toxic], { halfLifeFills: 1e9 }).informedShare).toBeLessThan(0.35);
  });

  it('measures how one-sided fills are', () => {
    const filled = (directions: string): MarkSample[] =>
      Array.from(directions, (letter, i) => ({
        kind: 'fill',
        atMs: i * 1000,
        direction: letter === 'f' ? 'for' : 'against',
        price: 2,
        stakeMicros: 1e6,
      }));
    const imbalance = (directions: string): number =>
      read(filled(directions), { halfLifeFills: 1e9 }).imbalance;
    expect(imbalance('fff')).toBeCloseTo(1, 6);
    expect(imbalance('aa')).toBeCloseTo(-1, 6);
    expect(imbalance('fafa')).toBeCloseTo(0, 6);
    expect(imbalance('ffaf')).toBeCloseTo(0.5, 6);
  });

  it('has no move until a fill could be marked, and counts those that could not', () => {
    const only: MarkSample[] = [{ kind: 'fill', atMs: 0, direction: 'for', price: 2, stakeMicros: 1e6 }];
    expect(read(only)).toEqual({ adverseMove: null, informedShare: null, imbalance: 1, notObservable: 0 });
    const late: MarkSample[] = [...only, { kind: 'fair', atMs: 60_000, probability: 0.5 }];
    expect(read(late)).toMatchObject({ adverseMove: null, notObservable: 1 });
  });
});
