/**
 * Trades that the offers of a market show. The stream names none. `npm run worlds` measures what this rule finds and what it invents:
 *
 * - What the best price that stays has less was traded, whatever changes behind it: others quote anew there all the time.
 * - What stood at better prices was traded, except a single price that came whole and left whole, with nothing taken behind it: a maker
 *   withdrew that quote.
 * - Any other change is cancelled and new stake.
 */
import { levelsOf, type PriceLevel, type PriceList } from '../domain/price-list.ts';
import type { Micros } from '../domain/money.ts';

export interface InferredTrade {
  readonly price: number;
  readonly stakeMicros: Micros;
  /** Whether it took all there was: its taker may have wanted more at this price. */
  readonly isAll: boolean;
}

/** A market as it was shown, with the prices whose stake has changed in part since it came. */
export interface SeenList {
  readonly list: PriceList;
  readonly partly: ReadonlySet<number>;
}

/** The trades between two lists of a market, the best price first. `isLay`: the lowest price is the best one. */
export function tradesBetween(
  { list: before, partly }: SeenList,
  after: PriceList,
  isLay: boolean,
): readonly InferredTrade[] {
  const [old, now] = [bestFirst(before, isLay), bestFirst(after, isLay)];
  const best = now[0];
  if (best === undefined) return [];
  const stays = old.findIndex(({ price }) => (isLay ? price >= best.price : price <= best.price));
  const gone = stays === -1 ? old : old.slice(0, stays);
  const reached = stays === -1 ? undefined : old[stays];
  const fellMicros = reached?.price === best.price ? reached.maxMicros - best.maxMicros : 0;
  const isWithdrawn = gone.length === 1 && fellMicros <= 0 && !gone.some(({ price }) => partly.has(price));
  const all = isWithdrawn
    ? []
    : gone.map(({ price, maxMicros }) => ({ price, stakeMicros: maxMicros, isAll: true }));
  return fellMicros <= 0 ? all : [...all, { price: best.price, stakeMicros: fellMicros, isAll: false }];
}

/** The prices of a list whose stake has changed in part since it came, given the list before. */
export function partlyChanged({ list, partly }: SeenList, now: PriceList): ReadonlySet<number> {
  const before = new Map(levelsOf(list).map(({ price, maxMicros }) => [price, maxMicros]));
  const isPart = ({ price, maxMicros }: PriceLevel): boolean => {
    const earlierMicros = before.get(price);
    return earlierMicros !== undefined && (earlierMicros !== maxMicros || partly.has(price));
  };
  return new Set(
    levelsOf(now)
      .filter(isPart)
      .map(({ price }) => price),
  );
}

const bestFirst = (list: PriceList, isLay: boolean): readonly PriceLevel[] =>
  isLay ? levelsOf(list).toReversed() : levelsOf(list);
