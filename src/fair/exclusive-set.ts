/**
 * Fair values of runners of which exactly n win. The mids of their books do not add up to n; each moves by its uncertainty,
 * `p = logistic(x + λ w² p (1 − p))`, with one λ for all, so that wide books move most. As a rule these are the log-odds that add up
 * to n at the least Σ (L − x)² / w².
 */
import { logistic, type Moved, movedBy, type SetBook } from './moved-books.ts';

/** The sum of the probabilities is `winners` to this. */
const TOLERANCE = 1e-12;
/** A sum that jumps over `winners` meets it nowhere. */
const JUMP = 1e-9;
/** Ticks whose prices are exact complements meet at half a width, which log-odds of both miss by their last digits. */
const ROUNDING = 1e-12;
const MOST_STEPS = 200;
const MOST_LAMBDA = 2 ** 40;
/** Log-odds beyond are no probabilities of any market. */
const MOST_LOG_ODDS = 16;
const SCAN_STEPS = 64;
/** The largest `p (1 − p) (1 − 2p)`: a force below its inverse has one solution for every book. */
const MOST_BEND = Math.sqrt(3) / 18;

/** The fair log-odds of each book; null if a valid book would move by more than half its width, or if nothing adds up. */
export function solveSet(books: readonly SetBook[], winners: number): readonly number[] | null {
  if (books.length === 2 && winners === 1) return twoBooks(books as [SetBook, SetBook]);
  const unmoved = movedBy(books, 0);
  if (Math.abs(unmoved.sum - winners) <= TOLERANCE) return unmoved.logOdds;
  const bound = lambdaBound(books, unmoved.sum < winners ? 1 : -1);
  return nearMids(books, winners, bound, unmoved) ?? pastOneBend(books, winners, bound);
}

/** Of two books with one winner the distances share the move as their squares do, whatever λ is. */
function twoBooks(books: readonly [SetBook, SetBook]): readonly number[] | null {
  const [one, other] = books;
  const [mine, others] = [one.width ** 2, other.width ** 2];
  const miss = one.mid + other.mid;
  if (miss === 0) return [one.mid, other.mid];
  const share = mine / (mine + others);
  const isTooFar = ({ width, isValid }: SetBook, part: number): boolean =>
    isValid && Math.abs(part * miss) > width / 2 + ROUNDING;
  if (mine + others === 0 || isTooFar(one, share) || isTooFar(other, 1 - share)) return null;
  const logOdds = one.mid - share * miss;
  return [logOdds, 0 - logOdds];
}

/** The λ in a direction at which the first valid book has moved by half its width. */
function lambdaBound(books: readonly SetBook[], sign: number): number {
  let bound = MOST_LAMBDA;
  for (const { mid, width, isValid } of books) {
    if (!isValid || width === 0) continue;
    const p = logistic(mid + (sign * width) / 2);
    bound = Math.min(bound, 1 / (2 * width * p * (1 - p)));
  }
  return sign * bound;
}

/** With every book at the solution nearest to its mid. The sum grows with λ. */
function nearMids(
  books: readonly SetBook[],
  winners: number,
  bound: number,
  unmoved: Moved,
): readonly number[] | null {
  const most = movedBy(books, bound);
  if (most.sum < winners === unmoved.sum < winners && Math.abs(most.sum - winners) > TOLERANCE) return null;
  let [low, high, lambda, moved] = [Math.min(0, bound), Math.max(0, bound), 0, unmoved];
  for (let step = 0; step < MOST_STEPS && Math.abs(moved.sum - winners) > TOLERANCE; step++) {
    if (moved.sum < winners) low = lambda;
    else high = lambda;
    const newton = lambda + (winners - moved.sum) / moved.slope;
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (next === lambda) break;
    lambda = next;
    moved = movedBy(books, lambda);
  }
  return Math.abs(moved.sum - winners) <= JUMP ? moved.logOdds : null;
}

/**
 * With one wide book further from its mid than a larger λ would bring it: at the least sum of squares no second book can be. Of
 * several such solutions that with the least λ.
 */
function pastOneBend(books: readonly SetBook[], winners: number, bound: number): readonly number[] | null {
  let best: Driven | null = null;
  for (const [driver, { width }] of books.entries()) {
    if (Math.abs(bound) * width * width * MOST_BEND < 1) continue;
    const found = firstCrossing(books, winners, driver, Math.sign(bound));
    if (found === null || Math.abs(found.lambda) > Math.abs(bound)) continue;
    if (best === null || Math.abs(found.lambda) < Math.abs(best.lambda)) best = found;
  }
  return best?.logOdds ?? null;
}

interface Driven {
  readonly lambda: number;
  readonly logOdds: readonly number[];
  readonly sum: number;
}

/** One book's log-odds give λ, and λ all others. */
function drivenBy(books: readonly SetBook[], driver: number, logOdds: number): Driven {
  const { mid, width } = books[driver] as SetBook;
  const p = logistic(logOdds);
  const lambda = (logOdds - mid) / (width * width * p * (1 - p));
  const others = movedBy(books.toSpliced(driver, 1), lambda);
  return { lambda, sum: others.sum + p, logOdds: others.logOdds.toSpliced(driver, 0, logOdds) };
}

/** The first log-odds of the driver from its mid on at which the sum is `winners`. */
function firstCrossing(
  books: readonly SetBook[],
  winners: number,
  driver: number,
  sign: number,
): Driven | null {
  const { mid } = books[driver] as SetBook;
  const reach = MOST_LOG_ODDS - sign * mid;
  const isBeyond = ({ sum }: Driven): boolean => sign * (sum - winners) >= 0;
  for (let step = 1; step <= SCAN_STEPS; step++) {
    const at = mid + (sign * reach * step) / SCAN_STEPS;
    if (!isBeyond(drivenBy(books, driver, at))) continue;
    let [near, far] = [at - (sign * reach) / SCAN_STEPS, at];
    for (let halving = 0; halving < MOST_STEPS; halving++) {
      const middle = (near + far) / 2;
      if (middle === near || middle === far) break;
      if (isBeyond(drivenBy(books, driver, middle))) far = middle;
      else near = middle;
    }
    const found = drivenBy(books, driver, far);
    return Math.abs(found.sum - winners) <= JUMP ? found : null;
  }
  return null;
}
