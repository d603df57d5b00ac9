import { z } from 'zod';
import {
  EMPTY_PRICE_LIST,
  NO_MINIMUM,
  packLevels,
  type PriceLevel,
  type PriceList,
} from '../../domain/price-list.ts';
import { isRecord, readMoney, readNumber } from './scalars.ts';

/** Reads one `{effective: {price, min, max}}`; null when a part of it cannot be read. A missing minimum is null. */
export function readLevel(value: unknown): PriceLevel | null {
  const effective = isRecord(value) ? value['effective'] : null;
  if (!isRecord(effective)) return null;
  const price = readNumber(effective['price']);
  const maxMicros = readMoney(effective['max']);
  const min = effective['min'] ?? null;
  const minMicros = min === null ? null : readMoney(min);
  const readable = price !== null && price > 1 && maxMicros !== null && maxMicros >= 0;
  return readable && (min === null || minMicros !== null) ? { price, minMicros, maxMicros } : null;
}

/**
 * Reads a `price_list`: prices descending (sorted if need be), each price once, without levels that have no stake. Null
 * when it is no list or one of its levels cannot be read: a market is believed as a whole or not at all.
 */
export function readPriceList(value: unknown): PriceList | null {
  if (!Array.isArray(value)) return null;
  const levels: PriceLevel[] = [];
  for (const entry of value) {
    const level = readLevel(entry);
    if (level === null) return null;
    // A level without stake is no price for takers.
    if (level.maxMicros > 0) levels.push(level);
  }
  if (levels.length === 0) return EMPTY_PRICE_LIST;
  return isDescending(levels) ? packInOrder(levels) : packLevels(mergedByPrice(levels));
}

function isDescending(levels: readonly PriceLevel[]): boolean {
  return levels.every((level, i) => i === 0 || level.price < (levels[i - 1] as PriceLevel).price);
}

/** Several sources may offer one price, each up to its own stake. */
function mergedByPrice(levels: readonly PriceLevel[]): readonly PriceLevel[] {
  const byPrice = new Map<number, PriceLevel>();
  for (const level of levels) byPrice.set(level.price, merged(level, byPrice.get(level.price)));
  return [...byPrice.values()];
}

function merged(level: PriceLevel, other: PriceLevel | undefined): PriceLevel {
  if (other === undefined) return level;
  const min = level.minMicros;
  const otherMin = other.minMicros;
  const minMicros = min === null || otherMin === null ? null : Math.min(min, otherMin);
  return { price: level.price, minMicros, maxMicros: level.maxMicros + other.maxMicros };
}

function packInOrder(levels: readonly PriceLevel[]): PriceList {
  const packed: number[] = [];
  for (const level of levels) packed.push(level.price, level.minMicros ?? NO_MINIMUM, level.maxMicros);
  // The copy does not have the spare room that pushing leaves.
  return packed.slice();
}

/** A price list as a field of a zod object; null when it cannot be read. */
export const priceListOrNull = z.unknown().transform(readPriceList).optional().default(null);
