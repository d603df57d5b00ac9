import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { STRATEGY_STATES } from '../../../src/app/journal/strategy-memory.ts';
import { CalmDay } from '../../support/calm-day.ts';
import { StillMarket } from '../../support/still-market.ts';

const folder = mkdtempSync(join(tmpdir(), 'strategy-memory-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Quotes both sides of the first selection, and keeps the number and the sum of its fills. */
const counting = (seed: string): string => `
export default ({ defineStrategy, rxjs: { map, withLatestFrom }, tickOf, z }) => defineStrategy({
  name: 'counting', description: '', parameters: z.object({}),
  quotes: (view$, { fill$, keep }) => {
    const fills$ = fill$.pipe(keep('fills',
      ({ count, micros }, fill) => ({ count: count + 1, micros: micros + fill.stakeMicros }), ${seed}));
    return view$.pipe(withLatestFrom(fills$), map(([{ selections: [first] }]) => first === undefined ? [] : [
      { selectionId: first.selectionId, direction: 'for', tick: tickOf(2.04), stakeMicros: 20e6, level: 0 },
      { selectionId: first.selectionId, direction: 'against', tick: tickOf(1.95), stakeMicros: 20e6, level: 0 },
    ]));
  },
});`;

function dayWith(seed: string) {
  const file = join(folder, `counting-${seed.length}.mjs`);
  writeFileSync(file, counting(seed));
  const day = new CalmDay({ world: { events: 0 }, daemon: { strategy: file } });
  return { day, market: new StillMarket(day.world, 3_600) };
}

const keptIn = (day: CalmDay): unknown =>
  day.run.composed.parts.core.strategies.save()[0]?.keeps['fills']?.state;

/** The number and the sum of the fills in the journal. */
function bookedIn(day: CalmDay): unknown {
  const fills = day.world.disk.store.records.filter(({ kind }) => kind === 'fill_booked');
  const micros = fills.map(({ data }) => (data as { fill: { stakeMicros: number } }).fill.stakeMicros);
  return { count: fills.length, micros: micros.reduce((sum, each) => sum + each, 0) };
}

const savedTimes = (day: CalmDay): number =>
  day.world.disk.store.records.filter(({ kind }) => kind === STRATEGY_STATES).length;

it.each([
  ['right after a fill, before the state was saved', 100],
  ['after the state was saved', 40_000],
])('a kept state holds the journal’s fills after kill -9 %s', async (_, passMs) => {
  const { day, market } = dayWith('{ count: 0, micros: 0 }');
  await day.begin();
  for (let round = 0; round < 3; round++) {
    market.take('for', 7 + round);
    await day.pass(passMs);
    expect(keptIn(day)).toEqual(bookedIn(day));
    await day.crash();
    await day.begin();
    await day.pass(1_000);
    expect(keptIn(day)).toEqual(bookedIn(day));
  }
  expect(bookedIn(day)).toMatchObject({ count: 3 });
  expect(savedTimes(day) > 0).toBe(passMs > 30_000);
});

it('inventory has counted the journal’s fills after kill -9 at any time', async () => {
  const day = new CalmDay({ world: { events: 0 }, daemon: { strategy: 'inventory' } });
  const market = new StillMarket(day.world, 3_600);
  const counted = (): unknown => {
    const [session] = day.run.composed.parts.core.strategies.save();
    return (session?.keeps['measured']?.state as { fills: number } | undefined)?.fills;
  };
  const booked = (): number =>
    day.world.disk.store.records.filter(({ kind }) => kind === 'fill_booked').length;
  await day.begin();
  for (const passMs of [100, 40_000, 2_000]) {
    market.take('for', 3);
    market.take('against', 2);
    await day.pass(passMs);
    expect(counted()).toBe(booked());
    await day.crash();
    await day.begin();
    await day.pass(1_000);
    expect(counted()).toBe(booked());
  }
  expect(booked()).toBeGreaterThan(3);
  expect(savedTimes(day)).toBeGreaterThan(0);
});

it('a clean stop saves the state', async () => {
  const { day, market } = dayWith('{ count: 0, micros: 0 }');
  await day.begin();
  market.take('against', 5);
  await day.pass(1_000);
  expect(savedTimes(day)).toBe(0);
  await day.stop();
  expect(savedTimes(day)).toBe(1);
  await day.begin();
  await day.pass(1_000);
  expect(keptIn(day)).toEqual(bookedIn(day));
});

it.each([
  ['that JSON would change', '{ count: NaN, micros: 0 }'],
  ['that is nested more deeply than a journal is read', 'JSON.parse("[".repeat(995) + "]".repeat(995))'],
])('a state %s is reported and not saved', async (_, seed) => {
  const { day } = dayWith(seed);
  await day.begin();
  await day.pass(40_000);
  expect(savedTimes(day)).toBe(1);
  const saved = day.world.disk.store.records.findLast(({ kind }) => kind === STRATEGY_STATES);
  expect(saved?.data).toMatchObject({ sessions: [{ strategy: 'counting', keeps: {} }] });
});
