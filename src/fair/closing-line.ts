/** The closing line: what the market believed when trading before play ended. */
import { countUntil, type Steps } from './steps.ts';

/** The closing line is the mean over so long a time. Fills inside it are no older than their own judge. */
export const CLOSING_MS = 60_000;

/** Why there is no closing line. */
export const NO_LINE = [
  'the recording ends before play',
  'no fair value in the last minute before play',
  'the fill is in the last minute before play',
  'the fill is in play',
] as const;
export type NoLine = (typeof NO_LINE)[number];

export type ClosingLine =
  | { readonly logOdds: number; readonly why: null; readonly fromMs: number; readonly toMs: number }
  | { readonly logOdds: null; readonly why: NoLine; readonly fromMs: number; readonly toMs: number };

/** The mean log-odds over the last minute before trading ended, as far as there was a fair value. */
export function lineBefore({ atMs, logOdds, why }: Steps, beforePlayMs: number | null): ClosingLine {
  if (beforePlayMs === null)
    return { logOdds: null, why: 'the recording ends before play', fromMs: Infinity, toMs: Infinity };
  const window = { fromMs: beforePlayMs - CLOSING_MS, toMs: beforePlayMs };
  let [sum, weightMs] = [0, 0];
  const first = Math.max(0, countUntil(atMs, window.fromMs, true) - 1);
  for (let step = first; step < atMs.length && (atMs[step] as number) < window.toMs; step++) {
    if (why[step] !== -1) continue;
    const fromMs = Math.max(window.fromMs, atMs[step] as number);
    const lastingMs = Math.min(window.toMs, atMs[step + 1] ?? Infinity) - fromMs;
    sum += (logOdds[step] as number) * lastingMs;
    weightMs += lastingMs;
  }
  if (weightMs === 0)
    return { logOdds: null, why: 'no fair value in the last minute before play', ...window };
  return { logOdds: sum / weightMs, why: null, ...window };
}

/** The closing line of a fill at an instant. */
export function lineOfFill(line: ClosingLine, atMs: number): ClosingLine {
  if (atMs >= line.toMs) return { ...line, logOdds: null, why: 'the fill is in play' };
  if (atMs >= line.fromMs)
    return { ...line, logOdds: null, why: 'the fill is in the last minute before play' };
  return line;
}
