import { integerBetween, seededRandom } from '../../src/lib/random.ts';

/** All items in an order that the seed alone decides. */
export function drawn<T>(items: readonly T[], seed: number): T[] {
  const random = seededRandom(seed, 'mutants');
  const order = [...items];
  for (let at = order.length - 1; at > 0; at--) {
    const other = integerBetween(random, 0, at);
    const [a, b] = [order[at], order[other]];
    if (a === undefined || b === undefined) throw new Error(`no item at ${at} or ${other}`);
    order[at] = b;
    order[other] = a;
  }
  return order;
}

/** The 0.975 quantile of the standard normal distribution. */
const Z = 1.959_964;

/** A share of a sample, with the ends of its 95 % interval by Wilson. */
export interface Share {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/** The share of the hits in a sample; nothing is known of an empty one. */
export function shareOf(hits: number, of: number): Share {
  if (of === 0) return { share: Number.NaN, low: 0, high: 1 };
  const share = hits / of;
  const z2 = Z * Z;
  const centre = (share + z2 / (2 * of)) / (1 + z2 / of);
  const half = (Z / (1 + z2 / of)) * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of * of));
  return { share, low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}
