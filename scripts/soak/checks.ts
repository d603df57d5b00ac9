import type { Slope } from './slope.ts';

/** `undecided`: the run was too short or too noisy to tell. */
export type Verdict = 'ok' | 'failed' | 'undecided';

export interface Check {
  readonly name: string;
  readonly verdict: Verdict;
  /** The measured value and its bound. */
  readonly text: string;
}

/** A slope beyond its bound by more than this many standard errors is no accident. */
const ERRORS = 2;

/** A slope that must stay below a bound, both in `unit`. The text says why the bound is where it is. */
export function slopeBelow(name: string, measured: Slope | null, bound: number, unit: string): Check {
  if (measured === null)
    return { name, verdict: 'undecided', text: 'the run is too short for a slope after the warm-up' };
  const { slope, standardError } = measured;
  const text = `${short(slope)} ± ${short(standardError)} ${unit}; at most ${short(bound)}`;
  return { name, verdict: verdictOf(slope, ERRORS * standardError, bound), text };
}

function verdictOf(slope: number, margin: number, bound: number): Verdict {
  if (slope - margin > bound) return 'failed';
  return slope + margin <= bound ? 'ok' : 'undecided';
}

/** A figure that must not exceed a bound. */
export function atMost(name: string, value: number, bound: number, unit: string): Check {
  const verdict = value <= bound ? 'ok' : 'failed';
  return { name, verdict, text: `${short(value)} ${unit}; at most ${short(bound)}` };
}

/** A figure that must reach a bound: a soak in which nothing happens proves nothing. */
export function atLeast(name: string, value: number, bound: number, unit: string): Check {
  const verdict = value >= bound ? 'ok' : 'failed';
  return { name, verdict, text: `${short(value)} ${unit}; at least ${short(bound)}` };
}

/** Nothing of this kind may be found. The text shows the first few. */
export function none(name: string, found: readonly string[]): Check {
  const shown = found.slice(0, SHOWN).join('; ');
  const more = found.length > SHOWN ? ` and ${found.length - SHOWN} more` : '';
  return found.length === 0
    ? { name, verdict: 'ok', text: 'none' }
    : { name, verdict: 'failed', text: `${shown}${more}` };
}

const SHOWN = 5;

/**
 * Whether all checks passed. A run of full length must decide each of them; a shortened one may leave some undecided.
 */
export const passed = (checks: readonly Check[], isFullLength: boolean): boolean =>
  checks.every(({ verdict }) => verdict === 'ok' || (verdict === 'undecided' && !isFullLength));

export const lineOf = ({ name, verdict, text }: Check): string => `${verdict.padEnd(9)} ${name}: ${text}`;

const short = (value: number): string => String(Number(value.toPrecision(4)));
