import { describe, expect, it } from 'vitest';
import { orderedBy, visibleRows } from '../../src/web/components/rows.ts';
import { type Zoom, zoomed } from '../../src/web/components/zoom.ts';

describe('rows of a long table', () => {
  it.each([
    [1000, 0, 290, { from: 0, to: 34 }],
    [1000, 2900, 290, { from: 88, to: 122 }],
    [1000, 28_710, 290, { from: 978, to: 1000 }],
    [5, 100_000, 290, { from: 0, to: 5 }],
    [0, 0, 290, { from: 0, to: 0 }],
  ])('of %d from %d px, %d px high', (rows, topPx, heightPx, expected) => {
    expect(visibleRows(rows, topPx, heightPx, 29)).toEqual(expected);
  });

  it('are sorted; equal rows keep their order', () => {
    const rows = [
      { by: 2, id: 'a' },
      { by: 1, id: 'b' },
      { by: 2, id: 'c' },
    ];
    const ids = (descending: boolean): string =>
      orderedBy(rows, ({ by }) => by, descending)
        .map(({ id }) => id)
        .join('');
    expect([ids(false), ids(true)]).toEqual(['bac', 'acb']);
  });
});

describe('the zoom of a chart', () => {
  const all = { min: 0, max: 100 };
  it.each<[Zoom, number, number, number, number]>([
    ['in', 0, 100, 25, 75],
    ['out', 25, 75, 0, 100],
    ['out', 0, 20, 0, 40],
    ['earlier', 50, 70, 40, 60],
    ['earlier', 5, 25, 0, 20],
    ['later', 90, 100, 90, 100],
    ['all', 40, 60, 0, 100],
  ])('%s from %d to %d shows %d to %d', (how, min, max, from, to) => {
    expect(zoomed({ min, max }, all, how)).toEqual({ min: from, max: to });
  });
});
