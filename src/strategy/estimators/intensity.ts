import {
  type FillCount,
  type FillIntensityErrors,
  fitIntensity,
  intensityErrors,
  isIntensityDetermined,
  timeAtFair,
} from '../pricing/intensity.ts';
import type { Estimator } from './estimator.ts';

/**
 * A stretch of live quoting at one distance from fair, or fills there, or both.
 *
 * @example
 * const sample: QuotedSample = { distance: 0.02, quotedS: 60, fills: 1 };
 */
export interface QuotedSample {
  /** Distance of the quote from fair, in log-odds. Positive when a fill is profitable at fair. */
  readonly distance: number;
  /** Time for which the quote rested at this distance, in seconds. */
  readonly quotedS: number;
  readonly fills: number;
}

/**
 * Options of `intensityEstimator`.
 *
 * @example
 * const options: Partial<IntensityOptions> = { halfLifeS: 3600 };
 */
export interface IntensityOptions {
  /** Width of a bucket of distances, in log-odds. */
  readonly bucketWidth: number;
  /** Number of buckets. The last one holds all that is further, the first one all that is nearer. */
  readonly buckets: number;
  /** Quoting time, of all buckets together, in which the weight of what was seen halves, in seconds. */
  readonly halfLifeS: number;
}

const DEFAULTS: IntensityOptions = { bucketWidth: 0.005, buckets: 40, halfLifeS: 86_400 };

/**
 * Per bucket: quoting time in seconds, that time × distance, and fills. Plain data.
 *
 * @example
 * const quotedS = (state: IntensityState): number => state.quotedS.reduce((sum, each) => sum + each, 0);
 */
export interface IntensityState {
  readonly quotedS: readonly number[];
  readonly distanceS: readonly number[];
  readonly fills: readonly number[];
}

/**
 * The reading of `intensityEstimator`: the rate of fills by distance from fair, and how well it is known.
 *
 * @example
 * const isTrusted = (reading: IntensityReading | null): boolean => reading !== null && reading.fills > 30;
 */
export interface IntensityReading {
  /** A: fills per hour at fair. */
  readonly arrivalsPerHour: number;
  /** k: per unit of log-odds. */
  readonly decay: number;
  /**
   * Of ln A and of k. Once something has been forgotten they are upper bounds: the sums that remain rest on more fills
   * than they count.
   */
  readonly standardErrors: FillIntensityErrors;
  /** Fills and hours behind the figures, less what has been forgotten. */
  readonly fills: number;
  readonly quotedHours: number;
}

const S_PER_HOUR = 3600;

/**
 * A and k of fills, from the live quoting time and the fills at each distance from fair (`fitIntensity`). Each bucket
 * counts at the mean distance of its quoting time. The reading is null while the fills do not determine both figures:
 * none yet, or all of them in the nearest or in the furthest bucket.
 *
 * @example
 * const { seed, reduce, read } = intensityEstimator();
 * const samples = [
 *   { distance: 0.01, quotedS: 3600, fills: 60 },
 *   { distance: 0.03, quotedS: 3600, fills: 30 },
 * ];
 * const reading = read(samples.reduce(reduce, seed));
 * reading?.arrivalsPerHour; // 84.853
 * reading?.decay; // 34.657
 */
export function intensityEstimator(
  options: Partial<IntensityOptions> = {},
): Estimator<IntensityState, QuotedSample, IntensityReading | null> {
  const settings = { ...DEFAULTS, ...options };
  const none = Array.from({ length: settings.buckets }, () => 0);
  return {
    seed: { quotedS: none, distanceS: none, fills: none },
    reduce: (state, sample) => withQuoted(state, sample, settings),
    read: readingOf,
  };
}

function withQuoted(
  state: IntensityState,
  { distance, quotedS, fills }: QuotedSample,
  { bucketWidth, buckets, halfLifeS }: IntensityOptions,
): IntensityState {
  const at = Math.min(buckets - 1, Math.max(0, Math.floor(distance / bucketWidth)));
  const kept = 2 ** -(quotedS / halfLifeS);
  const plus = (values: readonly number[], added: number): number[] =>
    values.map((value, i) => value * kept + (i === at ? added : 0));
  return {
    quotedS: plus(state.quotedS, quotedS),
    distanceS: plus(state.distanceS, quotedS * distance),
    fills: plus(state.fills, fills),
  };
}

function readingOf(state: IntensityState): IntensityReading | null {
  const counts = countsOf(state);
  if (!isIntensityDetermined(counts)) return null;
  const fitted = fitIntensity(counts);
  const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  return {
    arrivalsPerHour: fitted.arrivals,
    decay: fitted.decay,
    standardErrors: intensityErrors(counts, fitted),
    fills: total(state.fills),
    quotedHours: total(state.quotedS) / S_PER_HOUR,
  };
}

/**
 * Fills, and the hours that a quote at fair would have needed for them.
 *
 * @example
 * const perHour = ({ fills, hours }: FillsAtFair): number => fills / hours;
 */
export interface FillsAtFair {
  readonly fills: number;
  readonly hours: number;
}

/**
 * The evidence for A when k is known: `fills` / `hours` is its estimate, and its standard error is 1/√fills of it. Both
 * are 0 while nothing was quoted.
 *
 * @example
 * const { seed, reduce } = intensityEstimator();
 * const state = reduce(seed, { distance: 0.01, quotedS: 3600, fills: 60 });
 * fillsAtFair(state, 40); // { fills: 60, hours: 0.67032 }
 */
export function fillsAtFair(state: IntensityState, decay: number): FillsAtFair {
  const counts = countsOf(state);
  return { fills: counts.reduce((sum, { fills }) => sum + fills, 0), hours: timeAtFair(counts, decay) };
}

/** The buckets that were quoted, in hours. A fill in a bucket without quoting time says nothing about the rate there. */
function countsOf({ quotedS, distanceS, fills }: IntensityState): FillCount[] {
  return quotedS.flatMap((timeS, i) =>
    timeS > 0
      ? [
          {
            distance: (distanceS[i] as number) / timeS,
            time: timeS / S_PER_HOUR,
            fills: fills[i] as number,
          },
        ]
      : [],
  );
}
