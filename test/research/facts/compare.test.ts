import { describe, expect, it } from 'vitest';
import { compared } from '../../../src/research/facts/compare.ts';
import type { Fact } from '../../../src/research/facts/table.ts';

const fact = (value: number | null, more: Partial<Fact> = {}): Fact => ({
  sport: 'cricket',
  phase: 'in play',
  figure: 'trades',
  unit: 'a minute',
  value,
  interval: null,
  days: 1,
  ...more,
});

/** Evenings whose figure is 1, 2, 3 and so on. */
const evenings = (count: number): Fact[][] => Array.from({ length: count }, (_, at) => [fact(count - at)]);

describe('a recorded figure', () => {
  it.each([
    [10, true],
    [2, true],
    [1.9, false],
    [19, true],
    [19.1, false],
  ])('of %f is in nine of ten of 20 evenings from 1 to 20: %s', (value, isInside) => {
    const [comparison] = compared([fact(value)], evenings(20));
    expect(comparison).toMatchObject({ range: [2, 19], middle: 11, evenings: 20, recorded: value, isInside });
  });

  it.each([
    [19, [1, 19]],
    [30, [2, 29]],
    [40, [3, 38]],
  ])('of %i evenings leaves out no more than a twentieth on either side', (count, range) => {
    expect(compared([fact(1)], evenings(count))).toMatchObject([{ range }]);
  });

  it('may lie at the edge when every evening has the same', () => {
    expect(compared([fact(3 + 1e-9)], [[fact(3)], [fact(3)]])).toMatchObject([{ isInside: true }]);
  });

  it('is outside where no evening has one, and is not compared where the recording has none', () => {
    expect(compared([fact(3)], [[fact(null)], [fact(3, { figure: 'cancels' })]])).toMatchObject([
      { range: null, middle: null, evenings: 0, isInside: false },
    ]);
    expect(compared([fact(null)], evenings(3))).toEqual([]);
  });

  it('is compared to its own sport and phase', () => {
    const others = [[fact(1, { sport: 'fb' }), fact(2, { phase: 'before play' }), fact(3)]];
    expect(compared([fact(3)], others)).toMatchObject([{ range: [3, 3], evenings: 1, isInside: true }]);
  });
});
