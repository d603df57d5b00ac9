import type { Direction } from '../../domain/selection.ts';

/**
 * A fill of one of the strategy's own orders.
 *
 * @example
 * const fill: FillSample = { kind: 'fill', atMs: 0, direction: 'for', price: 2.1, stakeMicros: 20e6 };
 */
export interface FillSample {
  readonly kind: 'fill';
  readonly atMs: number;
  /** Of our order. */
  readonly direction: Direction;
  readonly price: number;
  readonly stakeMicros: number;
}

/**
 * The fair probability at an instant, whether it changed or not.
 *
 * @example
 * const fair: FairSample = { kind: 'fair', atMs: 0, probability: 0.48 };
 */
export interface FairSample {
  readonly kind: 'fair';
  readonly atMs: number;
  /** Above 0 and below 1. */
  readonly probability: number;
}

/**
 * Fills and fair probabilities of one selection, in the order of time.
 *
 * @example
 * const sampleOf = (own: OwnFill): MarkSample => ({
 *   kind: 'fill',
 *   atMs: own.atMs,
 *   direction: own.direction,
 *   price: own.price,
 *   stakeMicros: own.stakeMicros,
 * });
 */
export type MarkSample = FillSample | FairSample;

interface WaitingFill {
  readonly fill: FillSample;
  /** Fair when it was filled; null when none was known. */
  readonly before: number | null;
  readonly dueS: readonly number[];
}

/**
 * Fills that wait for their marks. Plain data.
 *
 * @example
 * const lastFair = ({ fair }: MarkState): number | null => fair && fair.probability;
 */
export interface MarkState {
  /** The latest fair probability. */
  readonly fair: FairSample | null;
  readonly waiting: readonly WaitingFill[];
}

export const NO_MARKS: MarkState = { fair: null, waiting: [] };

/** The fair probabilities of a fill: when it happened, and some time later. */
export interface Mark {
  readonly fill: FillSample;
  readonly horizonS: number;
  /** Null when either could not be observed. */
  readonly observed: { readonly before: number; readonly after: number } | null;
}

const MS_PER_S = 1000;
/** A mark may be older than its instant by this share of the horizon. An older one says nothing about that horizon. */
const OLDEST = 0.5;

/**
 * Takes a sample and returns the marks that are due by it. A fill is marked at the last fair probability up to its
 * horizon, if that one came in the second half of the horizon. So with prices every two seconds, three of four fills
 * have no mark at one second.
 */
export function takeMarks(
  { fair, waiting }: MarkState,
  sample: MarkSample,
  horizonsS: readonly number[],
): { state: MarkState; marks: readonly Mark[] } {
  const marks: Mark[] = [];
  const left: WaitingFill[] = [];
  for (const one of waiting) {
    const isDue = (horizonS: number): boolean => one.fill.atMs + horizonS * MS_PER_S < sample.atMs;
    marks.push(...one.dueS.filter(isDue).map((horizonS) => markOf(one, fair, horizonS)));
    const dueS = one.dueS.filter((horizonS) => !isDue(horizonS));
    if (dueS.length > 0) left.push({ ...one, dueS });
  }
  if (sample.kind === 'fill') {
    const before = fair !== null && fair.atMs <= sample.atMs ? fair.probability : null;
    return { state: { fair, waiting: [...left, { fill: sample, before, dueS: horizonsS }] }, marks };
  }
  const isNewer = fair === null || sample.atMs >= fair.atMs;
  return { state: { fair: isNewer ? sample : fair, waiting: left }, marks };
}

function markOf({ fill, before }: WaitingFill, fair: FairSample | null, horizonS: number): Mark {
  const ageMs = fair === null ? 0 : fair.atMs - fill.atMs;
  const isInTime = ageMs >= OLDEST * horizonS * MS_PER_S && ageMs <= horizonS * MS_PER_S;
  const observed = before !== null && fair !== null && isInTime ? { before, after: fair.probability } : null;
  return { fill, horizonS, observed };
}
