/** A sample of something over time. The caller chooses the unit of `x`: hours of a run, or simulated days. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A line fitted by least squares. */
export interface Slope {
  /** Change of `y` for each unit of `x`. */
  readonly slope: number;
  /** Standard error of `slope`, if the distances from the line are independent of each other. */
  readonly standardError: number;
  readonly points: number;
}

/** Two points lie on a line without any error, so that they tell nothing about it. */
const LEAST_POINTS = 3;

/** Null for fewer than three points, or when all have the same `x`. */
export function slopeOf(points: readonly Point[]): Slope | null {
  const count = points.length;
  if (count < LEAST_POINTS) return null;
  const [meanX, meanY] = [meanOf(points.map(({ x }) => x)), meanOf(points.map(({ y }) => y))];
  const spread = sumOf(points.map(({ x }) => (x - meanX) ** 2));
  if (spread === 0) return null;
  const slope = sumOf(points.map(({ x, y }) => (x - meanX) * (y - meanY))) / spread;
  const left = sumOf(points.map(({ x, y }) => (y - meanY - slope * (x - meanX)) ** 2));
  return { slope, standardError: Math.sqrt(left / (count - 2) / spread), points: count };
}

/**
 * The least `y` of each block of `width`, at the middle of the block. Memory rises until the collector runs: the least of a
 * minute is near what is in use, and neighbouring blocks depend less on each other than neighbouring samples. The last block
 * is left out unless it is whole.
 */
export function floorsOf(points: readonly Point[], width: number): readonly Point[] {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return [];
  // Samples are a little late, never early: a block that ends with the run counts as whole.
  const whole = Math.floor((last.x - first.x) / width + 0.1);
  const blocks = Map.groupBy(points, ({ x }) => Math.floor((x - first.x) / width));
  return [...blocks]
    .filter(([block]) => block < whole)
    .map(([block, inside]) => ({
      x: first.x + (block + 0.5) * width,
      y: Math.min(...inside.map(({ y }) => y)),
    }));
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const pair = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return meanOf(pair.map((value) => value ?? NaN));
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const meanOf = (values: readonly number[]): number => sumOf(values) / values.length;
