/** Books of a set that all move by one λ: `L = x + λ w² p (1 − p)` with `p = logistic(L)`. */

/** A book with two sides, in log-odds. */
export interface SetBook {
  /** The mid of both touches. */
  readonly mid: number;
  /** The distance of both touches. */
  readonly width: number;
  /** Whether the book can have a fair value. Others take part, and bound nothing. */
  readonly isValid: boolean;
}

export interface Moved {
  readonly logOdds: readonly number[];
  /** Of the probabilities, and how it grows with λ. */
  readonly sum: number;
  readonly slope: number;
}

/** The rest that a computer's numbers leave of a difference of log-odds that is zero. */
const ROUNDING = 4e-16;
const MOST_STEPS = 200;

export const logistic = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/** Every book at the solution that is nearest to its mid. */
export function movedBy(books: readonly SetBook[], lambda: number): Moved {
  let [sum, slope] = [0, 0];
  const logOdds = books.map(({ mid, width }) => {
    const force = lambda * width * width;
    const found = movedBook(mid, force);
    const p = logistic(found);
    const variance = p * (1 - p);
    sum += p;
    slope += (variance * variance * width * width) / (1 - force * variance * (1 - 2 * p));
    return found;
  });
  return { logOdds, sum, slope };
}

/**
 * The solution of `L = mid + force · p (1 − p)` that is nearest to the mid. Newton's steps from the mid reach it: until there the
 * function is concave, or else it has no other solution. Steps that leave the bracket are replaced by its middle.
 */
function movedBook(mid: number, force: number): number {
  let [low, high] = force > 0 ? [mid, mid + force / 4] : [mid + force / 4, mid];
  let found = mid;
  for (let step = 0; step < MOST_STEPS; step++) {
    const p = logistic(found);
    const variance = p * (1 - p);
    const miss = found - mid - force * variance;
    if (Math.abs(miss) <= ROUNDING * (1 + Math.abs(found) + Math.abs(mid))) break;
    if (miss < 0) low = found;
    else high = found;
    const slope = 1 - force * variance * (1 - 2 * p);
    const newton = found - miss / slope;
    const next = slope > 0 && newton >= low && newton <= high ? newton : (low + high) / 2;
    if (next === found) break;
    found = next;
  }
  return found;
}
