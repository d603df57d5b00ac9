import { invariant } from '../../lib/assert.ts';

/** How often quotes at one distance from fair were filled. */
export interface FillCount {
  /** Distance from fair in any unit, for instance log-odds. `decay` is per that unit. */
  readonly distance: number;
  /** Time that quotes rested at this distance, in any unit. `arrivals` is per that unit. */
  readonly time: number;
  readonly fills: number;
}

/** Fills arrive at the rate arrivals × e^(-decay × distance): A and k of `GlftModel`. */
export interface FillIntensity {
  readonly arrivals: number;
  readonly decay: number;
}

const MOST_ROUNDS = 100;
const SETTLED = 1e-13;

/**
 * Fits the rate of fills by distance from fair, by maximum likelihood: fills at one distance are Poisson with mean
 * time × A·e^(-kδ). Newton's method on (ln A, k). Throws InvariantError without fills, or with counts at a single
 * distance, which say nothing about the decay.
 */
export function fitIntensity(counts: readonly FillCount[]): FillIntensity {
  const used = counts.filter(({ time }) => time > 0);
  const fills = sum(used.map((count) => count.fills));
  const time = sum(used.map((count) => count.time));
  const distances = new Set(used.map(({ distance }) => distance));
  invariant(fills > 0 && distances.size > 1, 'counts need fills and two distances', { counts });
  let logArrivals = Math.log(fills / time);
  let decay = 0;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const step = newtonStep(used, logArrivals, decay);
    logArrivals += step.logArrivals;
    decay += step.decay;
    if (Math.abs(step.logArrivals) + Math.abs(step.decay) < SETTLED) break;
  }
  return { arrivals: Math.exp(logArrivals), decay };
}

/** Solves the two score equations: the sum of the residuals, and their sum weighted by distance, are 0. */
function newtonStep(
  counts: readonly FillCount[],
  logArrivals: number,
  decay: number,
): { logArrivals: number; decay: number } {
  const means = counts.map(({ distance, time }) => time * Math.exp(logArrivals - decay * distance));
  const total = (of: (distance: number, mean: number, fills: number) => number): number =>
    sum(counts.map(({ distance, fills }, i) => of(distance, means[i] as number, fills)));
  const plain = total((_, mean, n) => n - mean);
  const byDistance = total((d, mean, n) => d * (n - mean));
  const m0 = total((_, mean) => mean);
  const m1 = total((d, mean) => d * mean);
  const m2 = total((d, mean) => d * d * mean);
  const determinant = m0 * m2 - m1 * m1;
  return {
    logArrivals: (m2 * plain - m1 * byDistance) / determinant,
    decay: (m1 * plain - m0 * byDistance) / determinant,
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
