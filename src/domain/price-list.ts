import type { Micros } from './money.ts';
import { isComplement, type PriceKind, selectionPrice, selectionStakeMicros } from './odds.ts';
import type { Direction } from './selection.ts';

/**
 * The levels of one market, packed flat as `[price, minMicros, maxMicros, price, …]` in the wire's order (price
 * descending). `NO_MINIMUM` means no minimum. The list is packed because ten thousand of them are held at once and most
 * frames change few: one array of doubles costs a third of the memory of objects.
 *
 * @example
 * const stakes = (list: PriceList): number => levelsOf(list).reduce((sum, level) => sum + level.maxMicros, 0);
 * stakes(selection.market.for?.priceList ?? []); // 100000000
 */
export type PriceList = readonly number[];

export const NO_MINIMUM = -1;
export const EMPTY_PRICE_LIST: PriceList = [];

/**
 * A level, unpacked for callers that are not on the hot path.
 *
 * @example
 * const best: PriceLevel | null = bestSides(selection.market).forTakers;
 * best?.price; // 2.3
 */
export interface PriceLevel {
  readonly price: number;
  readonly minMicros: Micros | null;
  readonly maxMicros: Micros;
}

const STRIDE = 3;

/**
 * The number of levels.
 *
 * @example
 * levelCount([2.3, -1, 100e6, 2.28, -1, 50e6]); // 2
 */
export const levelCount = (list: PriceList): number => list.length / STRIDE;

/**
 * Level `index`, counted from the highest price. Undefined outside the list.
 *
 * @example
 * levelAt([2.3, -1, 100e6, 2.28, -1, 50e6], 1)?.price; // 2.28
 */
export function levelAt(list: PriceList, index: number): PriceLevel | undefined {
  const at = index * STRIDE;
  const price = list[at];
  if (price === undefined) return undefined;
  const minMicros = list[at + 1] as number;
  return { price, minMicros: minMicros === NO_MINIMUM ? null : minMicros, maxMicros: list[at + 2] as number };
}

/**
 * All levels, highest price first.
 *
 * @example
 * levelsOf([2.3, -1, 100e6]); // [{ price: 2.3, minMicros: null, maxMicros: 100000000 }]
 */
export function levelsOf(list: PriceList): PriceLevel[] {
  const levels: PriceLevel[] = [];
  for (let i = 0; i < levelCount(list); i++) levels.push(levelAt(list, i) as PriceLevel);
  return levels;
}

/** Packs levels, sorting them by price descending as the wire does. */
export function packLevels(levels: readonly PriceLevel[]): PriceList {
  return [...levels]
    .sort((a, b) => b.price - a.price)
    .flatMap((level) => [level.price, level.minMicros ?? NO_MINIMUM, level.maxMicros]);
}

/**
 * The level a taker in this direction gets first: the first of a `for` market, the last of an `against` market.
 *
 * @example
 * bestLevel('for', [2.3, -1, 100e6, 2.28, -1, 50e6])?.price; // 2.3
 * bestLevel('against', [2.4, -1, 100e6, 2.36, -1, 50e6])?.price; // 2.36
 */
export function bestLevel(direction: Direction, list: PriceList): PriceLevel | undefined {
  return levelAt(list, direction === 'for' ? 0 : levelCount(list) - 1);
}

/** The price of `bestLevel`; null for an empty list. */
export const bestPrice = (direction: Direction, list: PriceList): number | null =>
  (direction === 'for' ? list[0] : list.at(-STRIDE)) ?? null;

/**
 * A list of prices of a kind, in the wire's order, as prices of the selection with the stakes at them: exact complements, not on the
 * ladder. Again price descending, so the levels of a complement change their order. The same list if nothing changes.
 *
 * @example
 * selectionList('odds-against', [1.8, -1, 100e6, 1.5, -1, 50e6]); // [3, -1, 25e6, 2.25, -1, 80e6]
 */
export function selectionList(kind: PriceKind, list: PriceList): PriceList {
  if (!isComplement(kind)) return list;
  const converted = new Array<number>(list.length);
  for (let at = 0; at < list.length; at += STRIDE) {
    const to = list.length - STRIDE - at;
    const price = list[at] as number;
    const minMicros = list[at + 1] as number;
    converted[to] = selectionPrice(kind, price);
    converted[to + 1] = minMicros === NO_MINIMUM ? NO_MINIMUM : selectionStakeMicros(kind, price, minMicros);
    converted[to + 2] = selectionStakeMicros(kind, price, list[at + 2] as number);
  }
  return converted;
}

/** Stakes of all levels together. */
export function totalMaxMicros(list: PriceList): Micros {
  let total = 0;
  for (let at = 2; at < list.length; at += STRIDE) total += list[at] as number;
  return total;
}

/** Whether two lists have the same levels. */
export function samePrices(a: PriceList, b: PriceList): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
