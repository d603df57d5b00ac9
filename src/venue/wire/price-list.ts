import { fromMicros, type Micros } from '../../domain/money.ts';
import {
  EMPTY_PRICE_LIST,
  NO_MINIMUM,
  packLevels,
  type PriceLevel,
  type PriceList,
} from '../../domain/price-list.ts';
import { boundedMoney, isWithin } from './bounds.ts';
import { isRecord, readMoney, readNumber } from './scalars.ts';
import { silentSurvey, type Survey } from './survey.ts';

/**
 * Reads one `{effective: {price, min, max}}`; null when a part of it cannot be read or meant. A missing minimum is null.
 */
export function readLevel(value: unknown, survey: Survey = silentSurvey): PriceLevel | null {
  const effective = isRecord(value) ? value['effective'] : null;
  if (!isRecord(effective)) return null;
  const price = readNumber(effective['price']);
  if (price === null || !isWithin('price_list.price', price, survey)) return null;
  const maxMicros = readMost(effective['max'], survey);
  const minMicros = readLeast(effective['min'] ?? null, survey);
  return maxMicros === null || minMicros === undefined ? null : { price, minMicros, maxMicros };
}

/** The maximum of a level. Less than nothing is no stake that takers can get. */
function readMost(given: unknown, survey: Survey): Micros | null {
  const micros = readMoney(given);
  if (micros !== null && micros < 0) isWithin('price_list.max', fromMicros(micros), survey);
  return micros !== null && micros < 0 ? null : readMoney(boundedMoney('price_list.max', given, survey));
}

/** The minimum of a level; undefined when it cannot be read or meant. */
function readLeast(given: unknown, survey: Survey): Micros | null | undefined {
  if (given === null) return null;
  const amount = Array.isArray(given) ? readNumber(given[1]) : null;
  if (amount !== null && !isWithin('price_list.min', amount, survey)) return undefined;
  return readMoney(given) ?? undefined;
}

/**
 * Reads a `price_list`: prices descending (sorted if need be), each price once, without levels that have no stake. Null
 * when it is no list or one of its levels cannot be read: a market is believed as a whole or not at all.
 */
export function readPriceList(value: unknown, survey: Survey = silentSurvey): PriceList | null {
  if (!Array.isArray(value)) return null;
  const levels: PriceLevel[] = [];
  for (const entry of value) {
    const level = readLevel(entry, survey);
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
