import fc from 'fast-check';
import { expect, it } from 'vitest';
import { floorsOf, medianOf, slopeOf } from '../../../scripts/soak/slope.ts';

const line = (slope: number, noise: readonly number[]) =>
  noise.map((off, x) => ({ x, y: 7 + slope * x + off }));

it('finds the slope of a line without any error', () => {
  expect(slopeOf(line(3, [0, 0, 0, 0]))).toEqual({ slope: 3, standardError: 0, points: 4 });
});

it('gives the standard error of least squares', () => {
  // Distances from the fitted line: 0.5, -0.5, -0.5, 0.5; their squares sum to 1 over 2 degrees of freedom; spread of x: 5.
  const fitted = slopeOf(line(2, [0.5, -0.5, -0.5, 0.5]));
  expect(fitted?.slope).toBeCloseTo(2, 12);
  expect(fitted?.standardError).toBeCloseTo(Math.sqrt(1 / 2 / 5), 12);
});

it('finds the slope of any line, wherever it lies', () => {
  const value = fc.integer({ min: -1_000, max: 1_000 });
  fc.assert(
    fc.property(value, value, fc.uniqueArray(value, { minLength: 3, maxLength: 50 }), (slope, start, xs) => {
      const fitted = slopeOf(xs.map((x) => ({ x, y: start + slope * x })));
      expect(fitted?.slope).toBeCloseTo(slope, 6);
      expect(fitted?.standardError).toBeCloseTo(0, 6);
    }),
  );
});

it.each([
  ['no points', []],
  ['two points', line(1, [0, 0])],
  ['one instant', [1, 2, 3].map((y) => ({ x: 1, y }))],
])('has no slope for %s', (_, points) => {
  expect(slopeOf(points)).toBeNull();
});

it('takes the least of each whole block, at its middle', () => {
  const points = [5, 3, 4, 9, 8, 7, 1].map((y, x) => ({ x: x + 10, y }));
  expect(floorsOf(points, 3)).toEqual([
    { x: 11.5, y: 3 },
    { x: 14.5, y: 7 },
  ]);
  expect(floorsOf([], 3)).toEqual([]);
});

it.each([
  [[4], 4],
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
])('finds the median of %j', (values, median) => {
  expect(medianOf(values)).toBe(median);
});
