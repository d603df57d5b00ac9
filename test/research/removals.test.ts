import { describe, expect, it } from 'vitest';
import { priceAfterRemovals } from '../../src/research/removals.ts';
import type { Removal } from '../../src/research/tape.ts';
import { TAPE_START_MS, tapeOf } from '../support/tapes.ts';

describe('a reduced price', () => {
  const of = (
    marketType: string,
    factors: readonly [ms: number, selection: number, factor: number][],
    untilMs = 9_000,
  ): number => {
    const removals = factors.map(([atMs, selection, factor]): Removal => ({
      atMs,
      market: 0,
      selection,
      factor,
    }));
    const tape = tapeOf([], { selections: [{ outcome: 'win,1' }], markets: [{ marketType }], removals });
    return priceAfterRemovals(tape, 0, 2.92, [TAPE_START_MS + 1_000, TAPE_START_MS + untilMs]);
  };

  it.each<[string, number, number]>([
    ['of a bet on the winner', of('win', [[2_000, 1, 40]]), 2.92 * 0.6],
    ['of a bet on a place', of('top', [[2_000, 1, 40]]), 1 + 1.92 * 0.6],
    [
      'by two runners',
      of('win', [
        [2_000, 1, 40],
        [3_000, 2, 10],
      ]),
      2.92 * 0.6 * 0.9,
    ],
    ['not by a small factor', of('win', [[2_000, 1, 2.4]]), 2.92],
    ['by a small factor on a place', of('top', [[2_000, 1, 2.4]]), 1 + 1.92 * 0.976],
    ['not by the runner itself', of('win', [[2_000, 0, 40]]), 2.92],
    ['not before the bet', of('win', [[1_000, 1, 40]]), 2.92],
    ['not before the removal', of('win', [[2_000, 1, 40]], 1_999), 2.92],
  ])('is %s', (_, price, expected) => {
    expect(price).toBeCloseTo(expected, 12);
  });
});
