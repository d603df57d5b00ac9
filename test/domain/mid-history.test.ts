import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MID_HISTORY_MS,
  MID_STEP_MS,
  type MidHistory,
  midPoints,
  MOST_MIDS,
  noteMid,
} from '../../src/domain/mid-history.ts';

/** The history after these mids, each `[milliseconds since the last, mid]`. */
function historyOf(steps: readonly (readonly [afterMs: number, mid: number | null])[]): {
  readonly points: MidHistory;
  readonly nowMs: number;
} {
  const points: number[] = [];
  let nowMs = 1_700_000_000_000;
  for (const [afterMs, mid] of steps) noteMid(points, mid, (nowMs += afterMs));
  return { points, nowMs };
}

const mid = fc.option(fc.constantFrom(0.4, 0.41, 0.42, 0.5));

describe('the history of a mid', () => {
  it('is sampled at changes, and keeps the last of each step', () => {
    const { points, nowMs } = historyOf([
      [0, 0.4],
      [MID_STEP_MS, 0.4],
      [1, 0.41],
      [1, 0.42],
      [MID_STEP_MS, null],
      [1, 0.43],
    ]);
    expect(midPoints(points).map((point) => [point.atMs - nowMs, point.mid])).toEqual([
      [-2 * MID_STEP_MS - 3, 0.4],
      [-MID_STEP_MS - 1, 0.42],
      [0, 0.43],
    ]);
  });

  it('keeps the mid that held at its beginning, however old', () => {
    const { points } = historyOf([
      [0, 0.4],
      [MID_STEP_MS, 0.41],
      [5 * MID_HISTORY_MS, 0.42],
      [MID_STEP_MS, null],
    ]);
    expect(midPoints(points).map((point) => point.mid)).toEqual([0.41, 0.42]);
  });

  it('drops what lies in the future after the clock was set back', () => {
    const { points, nowMs } = historyOf([
      [0, 0.4],
      [60_000, 0.41],
      [-30_000, 0.42],
    ]);
    expect(midPoints(points).map((point) => [point.atMs - nowMs, point.mid])).toEqual([
      [-30_000, 0.4],
      [0, 0.42],
    ]);
  });

  it('is ordered, bounded, ends with the latest mid, and reaches back over all of its time', () => {
    const step = fc.tuple(fc.integer({ min: 0, max: 40_000 }), mid);
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 400 }), (steps) => {
        const { points, nowMs } = historyOf(steps);
        const known = midPoints(points);
        const instants = known.map(({ atMs }) => atMs);
        expect(instants).toEqual([...new Set(instants)].toSorted((a, b) => a - b));
        expect(known.length).toBeLessThanOrEqual(MOST_MIDS);
        expect(instants.filter((atMs) => atMs <= nowMs - MID_HISTORY_MS).length).toBeLessThanOrEqual(1);
        const mids = steps.flatMap(([, noted]) => noted ?? []);
        expect(known.at(-1)?.mid).toBe(mids.at(-1));
      }),
    );
  });

  it('is bounded at the highest rate of change', () => {
    const steps = Array.from({ length: 20_000 }, (_, at) => [100, (at % 7) / 10 + 0.1] as const);
    const { points, nowMs } = historyOf(steps);
    const known = midPoints(points);
    expect(known.length).toBeGreaterThan(MOST_MIDS - 3);
    expect(known.length).toBeLessThanOrEqual(MOST_MIDS);
    expect(nowMs - (known[0]?.atMs as number)).toBeGreaterThanOrEqual(MID_HISTORY_MS);
  });
});
