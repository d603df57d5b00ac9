import { describe, expect, it } from 'vitest';
import type { RecordedFill, RecordedProfit } from '../../../src/read-model/live/records.ts';
import {
  filledBy,
  gainOf,
  linesByDay,
  profitLines,
  profitNames,
} from '../../../src/web/dashboard/history/profits.ts';

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

const filled = (over: Partial<RecordedFill>): RecordedFill =>
  ({ strategy: 'a', stake: 10, markout10: null, voided: false, ...over }) as RecordedFill;

it('a strategy is told by its bets that stand, and by what those gained that were valued', () => {
  const fills = [
    filled({ stake: 20, markout10: -0.1 }),
    filled({ stake: 10 }),
    filled({ stake: 30, markout10: 0.5, voided: true }),
    filled({ stake: 40, markout10: 0.5, strategy: 'b' }),
  ];
  expect(fills.map(gainOf)).toEqual([-2, null, null, 20]);
  expect(filledBy(fills, 'a')).toEqual({ bets: 2, stake: 30, gain: -2, share: -0.1 });
  expect(filledBy(fills, 'c')).toEqual({ bets: 0, stake: 0, gain: 0, share: null });
});
