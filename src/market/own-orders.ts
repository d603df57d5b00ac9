import type { SelectionId } from '../domain/ids.ts';
import { isTerminal, type OrderState } from '../domain/lifecycle.ts';
import { type LiveOrder, unfilledMicros } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import { priceOf } from '../domain/odds.ts';
import { type PriceList, totalMaxMicros } from '../domain/price-list.ts';
import { type Direction, opposite } from '../domain/selection.ts';

/** Nothing of such an order was ever on the exchange. */
const NEVER_SHOWN: readonly OrderState[] = ['prepared', 'refused', 'absent'];

/** Open stake that fell, by a fill or by the order's end. */
interface Fall {
  readonly beforeMicros: Micros;
  /** Monotonic instant at which we heard of it. */
  readonly heardMs: number;
}

interface OwnStake {
  readonly order: LiveOrder;
  /** Oldest first; those that no usable price can predate are forgotten. */
  readonly falls: readonly Fall[];
}

/**
 * Our orders by selection, and how much of the stake that the exchange shows is ours. Shown prices lag our own
 * knowledge: a market seen before an order was made cannot hold it, and one seen at the time of a fill or close, or up
 * to `lingerMs` later, may still hold all of it.
 */
export class OwnOrders {
  readonly #bySelection = new Map<SelectionId, OwnStake[]>();
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
    if (kept.length > 0) this.#bySelection.set(order.selectionId, kept);
    else this.#bySelection.delete(order.selectionId);
  }

  /** Our orders on the selection that may still be matched. */
  openOrders(id: SelectionId): LiveOrder[] {
    const stakes = this.#bySelection.get(id) ?? [];
    return stakes.filter(({ order }) => !isTerminal(order.state)).map(({ order }) => order);
  }

  /**
   * A copy of what takers in `direction` were shown at `sightedMs`, less our own stake: our resting orders of the
   * opposite direction. A level that was ours alone is left out.
   */
  without(id: SelectionId, direction: Direction, shown: PriceList, sightedMs: number): PriceList {
    const stakes = this.#bySelection.get(id);
    if (stakes === undefined) return shown.slice();
    const resting = opposite(direction);
    const list: number[] = [];
    for (let at = 0; at < shown.length; at += 3) {
      const price = shown[at] as number;
      const left = (shown[at + 2] as number) - this.#shownOwn(stakes, resting, price, sightedMs);
      if (left > 0) list.push(price, shown[at + 1] as number, left);
    }
    return list;
  }

  /** Stake of all levels of `without`, together. */
  liquidityMicros(id: SelectionId, direction: Direction, shown: PriceList, sightedMs: number): Micros {
    const others = this.#bySelection.has(id) ? this.without(id, direction, shown, sightedMs) : shown;
    return totalMaxMicros(others);
  }

  #shownOwn(stakes: readonly OwnStake[], resting: Direction, price: number, sightedMs: number): Micros {
    let sum = 0;
    for (const stake of stakes) {
      const { order } = stake;
      if (order.direction !== resting || priceOf(order.tick) !== price) continue;
      if (order.createdMonotonicMs <= sightedMs) sum += this.#shown(stake, sightedMs);
    }
    return sum;
  }

  /** Stake only falls, so the earliest fall that the prices may predate tells the most that they can show. */
  #shown({ order, falls }: OwnStake, sightedMs: number): Micros {
    if (NEVER_SHOWN.includes(order.state)) return 0;
    const unseen = falls.find(({ heardMs }) => sightedMs < heardMs + this.#lingerMs);
    return unseen?.beforeMicros ?? unfilledMicros(order);
  }

  #next(former: OwnStake | undefined, order: LiveOrder, nowMs: number): OwnStake {
    if (former === undefined) return { order, falls: [] };
    const beforeMicros = unfilledMicros(former.order);
    const falls = former.falls.filter(({ heardMs }) => nowMs <= heardMs + this.#forgetMs);
    if (unfilledMicros(order) < beforeMicros) falls.push({ beforeMicros, heardMs: nowMs });
    return { order, falls };
  }

  #isForgotten({ order, falls }: OwnStake, nowMs: number): boolean {
    return isTerminal(order.state) && nowMs > (falls.at(-1)?.heardMs ?? -Infinity) + this.#forgetMs;
  }
}
