/**
 * Probabilities of outcomes from their decimal prices. Exactly one of the outcomes happens. The inverse prices r add up
 * to more than 1 (the overround, the maker's margin). The methods differ in how much of it they take from each price;
 * without an overround they agree. All need at least two prices above 1, and throw InvariantError otherwise.
 */
import { invariant } from '../../lib/assert.ts';
import { rootBetween } from './roots.ts';

/**
 * Sum of the inverse prices, Σr. A fair book has 1.
 *
 * @example
 * bookSum([2.6, 2.4, 4.3]); // 1.0338
 */
export const bookSum = (prices: readonly number[]): number => sum(inverses(prices));

/**
 * Takes the same share from each inverse price: r / Σr.
 *
 * @example
 * multiplicative([2.6, 2.4, 4.3]); // [0.37203, 0.40303, 0.22495]
 */
export function multiplicative(prices: readonly number[]): number[] {
  const total = bookSum(prices);
  return inverses(prices).map((r) => r / total);
}

/**
 * Takes the same amount from each inverse price: r - (Σr - 1)/n. The result can be below 0 for outsiders.
 *
 * @example
 * additive([2.6, 2.4, 4.3]); // [0.37334, 0.40539, 0.22128]
 */
export function additive(prices: readonly number[]): number[] {
  const excess = (bookSum(prices) - 1) / prices.length;
  return inverses(prices).map((r) => r - excess);
}

/**
 * Power method: r^k, with the k that makes the sum 1. Takes a larger share from outsiders.
 *
 * @example
 * power([2.6, 2.4, 4.3]); // [0.37298, 0.40511, 0.22191]
 */
export function power(prices: readonly number[]): number[] {
  const raw = inverses(prices);
  const of = (k: number): number[] => raw.map((r) => r ** k);
  const k = rootBetween((exponent) => sum(of(exponent)) - 1, 1e-3, 1e3);
  return of(k);
}

/**
 * Odds ratio method: r/(1-r) = c·p/(1-p) with one c for all prices, so p = r/(c + r - cr).
 *
 * @example
 * oddsRatio([2.6, 2.4, 4.3]); // [0.37243, 0.40413, 0.22344]
 */
export function oddsRatio(prices: readonly number[]): number[] {
  const raw = inverses(prices);
  const of = (c: number): number[] => raw.map((r) => r / (c + r - c * r));
  // Solved for ln c, because c ranges over many powers of ten.
  const c = Math.exp(rootBetween((logC) => sum(of(Math.exp(logC))) - 1, -50, 50));
  return of(c);
}

/**
 * Probabilities of the outcomes, in the order of their prices.
 *
 * @example
 * const favourite = ({ probabilities }: ShinResult): number => Math.max(...probabilities);
 * favourite(shin([2.6, 2.4, 4.3])); // 0.40478
 */
export interface ShinResult {
  readonly probabilities: number[];
  /** Share of takers who know the outcome, 0 to 1. */
  readonly z: number;
}

/**
 * Shin's model (Economic Journal 1993): the overround protects the maker against a share z of takers who know the
 * outcome. p = [sqrt(z² + 4(1-z)r²/B) - z] / (2(1-z)), where B = Σr and z makes the sum of p 1. A book at or below 1 has
 * no margin and no such z: z is then 0 and the result multiplicative.
 *
 * @example
 * shin([2.6, 2.4, 4.3]).probabilities; // [0.37299406, 0.40477941, 0.22222653]
 * shin([2.6, 2.4, 4.3]).z; // 0.01694251
 */
export function shin(prices: readonly number[]): ShinResult {
  const raw = inverses(prices);
  const total = sum(raw);
  if (total <= 1) return { probabilities: multiplicative(prices), z: 0 };
  const of = (z: number): number[] =>
    raw.map((r) => (Math.sqrt(z * z + (4 * (1 - z) * r * r) / total) - z) / (2 * (1 - z)));
  const z = rootBetween((share) => sum(of(share)) - 1, 0, 1 - 1e-9);
  return { probabilities: of(z), z };
}

function inverses(prices: readonly number[]): number[] {
  invariant(
    prices.length >= 2 && prices.every((price) => price > 1),
    'prices must be two or more, each above 1',
    { prices },
  );
  return prices.map((price) => 1 / price);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
