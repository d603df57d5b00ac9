import { invariant } from '../../lib/assert.ts';

/** No bracket of two doubles needs more rounds. */
const MOST_ROUNDS = 200;

const SMALL_SHARE = 1e-6;

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Finds a root of a continuous function between two points where its signs differ, to the precision of a double. Uses
 * inverse quadratic interpolation where that is safe, else bisection (Chandrupatla, Advances in Engineering Software
 * 1997). Throws InvariantError when the signs are the same.
 */
export function rootBetween(f: (x: number) => number, from: number, to: number): number {
  const at = (x: number): Point => ({ x, y: f(x) });
  let newest = at(from);
  /** The point on the other side of the root from the newest. */
  let across = at(to);
  /** The point that was dropped last. */
  let dropped = across;
  if (newest.y === 0) return newest.x;
  invariant(
    Math.sign(newest.y) !== Math.sign(across.y),
    'a function needs different signs at both ends for a root',
    { from, to },
  );
  /** Nearer to 0 than this, the tolerance shrinks no further. */
  const small = SMALL_SHARE * Math.abs(to - from);
  let share = 0.5;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = at(newest.x + share * (across.x - newest.x));
    if (Math.sign(next.y) === Math.sign(newest.y)) dropped = newest;
    else {
      dropped = across;
      across = newest;
    }
    newest = next;
    const best = Math.abs(newest.y) < Math.abs(across.y) ? newest : across;
    const least = (Number.EPSILON * Math.max(Math.abs(best.x), small)) / Math.abs(across.x - newest.x);
    if (!(least < 0.5) || best.y === 0) return best.x;
    share = Math.min(1 - least, Math.max(least, nextShare(newest, across, dropped)));
  }
  return newest.x;
}

/** The share of the way from `a` to `b` to try next: by a parabola of x over y through all three, else the middle. */
function nextShare(a: Point, b: Point, c: Point): number {
  const along = (a.x - b.x) / (c.x - b.x);
  const height = (a.y - b.y) / (c.y - b.y);
  if (!(height ** 2 < along && (1 - height) ** 2 < 1 - along)) return 0.5;
  const first = (a.y / (b.y - a.y)) * (c.y / (b.y - c.y));
  const second = ((c.x - a.x) / (b.x - a.x)) * (a.y / (c.y - a.y)) * (b.y / (c.y - b.y));
  return first + second;
}
