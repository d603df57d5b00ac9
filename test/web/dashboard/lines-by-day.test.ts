import { expect, it } from 'vitest';
import { linesByDay } from '../../../src/web/dashboard/history/lines-by-day.ts';

it('profit by day runs forward in time, and its sum ends with the sum of all days', () => {
  const { atS, lines } = linesByDay([
    { day: '2026-03-03', profit: 5 },
    { day: '2026-03-02', profit: -2 },
    { day: '2026-02-28', profit: 1 },
  ]);
  expect(atS).toEqual(['2026-02-28', '2026-03-02', '2026-03-03'].map((day) => Date.parse(day) / 1_000));
  expect(lines.map(({ values }) => values)).toEqual([
    [1, -2, 5],
    [1, -1, 4],
  ]);
});
