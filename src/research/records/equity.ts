import type { EquityPoint } from '../result.ts';

/** The course of the account from the courses of its events, which may overlap: at each instant the sum of their latest points. */
export function mergeEquity(courses: readonly (readonly EquityPoint[])[]): EquityPoint[] {
  const steps = courses.flatMap((course) =>
    course.map((point, at) => ({ point, before: course[at - 1] ?? NOTHING })),
  );
  steps.sort((a, b) => a.point.atMs - b.point.atMs);
  const merged: EquityPoint[] = [];
  let now: EquityPoint = NOTHING;
  for (const { point, before } of steps) {
    now = {
      atMs: point.atMs,
      settledMicros: now.settledMicros + point.settledMicros - before.settledMicros,
      markedMicros: now.markedMicros + point.markedMicros - before.markedMicros,
      worstMicros: now.worstMicros + point.worstMicros - before.worstMicros,
      inventoryMicros: now.inventoryMicros + point.inventoryMicros - before.inventoryMicros,
    };
    if (merged.at(-1)?.atMs === now.atMs) merged[merged.length - 1] = now;
    else merged.push(now);
  }
  return merged;
}

const NOTHING: EquityPoint = {
  atMs: 0,
  settledMicros: 0,
  markedMicros: 0,
  worstMicros: 0,
  inventoryMicros: 0,
};
