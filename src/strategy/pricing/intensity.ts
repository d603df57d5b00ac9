import { invariant } from '../../lib/assert.ts';
import { rootBetween } from './roots.ts';

/**
 * How often quotes at one distance from fair were filled.
 *
 * @example
 * const count: FillCount = { distance: 0.25, time: 10, fills: 960 };
 */
export interface FillCount {
  /** Distance from fair in any unit, for instance log-odds. `decay` is per that unit. */
  readonly distance: number;
  /** Time that quotes rested at this distance, in any unit. `arrivals` is per that unit. */
  readonly time: number;
  readonly fills: number;
}

/**
 * Fills arrive at the rate arrivals × e^(-decay × distance): A and k of `GlftModel`.
 *
 * @example
 * const rateAt = ({ arrivals, decay }: FillIntensity, distance: number): number =>
 *   arrivals * Math.exp(-decay * distance);
 * rateAt({ arrivals: 140, decay: 1.5 }, 1); // 31.238
 */
export interface FillIntensity {
  readonly arrivals: number;
  readonly decay: number;
}

/**
 * Whether the counts determine A and k. They need fills, and these must lie neither all at the nearest distance nor all
 * at the furthest: the likelihood then grows without end as the decay does.
 *
 * @example
 * isIntensityDetermined([{ distance: 0.02, time: 1, fills: 7 }]); // false
 */
export function isIntensityDetermined(counts: readonly FillCount[]): boolean {
  const used = counts.filter(({ time }) => time > 0);
  const filled = used.filter(({ fills }) => fills > 0).map(({ distance }) => distance);
  const distances = used.map(({ distance }) => distance);
  return Math.min(...distances) < Math.max(...filled) && Math.min(...filled) < Math.max(...distances);
}

/**
 * Fits the rate of fills by distance from fair, by maximum likelihood: fills at one distance are Poisson with mean
 * time × A·e^(-kδ). For a given k the best A is explicit, so one equation in k is left: the mean distance of the fills is
 * the one that the model expects. Its right side falls as k grows, so it has one root. Throws InvariantError unless
 * `isIntensityDetermined`.
 *
 * @example
 * fitIntensity([
 *   { distance: 0.25, time: 10, fills: 960 },
 *   { distance: 0.5, time: 10, fills: 665 },
 *   { distance: 1, time: 10, fills: 310 },
 *   { distance: 1.5, time: 10, fills: 150 },
 * ]); // { arrivals: 139.646, decay: 1.49383 }
 */
export function fitIntensity(counts: readonly FillCount[]): FillIntensity {
  invariant(
    isIntensityDetermined(counts),
    'counts need fills at more than the nearest or furthest distance',
    {
      counts,
    },
  );
  const used = counts.filter(({ time }) => time > 0);
  const fills = sum(used.map((count) => count.fills));
  const meanDistance = sum(used.map((count) => count.fills * count.distance)) / fills;
  const excess = (decay: number): number => expectedDistance(used, decay) - meanDistance;
  const decay = rootBetween(excess, ...bracket(excess, used));
  return { arrivals: fills / timeAtFair(used, decay), decay };
}

/** The quoting time at fair that all quoting was worth, if fills fall with this decay: Σ T·e^(-kδ). */
export const timeAtFair = (counts: readonly FillCount[], decay: number): number =>
  sum(counts.map(({ distance, time }) => time * Math.exp(-decay * distance)));

/** The mean distance of fills that the model expects. */
function expectedDistance(counts: readonly FillCount[], decay: number): number {
  // Exponents count from the largest, so that none overflows.
  const exponents = counts.map(({ distance, time }) => Math.log(time) - decay * distance);
  const largest = Math.max(...exponents);
  const weights = exponents.map((exponent) => Math.exp(exponent - largest));
  return sum(counts.map(({ distance }, i) => distance * (weights[i] as number))) / sum(weights);
}

/** Two decays on either side of the root, searched ever further from 0. */
function bracket(excess: (decay: number) => number, counts: readonly FillCount[]): [number, number] {
  const distances = counts.map(({ distance }) => distance);
  const range = Math.max(...distances) - Math.min(...distances);
  const sign = excess(0) < 0 ? -1 : 1;
  let near = 0;
  for (let far = sign / range; ; far *= 2) {
    if (excess(far) * sign <= 0) return [near, far];
    near = far;
  }
}

/**
 * Standard errors of a fit.
 *
 * @example
 * const isKnown = ({ decay }: FillIntensityErrors): boolean => decay < 5;
 */
export interface FillIntensityErrors {
  /** Of ln A: A is known to within a factor of about e^(± twice this). */
  readonly logArrivals: number;
  /** Of k. */
  readonly decay: number;
}

/**
 * The standard errors of `fitted`, from the expected (Fisher) information of the counts.
 *
 * @example
 * const counts = [
 *   { distance: 0.25, time: 10, fills: 960 },
 *   { distance: 1.5, time: 10, fills: 150 },
 * ];
 * intensityErrors(counts, fitIntensity(counts)); // { logArrivals: 0.042032, decay: 0.070238 }
 */
export function intensityErrors(counts: readonly FillCount[], fitted: FillIntensity): FillIntensityErrors {
  const means = counts.map(
    ({ distance, time }) => time * fitted.arrivals * Math.exp(-fitted.decay * distance),
  );
  const total = sum(means);
  const middle = sum(counts.map(({ distance }, i) => distance * (means[i] as number))) / total;
  const spread = sum(counts.map(({ distance }, i) => (distance - middle) ** 2 * (means[i] as number)));
  return { logArrivals: Math.sqrt(1 / total + middle ** 2 / spread), decay: Math.sqrt(1 / spread) };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
