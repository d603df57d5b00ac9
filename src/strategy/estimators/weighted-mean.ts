/**
 * A mean of weighted values, in which earlier values may count less. Plain data.
 *
 * @example
 * const samplesOf = ({ weight, weightSquares }: WeightedMean): number => weight ** 2 / weightSquares;
 */
export interface WeightedMean {
  /** Sum of the weights. */
  readonly weight: number;
  /** Sum of the squares of the weights. */
  readonly weightSquares: number;
  readonly mean: number;
  /** Weighted sum of the squared distances from the mean. */
  readonly squares: number;
}

export const NOTHING_YET: WeightedMean = { weight: 0, weightSquares: 0, mean: 0, squares: 0 };

/** Adds a value. `kept` is the share of their weight that earlier values keep. One pass, by West's update. */
export function withValue(of: WeightedMean, value: number, weight = 1, kept = 1): WeightedMean {
  const total = of.weight * kept + weight;
  const offset = value - of.mean;
  const mean = of.mean + (offset * weight) / total;
  return {
    weight: total,
    weightSquares: of.weightSquares * kept ** 2 + weight ** 2,
    mean,
    squares: of.squares * kept + weight * offset * (value - mean),
  };
}

/**
 * An estimated value and its standard error.
 *
 * @example
 * const isPositive = ({ value, standardError }: Estimate): boolean => value > 2 * (standardError ?? Infinity);
 */
export interface Estimate {
  readonly value: number;
  /** Null with a single sample, which says nothing about its error. */
  readonly standardError: number | null;
}

/** The mean, and its standard error for independent values. Null without values. */
export function estimateOf({ weight, weightSquares, mean, squares }: WeightedMean): Estimate | null {
  if (weight === 0) return null;
  // With equal weights this is the sum of squares over n - 1, then the variance over n.
  const freedom = weight - weightSquares / weight;
  if (!(freedom > weight * Number.EPSILON)) return { value: mean, standardError: null };
  return { value: mean, standardError: Math.sqrt(((squares / freedom) * weightSquares) / weight ** 2) };
}
