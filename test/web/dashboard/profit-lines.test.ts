import { describe, expect, it } from 'vitest';
import type { RecordedProfit } from '../../../src/read-model/live/records.ts';
import { profitLines, profitNames } from '../../../src/web/dashboard/history/profit-lines.ts';

const read = (atMs: number, of: RecordedProfit['of'], name: string, profit: number): RecordedProfit => ({
  atMs,
  of,
  name,
  profit,
});

const READINGS = [
  read(1_000, 'strategy', 'symmetric', 4),
  read(1_000, 'event', 'Northgate', 1),
  read(2_000, 'event', 'Harbour', -9),
  read(3_000, 'event', 'Northgate', 2),
  read(3_000, 'event', 'Harbour', 0),
];

describe('lines of profit', () => {
  it('hold what was read last, and begin with the first reading', () => {
    expect(profitLines(READINGS, 'event', ['Harbour', 'Northgate'])).toEqual({
      atS: [1, 2, 3],
      lines: [
        { name: 'Harbour', values: [null, -9, 0] },
        { name: 'Northgate', values: [1, 1, 2] },
      ],
    });
    expect(profitLines(READINGS, 'strategy', ['symmetric']).lines).toEqual([
      { name: 'symmetric', values: [4, 4, 4] },
    ]);
  });

  it('are of those that were furthest from 0, five at most', () => {
    expect(profitNames(READINGS, 'event')).toEqual(['Harbour', 'Northgate']);
    const many = Array.from({ length: 9 }, (_, at) => read(1_000, 'event', `event ${at}`, at - 2.5));
    const { lines } = profitLines(many, 'event', profitNames(many, 'event'));
    expect(lines.map(({ name }) => name)).toEqual([8, 7, 6, 0, 5].map((at) => `event ${at}`));
  });
});
