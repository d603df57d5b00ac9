import type { MarketSide } from '../domain/event-view.ts';
import type { SelectionId } from '../domain/ids.ts';
import { isTerminal, type OrderState } from '../domain/lifecycle.ts';
import { type LiveOrder, unfilledMicros } from '../domain/live-order.ts';
import { type Micros, ROUNDING_MICROS } from '../domain/money.ts';
import { priceOf } from '../domain/odds.ts';
import { type PriceList, totalMaxMicros } from '../domain/price-list.ts';
import { type Direction, DIRECTIONS, opposite } from '../domain/selection.ts';

type PriceSource = MarketSide['source'];

const SOURCES: readonly PriceSource[] = ['offer', 'quote'];

/** Nothing of such an order was ever on the exchange. */
const NEVER_SHOWN: readonly OrderState[] = ['prepared', 'refused', 'absent'];

/** An order that is to be closed and of whose end nobody has told for so long may stand: closes fail, or have no effect. */
const CLOSING_MS = 5_000;

/** Open stake that fell, by a fill or by the order's end. */
interface Fall {
  readonly beforeMicros: Micros;
  /** Monotonic instant at which we heard of it. */
  readonly heardMs: number;
}

/** Prices as the exchange sent them. */
export interface ShownPrices {
  readonly id: SelectionId;
  readonly direction: Direction;
  readonly source: PriceSource;
  readonly priceList: PriceList;
  /** Monotonic. */
  readonly sightedMs: number;
}

interface OwnStake {
  readonly order: LiveOrder;
  /** Monotonic instant at which we heard that it rests and nothing else is asked of it; Infinity while that is not so. */
  readonly restsSinceMs: number;
  /** Monotonic instant from which it counts as one that cannot be closed; Infinity while nothing tells so. */
  readonly standsFromMs: number;
  /** Oldest first; those that no usable price can predate are forgotten. */
  readonly falls: readonly Fall[];
}

/** What was left of shown prices, and what of: of the same prices and orders the same is left. */
interface Others {
  readonly list: PriceList;
  readonly shown: PriceList;
  readonly sightedMs: number;
  readonly stakes: readonly OwnStake[] | undefined;
}

/**
 * Our orders by selection, and how much of the stake that the exchange shows is ours. Shown prices lag our own
 * knowledge: a market seen before an order was made cannot hold it, and one seen at the time of a fill or close, or up
 * to `lingerMs` later, may still hold all of it.
 *
 * So for a second or two after each of our own requests it is open how much of a level is ours. The others' stake is then
 * taken to be what it was, as long as what is shown allows that: else our own quotes would move what we quote by.
 */
export class OwnStakes {
  /** The selection whose orders changed longest ago comes first. */
  readonly #bySelection = new Map<SelectionId, readonly OwnStake[]>();
  /** What each source last showed of the others' stake, by direction: what one showed says nothing of the other. */
  readonly #others: Readonly<Record<PriceSource, Record<Direction, Map<SelectionId, Others>>>> = {
    offer: { for: new Map(), against: new Map() },
    quote: { for: new Map(), against: new Map() },
  };
  readonly #lingerMs: number;
  readonly #forgetMs: number;

  constructor(lingerMs: number, staleAfterMs: number) {
    this.#lingerMs = lingerMs;
    this.#forgetMs = lingerMs + staleAfterMs;
  }

  /** Takes the newest version of an order. */
  update(order: LiveOrder, nowMs: number): void {
    const stakes = this.#bySelection.get(order.selectionId) ?? [];
    const former = stakes.find((stake) => stake.order.requestUuid === order.requestUuid);
    const kept = stakes.filter((stake) => stake !== former && !this.#isForgotten(stake, nowMs));
    if (former !== undefined || !isTerminal(order.state)) kept.push(this.#next(former, order, nowMs));
    this.#bySelection.delete(order.selectionId);
    if (kept.length > 0) this.#bySelection.set(order.selectionId, kept);
    this.#sweep(nowMs);
  }

  /** Selections of which there are orders, or were until lately. */
  get selectionsFollowed(): number {
    return this.#bySelection.size;
  }

  /** Our orders on the selection that may still be matched. */
  openOrders(id: SelectionId): LiveOrder[] {
    const stakes = this.#bySelection.get(id) ?? [];
    return stakes.filter(({ order }) => !isTerminal(order.state)).map(({ order }) => order);
  }

  /**
   * A copy of what takers were shown, less our own stake: our resting orders of the opposite direction. A level that was
   * ours alone, but for what the exchange has rounded, is left out.
   */
  without(shown: ShownPrices): PriceList {
    return this.#listOf(shown).slice();
  }

  /** The selection is not traded any more. */
  forget(id: SelectionId): void {
    for (const source of SOURCES)
      for (const direction of DIRECTIONS) this.#others[source][direction].delete(id);
  }

  /** Stake of all levels of `without`, together. To look at it changes nothing. */
  liquidityMicros(shown: ShownPrices): Micros {
    if (!this.#bySelection.has(shown.id)) return totalMaxMicros(shown.priceList);
    const before = this.#others[shown.source][shown.direction].get(shown.id);
    return totalMaxMicros(this.#othersNow(shown, before).list);
  }

  #listOf(prices: ShownPrices): PriceList {
    const known = this.#others[prices.source][prices.direction];
    const before = known.get(prices.id);
    const others = this.#othersNow(prices, before);
    if (others !== before) known.set(prices.id, others);
    return others.list;
  }

  /** What is left of the prices now, by what was left of those before. */
  #othersNow(
    { id, direction, priceList: shown, sightedMs }: ShownPrices,
    before: Others | undefined,
  ): Others {
    const stakes = this.#bySelection.get(id);
    if (before?.shown === shown && before.sightedMs === sightedMs && before.stakes === stakes) return before;
    const list =
      stakes === undefined
        ? shown
        : this.#othersOf(stakes, { shown, sightedMs, resting: opposite(direction) }, before?.list ?? []);
    return { list, shown, sightedMs, stakes };
  }

  #othersOf(
    stakes: readonly OwnStake[],
    { shown, sightedMs, resting }: { shown: PriceList; sightedMs: number; resting: Direction },
    before: PriceList,
  ): PriceList {
    const list: number[] = [];
    for (let at = 0; at < shown.length; at += 3) {
      const price = shown[at] as number;
      const total = shown[at + 2] as number;
      const [least, most, standing] = this.#shownOwn(stakes, resting, price, sightedMs);
      // What may be ours alone for long is: else our own price would go on being what we quote by.
      const known = total - standing < ROUNDING_MICROS ? 0 : stakeAt(before, price);
      const left = Math.min(total - least, Math.max(total - most, known));
      if (left >= (most > 0 ? ROUNDING_MICROS : 1)) list.push(price, shown[at + 1] as number, left);
    }
    return list;
  }

  /** The least and the most of a level that can be ours, and how much is while what cannot be closed stands. */
  #shownOwn(
    stakes: readonly OwnStake[],
    resting: Direction,
    price: number,
    sightedMs: number,
  ): readonly [least: Micros, most: Micros, standing: Micros] {
    let [least, most, standing] = [0, 0, 0];
    for (const stake of stakes) {
      const { order, restsSinceMs, standsFromMs } = stake;
      if (order.direction !== resting || priceOf(order.tick) !== price) continue;
      if (order.createdMonotonicMs > sightedMs) continue;
      most += this.#shown(stake, sightedMs);
      if (sightedMs >= restsSinceMs + this.#lingerMs) least += unfilledMicros(order);
      if (sightedMs >= Math.min(restsSinceMs, standsFromMs) + this.#lingerMs)
        standing += unfilledMicros(order);
    }
    return [least, most, standing];
  }

  /** Stake only falls, so the earliest fall that the prices may predate tells the most that they can show. */
  #shown({ order, falls }: OwnStake, sightedMs: number): Micros {
    if (NEVER_SHOWN.includes(order.state)) return 0;
    const unseen = falls.find(({ heardMs }) => sightedMs < heardMs + this.#lingerMs);
    return unseen?.beforeMicros ?? unfilledMicros(order);
  }

  #next(former: OwnStake | undefined, order: LiveOrder, nowMs: number): OwnStake {
    const restsSinceMs =
      order.state === 'live' ? Math.min(former?.restsSinceMs ?? Infinity, nowMs) : Infinity;
    const standsFromMs = standsFrom(former, order, nowMs);
    if (former === undefined) return { order, restsSinceMs, standsFromMs, falls: [] };
    const beforeMicros = unfilledMicros(former.order);
    const falls = former.falls.filter(({ heardMs }) => nowMs <= heardMs + this.#forgetMs);
    if (unfilledMicros(order) < beforeMicros) falls.push({ beforeMicros, heardMs: nowMs });
    return { order, restsSinceMs, standsFromMs, falls };
  }

  /** Nothing more is heard of the orders of selections that are not quoted any more. */
  #sweep(nowMs: number): void {
    for (const [id, stakes] of this.#bySelection) {
      if (!stakes.every((stake) => this.#isForgotten(stake, nowMs))) return;
      this.#bySelection.delete(id);
    }
  }

  #isForgotten({ order, falls }: OwnStake, nowMs: number): boolean {
    return isTerminal(order.state) && nowMs > (falls.at(-1)?.heardMs ?? -Infinity) + this.#forgetMs;
  }
}

function standsFrom(former: OwnStake | undefined, { state }: LiveOrder, nowMs: number): number {
  if (state !== 'closing') return Infinity;
  return Math.min(former?.standsFromMs ?? Infinity, nowMs + CLOSING_MS);
}

/** Stake of the level at a price, 0 where there is none. */
function stakeAt(list: PriceList, price: number): Micros {
  for (let at = 0; at < list.length; at += 3) if (list[at] === price) return list[at + 2] as number;
  return 0;
}
