import { expect, it } from 'vitest';
import { planOf } from './arenas.ts';
import type { SimResult } from './simulate.ts';
import { endedSeeds, nothingYet, Tally } from './tally.ts';

const HOUR_S = 3_600;
const RESULT = { simulatedS: HOUR_S, quotingS: 0, orders: 1, fills: 0, violations: [] };

const endsIn = (tally: Tally, seed: number, reached: Readonly<Record<string, number>> = {}): void =>
  tally.add(
    planOf(seed, 60),
    { ...RESULT, seed, reached: new Map(Object.entries(reached)) } as unknown as SimResult,
    10,
  );

it('continues after the days that have ended, whatever order they ended in', () => {
  const tally = new Tally(nothingYet('abc', 60, 7));
  endsIn(tally, 8);
  expect(tally.progress).toMatchObject({ next: 7, ahead: [8], days: 1 });
  endsIn(tally, 7);
  expect(tally.progress).toMatchObject({ next: 9, ahead: [], days: 2 });
});

it('still knows which days have ended ahead when it is resumed', () => {
  const before = new Tally(nothingYet('abc', 60, 7));
  for (const seed of [8, 10]) endsIn(before, seed);
  const after = new Tally(before.progress);
  endsIn(after, 7);
  expect(after.progress).toMatchObject({ next: 9, ahead: [10], days: 3, simulatedS: 3 * HOUR_S });
  endsIn(after, 9);
  expect(after.progress).toMatchObject({ next: 11, ahead: [], days: 4 });
});

it('adds up what was reached over all its parts', () => {
  const before = new Tally(nothingYet('abc', 60, 7));
  endsIn(before, 7, { 'act: kill': 2, 'path: order refused': 1 });
  const after = new Tally(before.progress);
  endsIn(after, 9, { 'act: kill': 3 });
  expect(after.progress.reached).toEqual({ 'act: kill': 5, 'path: order refused': 1 });
  expect(endedSeeds(after.progress)).toEqual([7, 9]);
});
