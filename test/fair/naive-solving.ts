/** Fair values of a set from its books at one instant, as the definition says it: every equation is solved by bisection. */
import { LADDER } from '../../src/domain/ladder.ts';

/** The stake by tick: what takers for get, and what takers against get. */
export interface Stakes {
  readonly back: Map<number, number>;
  readonly lay: Map<number, number>;
}

/** The numbers of the definition that somebody chose. Risk in micros. */
export interface NaiveNumbers {
  readonly depthMicros: number;
  readonly width: number;
  readonly holdMs: number;
}

export const NAIVE_NUMBERS: NaiveNumbers = { depthMicros: 20_000_000, width: 0.25, holdMs: 5_000 };

export interface NaiveBook {
  readonly x: number;
  readonly w: number;
  readonly isValid: boolean;
}

/** A book with two sides, what a selection without may hold, or null if it has left. */
export type NaiveState = NaiveBook | number | null;

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/** The worst price at so much risk, or the last one; null for an empty side. */
function touch(
  side: ReadonlyMap<number, number>,
  isBack: boolean,
  depthMicros: number,
): { x: number; isDeep: boolean } | null {
  const levels = [...side]
    .filter(([, micros]) => micros > 0)
    .toSorted(([a], [b]) => (isBack ? b - a : a - b));
  let risk = 0;
  let x: number | null = null;
  for (const [tick, micros] of levels) {
    const price = LADDER[tick] ?? NaN;
    x = -Math.log(price - 1);
    risk += micros * Math.sqrt(price - 1);
    if (risk >= depthMicros) return { x, isDeep: true };
  }
  return x === null ? null : { x, isDeep: false };
}

/** A book with two sides, or what a selection without may hold. */
export function bookOf(book: Stakes | undefined, { depthMicros, width }: NaiveNumbers): NaiveBook | number {
  const [back, lay] = [
    touch(book?.back ?? new Map(), true, depthMicros),
    touch(book?.lay ?? new Map(), false, depthMicros),
  ];
  if (back !== null && lay !== null) {
    const w = back.x - lay.x;
    return { x: (back.x + lay.x) / 2, w, isValid: back.isDeep && lay.isDeep && w >= 0 && w <= width };
  }
  const ticks = [...(book?.back ?? [])].filter(([, micros]) => micros > 0).map(([tick]) => tick);
  return ticks.length === 0 ? 1 : 1 / (LADDER[Math.max(...ticks)] ?? NaN);
}

/** The fair log-odds of each selection of a set; null without. */
export function valuesOf(states: readonly NaiveState[], winners: number): (number | null)[] {
  const books = states.filter((each) => each !== null && typeof each !== 'number');
  const outside = states.reduce<number>((sum, each) => sum + (typeof each === 'number' ? each : 0), 0);
  const own = (each: NaiveBook | number | null): each is NaiveBook =>
    each !== null && typeof each !== 'number' && each.isValid;
  const none = states.map(() => null);
  if (winners === 0) return states.map((each) => (own(each) ? each.x : null));
  if (!states.some(own) || outside > 0.01 * winners) return none;
  const solved = solvedSet(books, winners);
  const isTooFar = ({ x, w, isValid }: NaiveBook, at: number): boolean =>
    isValid && Math.abs((solved?.[at] ?? NaN) - x) > w / 2 + 1e-9;
  if (solved === null || books.some(isTooFar)) return none;
  let place = 0;
  return states.map((each) => {
    if (each === null || typeof each === 'number') return null;
    const value = solved[place++] ?? null;
    return each.isValid ? value : null;
  });
}

/** With every book at the value nearest to its mid; else with one book beyond, at the least λ; of three books at the least squares. */
function solvedSet(books: readonly NaiveBook[], winners: number): number[] | null {
  if (books.length === 2 && winners === 1) {
    const [a, b] = books as [NaiveBook, NaiveBook];
    // (L − x_a) / w_a² = (−L − x_b) / w_b²
    const [u, v] = [a.w ** 2, b.w ** 2];
    if (u + v === 0) return a.x === -b.x ? [a.x, b.x] : null;
    const l = (a.x * v - b.x * u) / (u + v);
    return [l, -l];
  }
  const sum = (lambda: number, some = books): number =>
    some.reduce((total, each) => total + sigmoid(nearest(each, lambda)), 0);
  const sign = sum(0) < winners ? 1 : -1;
  let most = 2 ** 20;
  for (const { x, w, isValid } of books) {
    const p = sigmoid(x + (sign * w) / 2);
    if (isValid && w > 0) most = Math.min(most, 1 / (2 * w * p * (1 - p)));
  }
  let [low, high] = [0, most];
  if (sign * (sum(sign * most) - winners) >= 0) {
    for (let step = 0; step < 60; step++) {
      const middle = (low + high) / 2;
      if (sign * (sum(sign * middle) - winners) < 0) low = middle;
      else high = middle;
    }
    if (Math.abs(sum(sign * high) - winners) < 1e-8) return books.map((each) => nearest(each, sign * high));
  }
  if (books.length === 3 && winners === 1) return leastSquares(books as [NaiveBook, NaiveBook, NaiveBook]);
  return oneBeyond(books, winners, sign, sum);
}

/** One book stands further from its mid than a larger λ would bring it: its log-odds give λ, and λ all others. */
function oneBeyond(
  books: readonly NaiveBook[],
  winners: number,
  sign: number,
  sum: (lambda: number, some: readonly NaiveBook[]) => number,
): number[] | null {
  let best: { readonly lambda: number; readonly logOdds: number[] } | null = null;
  for (const [at, { x, w }] of books.entries()) {
    const others = books.toSpliced(at, 1);
    const lambdaAt = (l: number): number => (l - x) / (w * w * sigmoid(l) * (1 - sigmoid(l)));
    const miss = (l: number): number => sign * (sum(lambdaAt(l), others) + sigmoid(l) - winners);
    const steps = 400;
    const placeOf = (step: number): number => x + (step * (16 * sign - x)) / steps;
    const beyond = Array.from({ length: steps }, (_, step) => step + 1).find(
      (step) => miss(placeOf(step)) >= 0,
    );
    if (w === 0 || beyond === undefined) continue;
    let [near, far] = [placeOf(beyond - 1), placeOf(beyond)];
    for (let step = 0; step < 60; step++) {
      const middle = (near + far) / 2;
      if (miss(middle) >= 0) far = middle;
      else near = middle;
    }
    const lambda = lambdaAt(far);
    if (Math.abs(miss(far)) > 1e-8 || (best !== null && Math.abs(best.lambda) <= Math.abs(lambda))) continue;
    best = { lambda, logOdds: books.map((each, place) => (place === at ? far : nearest(each, lambda))) };
  }
  return best?.logOdds ?? null;
}

const logit = (p: number): number => Math.log(p / (1 - p));

/** The shares of three books at the least Σ ((L − x) / w)²: the best of a grid, then ever smaller steps from it. */
function leastSquares(books: readonly [NaiveBook, NaiveBook, NaiveBook]): number[] {
  const sharesOf = ([a, b]: readonly [number, number]): number[] => [a, b, 1 - a - b];
  const cost = (at: readonly [number, number]): number =>
    sharesOf(at).reduce((sum, p, place) => {
      const { x, w } = books[place] as NaiveBook;
      return p > 0 ? sum + ((logit(p) - x) / w) ** 2 : Infinity;
    }, 0);
  const parts = 60;
  let best: [number, number] = [1 / 3, 1 / 3];
  for (let a = 1; a < parts; a++)
    for (let b = 1; b < parts - a; b++)
      if (cost([a / parts, b / parts]) < cost(best)) best = [a / parts, b / parts];
  const ways = [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
    [1, -1],
    [-1, 1],
  ] as const;
  for (let size = 1 / parts; size > 1e-12;) {
    const better = ways
      .map(([a, b]): [number, number] => [best[0] + a * size, best[1] + b * size])
      .find((at) => cost(at) < cost(best));
    if (better === undefined) size /= 2;
    else best = better;
  }
  return sharesOf(best).map(logit);
}

/** The solution of L = x + λ w² p (1 − p) nearest to x: where there may be several, a walk in small steps, then bisection. */
function nearest({ x, w }: NaiveBook, lambda: number): number {
  const miss = (l: number): number => l - x - lambda * w * w * sigmoid(l) * (1 - sigmoid(l));
  const reach = (lambda * w * w) / 4;
  if (reach === 0) return x;
  // p (1 − p) (1 − 2 p) is at most 0.0963: below its inverse the force has one solution.
  const steps = 4 * Math.abs(reach) < 10 ? 1 : 2_000;
  for (let step = 1; step <= steps; step++) {
    let [near, far] = [x + (reach * (step - 1)) / steps, x + (reach * step) / steps];
    if (steps > 1 && Math.sign(miss(far)) !== Math.sign(reach) && miss(far) !== 0) continue;
    for (let halving = 0; halving < 60; halving++) {
      const middle = (near + far) / 2;
      if (Math.sign(miss(middle)) === Math.sign(reach)) far = middle;
      else near = middle;
    }
    return far;
  }
  return x + reach;
}
