/**
 * The course of a selection's mid, packed flat as `[atMs, mid, atMs, mid, …]`, oldest first. Instants are wall-clock
 * milliseconds, mids are probabilities. Packed like `PriceList`: a point costs 16 bytes and a copy costs almost nothing.
 *
 * @example
 * const history: MidHistory = [1_700_000_000_000, 0.43, 1_700_000_060_000, 0.44];
 */
export type MidHistory = readonly number[];

/**
 * A point of a history, unpacked: from `atMs` on, the mid was `mid`.
 *
 * @example
 * const latest = ({ mids }: SelectionView): MidPoint | undefined => midPoints(mids).at(-1);
 * latest(selection)?.mid; // 0.43
 */
export interface MidPoint {
  /** Wall-clock milliseconds. */
  readonly atMs: number;
  /** A probability. */
  readonly mid: number;
}

/** How far back a history reaches. Its first point may be older: it is the mid at the beginning of this time. */
export const MID_HISTORY_MS = 600_000;

/** Of the changes within one such step of the wall clock, a history keeps the last. */
export const MID_STEP_MS = 5_000;

/** The most points of a history: one for each step that its time touches, and the one before them. */
export const MOST_MIDS = MID_HISTORY_MS / MID_STEP_MS + 2;

const STRIDE = 2;

/**
 * The points of a history, oldest first.
 *
 * @example
 * midPoints([1000, 0.43, 6000, 0.44]); // [{ atMs: 1000, mid: 0.43 }, { atMs: 6000, mid: 0.44 }]
 */
export function midPoints(history: MidHistory): MidPoint[] {
  return Array.from({ length: history.length / STRIDE }, (_, i) => ({
    atMs: history[i * STRIDE] as number,
    mid: history[i * STRIDE + 1] as number,
  }));
}

/**
 * Notes the mid at an instant and drops what has become too old. Null, no mid, adds nothing. After the wall clock was set back,
 * points that now lie in the future are dropped.
 */
export function noteMid(points: number[], mid: number | null, nowMs: number): void {
  while (lastAtMs(points) > nowMs) points.length -= STRIDE;
  if (mid !== null && mid !== points.at(-1)) {
    if (stepOf(lastAtMs(points)) === stepOf(nowMs)) points.length -= STRIDE;
    points.push(nowMs, mid);
  }
  dropOld(points, nowMs - MID_HISTORY_MS);
}

const lastAtMs = (points: MidHistory): number => points.at(-STRIDE) ?? -Infinity;

const stepOf = (atMs: number): number => Math.floor(atMs / MID_STEP_MS);

/** Keeps the last point before `sinceMs`, whose mid still held then. */
function dropOld(points: number[], sinceMs: number): void {
  let old = 0;
  while ((points[old + STRIDE] ?? Infinity) <= sinceMs) old += STRIDE;
  if (old > 0) points.splice(0, old);
}
