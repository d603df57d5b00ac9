/** Quoting for `seconds` at distance `delta` from fair met `fills` takers. */
export interface QuotingBin {
  readonly delta: number;
  readonly seconds: number;
  readonly fills: number;
}

/**
 * Maximum likelihood of A and k when fills are Poisson with mean seconds · A · e^{-k·delta}. For a given k the best A
 * is explicit, so one equation in k is left, and its left side falls as k grows.
 */
export function estimateIntensity(bins: readonly QuotingBin[]): { a: number; k: number } {
  const fills = sum(bins.map((bin) => bin.fills));
  const meanDelta = sum(bins.map((bin) => bin.fills * bin.delta)) / fills;
  let [low, high] = [-100, 1000];
  for (let i = 0; i < 200; i++) {
    const k = (low + high) / 2;
    if (weightedDelta(bins, k) > meanDelta) low = k;
    else high = k;
  }
  return { a: fills / sum(weights(bins, low)), k: low };
}

function weightedDelta(bins: readonly QuotingBin[], k: number): number {
  const all = weights(bins, k);
  return sum(bins.map((bin, i) => bin.delta * (all[i] as number))) / sum(all);
}

const weights = (bins: readonly QuotingBin[], k: number): number[] =>
  bins.map((bin) => bin.seconds * Math.exp(-k * bin.delta));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
