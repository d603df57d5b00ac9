import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LOSS, WIN } from '../../../src/domain/payoff.ts';
import { exponential, normal, seededRandom, uniformBetween } from '../../../src/lib/random.ts';
import {
  type FairSample,
  type FillSample,
  type MarkOut,
  markOutEstimator,
  type MarkSample,
} from '../../../src/strategy/sdk.ts';
import { expectStatedErrors } from './errors.ts';
import { profitOf, SELECTION_KINDS } from '../../../src/domain/odds.ts';

const fair = (seconds: number, probability: number): FairSample => ({
  kind: 'fair',
  atMs: seconds * 1000,
  probability,
});

const fill = (
  seconds: number,
  direction: 'for' | 'against' = 'for',
  price = 2.1,
  stake = 10,
): FillSample => ({
  kind: 'fill',
  atMs: seconds * 1000,
  direction,
  price,
  stakeMicros: stake * 1e6,
});

function read(samples: readonly MarkSample[]): readonly [MarkOut, MarkOut, MarkOut] {
  const { reduce, seed, read: reading } = markOutEstimator();
  return reading(samples.reduce(reduce, seed)) as readonly [MarkOut, MarkOut, MarkOut];
}

const every = (stepS: number, untilS: number, probability: (seconds: number) => number): FairSample[] =>
  Array.from({ length: Math.floor(untilS / stepS) + 1 }, (_, i) => fair(i * stepS, probability(i * stepS)));

const inTime = (samples: readonly MarkSample[]): MarkSample[] => [...samples].sort((a, b) => a.atMs - b.atMs);

describe('mark-outs', () => {
  it('value a fill at the fair probability 1, 10 and 60 s after it', () => {
    const prices = every(0.25, 70, (s) => (s < 0.5 ? 0.5 : s < 5 ? 0.49 : s < 30 ? 0.48 : 0.45));
    const [one, ten, sixty] = read(inTime([...prices, fill(0.3)]));
    // 2.1 × p - 1 for each USDT of stake.
    expect([one, ten, sixty].map(({ profit }) => profit?.value.toFixed(3))).toEqual([
      '0.029',
      '0.008',
      '-0.055',
    ]);
    expect([one, ten, sixty].map(({ adverseMove }) => adverseMove?.value.toFixed(3))).toEqual([
      '0.021',
      '0.042',
      '0.105',
    ]);
    for (const { spreadEarned } of [one, ten, sixty]) expect(spreadEarned).toBeCloseTo(0.05, 12);
  });

  it('say that one second cannot be observed with prices every two', () => {
    const random = seededRandom(1, 'snapshots');
    const fills = Array.from({ length: 200 }, (_, i) => fill(10 * i + uniformBetween(random, 0, 10)));
    const [one, ten, sixty] = read(inTime([...every(2, 2100, () => 0.5), ...fills]));
    expect(one).toMatchObject({ isObservable: false, profit: null, adverseMove: null, spreadEarned: null });
    expect(one.fills + one.notObservable).toBe(200);
    expect(one.notObservable).toBeGreaterThan(120);
    for (const horizon of [ten, sixty]) {
      expect(horizon).toMatchObject({ isObservable: true, fills: 200, notObservable: 0 });
      expect(horizon.profit?.value).toBeCloseTo(0.05, 12);
    }
  });

  it('observe one second with prices five times a second', () => {
    const random = seededRandom(1, 'frames');
    const fills = Array.from({ length: 50 }, (_, i) => fill(5 * i + uniformBetween(random, 0, 5)));
    const [one] = read(inTime([...every(0.2, 400, () => 0.5), ...fills]));
    expect(one).toMatchObject({ isObservable: true, fills: 50, notObservable: 0 });
  });

  it('do not use prices from long before the horizon', () => {
    const prices = [fair(0, 0.5), fair(1, 0.4), fair(100, 0.3)];
    const [one, ten, sixty] = read(inTime([...prices, fill(0.5)]));
    expect([one.fills, ten.fills, sixty.fills]).toEqual([1, 0, 0]);
    expect([ten.notObservable, sixty.notObservable]).toEqual([1, 1]);
  });

  it('do not mark fills without a fair price, or ones that are reported late', () => {
    for (const samples of [
      [fill(0), ...every(0.2, 100, () => 0.5)],
      [...every(0.2, 100, () => 0.5), fill(20), fair(200, 0.5)],
    ])
      for (const { fills, notObservable } of read(samples)) expect([fills, notObservable]).toEqual([0, 1]);
  });

  it('explain the profit of each fill: spread earned - adverse move + luck at settlement', () => {
    const probability = fc.double({ min: 0.02, max: 0.98, noNaN: true });
    fc.assert(
      fc.property(
        fc.constantFrom('for', 'against'),
        fc.double({ min: 1.01, max: 60, noNaN: true }),
        fc.constantFrom(WIN, LOSS),
        ...([probability, probability, probability] as const),
        (direction, price, settled, before, after, last) => {
          const prices = every(0.5, 70, (s) => (s < 1 ? before : s < 20 ? after : last));
          for (const horizon of read(inTime([...prices, fill(0.7, direction, price)]))) {
            const luck =
              profitOf(SELECTION_KINDS[direction], 1, price, settled) - (horizon.profit?.value ?? NaN);
            const explained = (horizon.spreadEarned ?? NaN) - (horizon.adverseMove?.value ?? NaN) + luck;
            expect(explained).toBeCloseTo(profitOf(SELECTION_KINDS[direction], 1, price, settled), 9);
          }
        },
      ),
    );
  });

  it('converge to the generating adverse move, within their stated standard errors', () => {
    const runs = Array.from({ length: 60 }, (_, i) => {
      const random = seededRandom(i + 1, 'moves');
      const samples: MarkSample[] = [];
      for (let at = 0, n = 0; n < 150; n++, at += 70) {
        // Fair falls by 0.02 after each fill on average; ten seconds later the move is over.
        const drop = 0.02 + 0.01 * normal(random);
        samples.push(fair(at, 0.5), fill(at + 1, 'for', 2.1, 1 + exponential(random, 1 / 10)));
        for (const s of [9, 40, 59]) samples.push(fair(at + s, 0.5 - drop));
      }
      return read(samples)[1].adverseMove as { value: number; standardError: number };
    });
    expectStatedErrors(2.1 * 0.02, runs);
  });
});
