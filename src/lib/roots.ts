import { invariant } from './assert.ts';

/** Halvings that bring any bracket of ordinary size below the resolution of a double. */
const MOST_HALVINGS = 200;

/**
 * A root of a continuous function between two points where its signs differ, by bisection, to the last bit that a
 * double can tell. Throws InvariantError when the signs are the same.
 */
export function rootBetween(of: (x: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  const atLow = of(low);
  if (atLow === 0) return low;
  invariant(Math.sign(atLow) !== Math.sign(of(high)), 'no change of sign', { from, to });
  for (let halving = 0; halving < MOST_HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) return middle;
    if (Math.sign(of(middle)) === Math.sign(atLow)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
