import type { EventName } from '../../domain/events.ts';
import { type ExchangePrices, secondKind } from '../../domain/exchange-prices.ts';
import type { SelectionId } from '../../domain/ids.ts';
import { priceOf, type Tick } from '../../domain/ladder.ts';
import type { Micros } from '../../domain/money.ts';
import {
  expectedReturn,
  honouringTick,
  isBetter,
  isComplement,
  midProbability,
  otherStakeMicros,
  ownPrice,
  type PriceKind,
  takingTick,
} from '../../domain/odds.ts';
import type { BetslipRequest } from '../../domain/orders.ts';
import { bestPrice, levelAt, levelCount, type PriceLevel, type PriceList } from '../../domain/price-list.ts';
import { type Direction, DIRECTIONS, opposite } from '../../domain/selection.ts';
import type { HedgeLeg } from '../../hedge/legs.ts';
import type { Candidate, MarketRead } from '../../market/index.ts';

/** A bet that the market allows now, before it is known what it would pay. */
export interface CandidateLeg extends Omit<HedgeLeg, 'group' | 'perUnit' | 'ofSelection'> {
  readonly marketType: string;
}

/** The selections of an event, their prices, and how orders on them are named. */
export interface CandidateMarket extends Pick<MarketRead, 'marketOf' | 'sourceOf'> {
  candidates(event: EventName): readonly Pick<Candidate, 'selectionId' | 'marketType'>[];
  resolve(id: SelectionId, kind: PriceKind): Pick<BetslipRequest, 'betType'> | null;
}

/** How many levels of a market a take may go through. */
const MOST_LEVELS = 4;

/**
 * All bets on an event that take what is there now, or all that rest at the best price of their side. `leastMicros`: the least stake of an
 * order.
 */
export function candidateLegs(
  market: CandidateMarket,
  event: EventName,
  prices: ExchangePrices,
  way: HedgeLeg['way'],
  leastMicros: Micros = 0,
): readonly CandidateLeg[] {
  return market
    .candidates(event)
    .map(({ selectionId, marketType }) => ({ selectionId, marketType }))
    .flatMap((selection) => {
      const lists = market.marketOf(selection.selectionId);
      const best = (direction: Direction): number | null => bestIn(direction, lists);
      const mid = midProbability(best('for'), best('against'));
      const shown = mid === null ? (best('for') ?? best('against')) : 1 / mid;
      return DIRECTIONS.flatMap((direction) => {
        const priceKind = direction === 'for' ? 'odds-for' : secondKind(prices, shown, null);
        const betType = market.resolve(selection.selectionId, priceKind)?.betType;
        if (betType === undefined) return [];
        const quoted = market.sourceOf(selection.selectionId, 'quote');
        const common = {
          ...selection,
          direction,
          priceKind,
          betType,
          way,
          hasBetslip: quoted[direction] !== null,
        };
        const terms =
          way === 'take' ? takesOf(direction, priceKind, lists) : offerOf(direction, priceKind, lists);
        return terms.map((each) => ({
          ...common,
          ...each,
          minStakeMicros: Math.max(each.minStakeMicros, leastMicros),
          lossPerUnit: lossOf(priceKind, each.tick, mid),
        }));
      });
    });
}

const bestIn = (direction: Direction, lists: Readonly<Record<Direction, PriceList | null>>): number | null =>
  bestPrice(direction, lists[direction] ?? []);

type Terms = Pick<HedgeLeg, 'tick' | 'availableMicros' | 'minStakeMicros'>;

/** A take at a level takes all better levels, too. Prices and stakes of the lists are those of the selection. */
function takesOf(
  direction: Direction,
  kind: PriceKind,
  lists: Readonly<Record<Direction, PriceList | null>>,
): readonly Terms[] {
  let [availableMicros, minStakeMicros] = [0, 0];
  return levelsFor(direction, lists[direction] ?? []).flatMap(({ price, minMicros, maxMicros }) => {
    const tick = takingTick(kind, ownPrice(kind, price));
    if (tick === null) return [];
    availableMicros += ownStake(kind, maxMicros, price);
    minStakeMicros = Math.max(minStakeMicros, ownStake(kind, minMicros ?? 0, price));
    return [{ tick, availableMicros, minStakeMicros }];
  });
}

/** The levels that a taker gets, the best first. */
function levelsFor(direction: Direction, list: PriceList): readonly PriceLevel[] {
  const count = levelCount(list);
  return Array.from({ length: Math.min(MOST_LEVELS, count) }, (_, at) =>
    levelAt(list, direction === 'for' ? at : count - 1 - at),
  ).filter((level) => level !== undefined);
}

/** An offer rests beside the best ones: at the price that takers of the other side get. */
function offerOf(
  direction: Direction,
  kind: PriceKind,
  lists: Readonly<Record<Direction, PriceList | null>>,
): readonly Terms[] {
  const price = bestIn(opposite(direction), lists);
  const tick = price === null ? null : honouringTick(kind, ownPrice(kind, price));
  return tick === null ? [] : [{ tick, availableMicros: Infinity, minStakeMicros: 0 }];
}

const ownStake = (kind: PriceKind, stakeMicros: Micros, price: number): Micros =>
  isComplement(kind) ? otherStakeMicros(stakeMicros, price) : stakeMicros;

const lossOf = (kind: PriceKind, tick: Tick, mid: number | null): number | null =>
  mid === null ? null : 0 - expectedReturn(kind, priceOf(tick), mid);

/** Whether a take can still be made: its stake is there at its price or better. */
export const stillHolds = (
  {
    selectionId,
    direction,
    tick,
    priceKind,
  }: Pick<HedgeLeg, 'selectionId' | 'direction' | 'tick' | 'priceKind'>,
  stakeMicros: Micros,
  now: readonly CandidateLeg[],
): boolean =>
  now.some(
    (leg) =>
      leg.selectionId === selectionId &&
      leg.direction === direction &&
      leg.priceKind === priceKind &&
      !isBetter(priceKind, tick, leg.tick) &&
      leg.availableMicros >= stakeMicros,
  );
