import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergeEquity } from '../../../src/research/records/equity.ts';
import type { EquityPoint } from '../../../src/research/result.ts';

const FIELDS = ['settledMicros', 'markedMicros', 'worstMicros', 'inventoryMicros'] as const;
const micros = fc.integer({ min: -9, max: 9 });

/** Courses that overlap, with several points of one instant. */
const course = fc
  .array(
    fc.record<EquityPoint>({
      atMs: fc.integer({ min: 1, max: 12 }),
      settledMicros: micros,
      markedMicros: micros,
      worstMicros: micros,
      inventoryMicros: micros,
    }),
    { maxLength: 6, size: 'max' },
  )
  .map((points) => points.toSorted((a, b) => a.atMs - b.atMs));

it('the course of an account is at each instant the sum of the latest points of its events', () => {
  fc.assert(
    fc.property(fc.array(course, { maxLength: 4 }), (courses) => {
      const instants = [...new Set(courses.flat().map(({ atMs }) => atMs))].toSorted((a, b) => a - b);
      const expected = instants.map((atMs) => {
        const latest = courses.map((points) => points.findLast((point) => point.atMs <= atMs));
        const sums = FIELDS.map((field) => [
          field,
          latest.reduce((sum, point) => sum + (point?.[field] ?? 0), 0),
        ]);
        return { atMs, ...Object.fromEntries(sums) };
      });
      expect(mergeEquity(courses)).toEqual(expected);
    }),
  );
});
