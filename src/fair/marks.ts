/** Marks: what the market believes some time after a fill. */
import type { OpenClock } from './open-clock.ts';
import { countUntil, type Steps } from './steps.ts';

/** Seconds of open time after a fill at which it is marked. */
export const MARK_HORIZONS_S = [10, 60, 300] as const;

/** Fills without a closing line are judged by their mark at this horizon. */
export const VERDICT_HORIZON_S = 60;

/** `late`: by more than half of the horizon. `result`: no fair value came, but the result. `none`: neither was recorded. */
export const MARK_KINDS = ['on time', 'late', 'result', 'none'] as const;
export type MarkKind = (typeof MARK_KINDS)[number];

/** The first fair value at the time when a market had been open for a horizon after a fill, or after that time. */
export type Mark =
  | { readonly kind: 'on time' | 'late'; readonly logOdds: number; readonly atMs: number }
  | { readonly kind: 'result' | 'none'; readonly logOdds: null };

export interface MarkedSelection {
  readonly steps: Steps;
  readonly clock: OpenClock;
  /** The end of the recording. */
  readonly endMs: number;
  readonly hasResult: boolean;
}

/** The mark of a fill at an instant. No fill is left without one: books that stay thin follow the worst fills. */
export function markOf(
  { steps, clock, endMs, hasResult }: MarkedSelection,
  atMs: number,
  horizonS: number,
): Mark {
  const horizonMs = 1_000 * horizonS;
  const dueOpenMs = clock.openMs(atMs) + horizonMs;
  const dueMs = clock.instantOf(dueOpenMs);
  const standing = Math.max(0, countUntil(steps.atMs, dueMs, true) - 1);
  const valid = dueMs > endMs ? -1 : (steps.validAfter[standing] ?? -1);
  if (valid < 0) return { kind: hasResult ? 'result' : 'none', logOdds: null };
  const markMs = Math.max(dueMs, steps.atMs[valid] as number);
  const isLate = clock.openMs(markMs) - dueOpenMs > horizonMs / 2;
  return { kind: isLate ? 'late' : 'on time', logOdds: steps.logOdds[valid] as number, atMs: markMs };
}
