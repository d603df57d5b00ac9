/**
 * Trades that the offers of a market show. The stream names none. A taker takes the best prices first, and leaves all others as they
 * are; whoever quotes anew changes several. So stake that left the best prices was traded, if every price behind them stayed as it was
 * and none was added. Any other change is taken for cancelled and new stake.
 */
import { levelsOf, type PriceLevel, type PriceList } from '../domain/price-list.ts';
import type { Micros } from '../domain/money.ts';

export interface InferredTrade {
  readonly price: number;
  readonly stakeMicros: Micros;
}

/** The trades between two lists of a market, the best price first. `isLay`: the lowest price is the best one. */
export function tradesBetween(before: PriceList, after: PriceList, isLay: boolean): readonly InferredTrade[] {
  const [old, now] = [before, after].map((list) => bestFirst(levelsOf(list), isLay)) as [
    readonly PriceLevel[],
    readonly PriceLevel[],
  ];
  // What is left must be the end of what was there; only its first price may have less than before.
  const gone = old.length - now.length;
  if (gone < 0 || now.some(({ price }, at) => old[gone + at]?.price !== price)) return [];
  const lost = old.map(({ price, maxMicros }, at) => ({
    price,
    stakeMicros: maxMicros - (now[at - gone]?.maxMicros ?? 0),
  }));
  const [touched, behind] = [lost.slice(0, gone + 1), lost.slice(gone + 1)];
  if (behind.some(({ stakeMicros }) => stakeMicros !== 0)) return [];
  if (touched.some(({ stakeMicros }) => stakeMicros < 0)) return [];
  return touched.filter(({ stakeMicros }) => stakeMicros > 0);
}

const bestFirst = (levels: readonly PriceLevel[], isLay: boolean): readonly PriceLevel[] =>
  isLay ? levels.toReversed() : levels;
