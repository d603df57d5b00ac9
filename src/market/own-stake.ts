import type { MarketSide } from '../domain/event-view.ts';
import { eventKey } from '../domain/events.ts';
import type { EventKey, SelectionId } from '../domain/ids.ts';
import { isTerminal, type OrderState } from '../domain/lifecycle.ts';
import { type LiveOrder, unfilledMicros } from '../domain/live-order.ts';
import { type Micros, ROUNDING_MICROS } from '../domain/money.ts';
import { priceOf } from '../domain/ladder.ts';
import {
  ownPrice,
  type PriceKind,
  selectionPrice,
  selectionStakeMicros,
  shownTick,
  takerStakeMicros,
} from '../domain/odds.ts';
import { type PriceList, totalMaxMicros } from '../domain/price-list.ts';
import { type Direction, DIRECTIONS, opposite } from '../domain/selection.ts';

type PriceSource = MarketSide['source'];

const SOURCES: readonly PriceSource[] = ['offer', 'quote'];

/** An order in one of these states was never on the exchange. */
const NEVER_SHOWN: readonly OrderState[] = ['prepared', 'refused', 'absent'];

/** A close that is not confirmed within this time may have failed, or had no effect: the order may still rest. */
const CLOSING_MS = 5_000;

/** A fall of open stake, by a fill or by the order's end. */
interface Fall {
  readonly beforeMicros: Micros;
  /** Monotonic instant at which we learned of it. */
  readonly reportedMs: number;
}

/** Prices of the selection that the exchange shows to takers. */
export interface ShownPrices {
  readonly id: SelectionId;
  readonly direction: Direction;
  readonly source: PriceSource;
  /** What the exchange's own prices for these takers are. */
  readonly kind: PriceKind;
  readonly priceList: PriceList;
  /** Monotonic. */
  readonly sightedMs: number;
}

interface OwnStake {
  readonly order: LiveOrder;
  /** Monotonic instant since which the order is known to rest with no request in flight; Infinity while that is not so. */
  readonly restsSinceMs: number;
  /** Monotonic instant from which the order counts as one that cannot be closed; Infinity while no close is in flight. */
  readonly standsFromMs: number;
  /** Oldest first; falls older than every usable price are dropped. */
  readonly falls: readonly Fall[];
}

/** An order of ours as takers see it, in prices of the selection. */
interface ShownStake {
  readonly stake: OwnStake;
  readonly price: number;
  /** The stake that takers see for so much stake of the order. */
  readonly shownMicros: (micros: Micros) => Micros;
}

/** The others' stake, and the input that it was computed from. The same input gives the same result. */
interface Others {
  readonly list: PriceList;
  readonly shown: PriceList;
  readonly sightedMs: number;
  readonly stakes: readonly OwnStake[] | undefined;
}

/**
 * Our orders by selection, and how much of the shown stake is ours. Shown prices lag our own knowledge. A market seen before an
 * order was made cannot contain it. A market seen before a fill or close, or up to `lingerMs` after it, may still contain all of
 * it.
 *
 * For a second or two after each of our requests, our share of a level is therefore uncertain. Meanwhile the others' stake is
 * assumed unchanged, as far as the shown stake allows. Otherwise our own quotes would move the prices that we quote by.
 */
export class OwnStakes {
  /** The selection whose orders changed longest ago comes first. */
  readonly #bySelection = new Map<SelectionId, readonly OwnStake[]>();
  /** The same selections by their events. */
  readonly #byEvent = new Map<EventKey, Set<SelectionId>>();
  /** The others' stake that each source last showed, by direction. Each source counts for itself. */
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

  update(order: LiveOrder, nowMs: number): void {
    const stakes = this.#bySelection.get(order.selectionId) ?? [];
    const former = stakes.find((stake) => stake.order.requestUuid === order.requestUuid);
    const kept = stakes.filter((stake) => stake !== former && !this.#isForgotten(stake, nowMs));
    if (former !== undefined || !isTerminal(order.state)) kept.push(this.#next(former, order, nowMs));
    this.#drop(order);
    if (kept.length > 0) {
      this.#bySelection.set(order.selectionId, kept);
      const others = this.#byEvent.get(eventKey(order)) ?? new Set();
      this.#byEvent.set(eventKey(order), others.add(order.selectionId));
    }
    this.#sweep(nowMs);
  }

  /** Number of selections with orders now or until recently. */
  get selectionsFollowed(): number {
    return this.#bySelection.size;
  }

  /** Whether we have orders on the selection, or had until recently. */
  follows(id: SelectionId): boolean {
    return this.#bySelection.has(id);
  }

  /** The selections of an event that are followed. */
  followedOn(event: EventKey): Iterable<SelectionId> {
    return this.#byEvent.get(event) ?? [];
  }

  /** Our orders on the selection that may still be matched. */
  openOrders(id: SelectionId): LiveOrder[] {
    const stakes = this.#bySelection.get(id) ?? [];
    return stakes.filter(({ order }) => !isTerminal(order.state)).map(({ order }) => order);
  }

  /**
   * The prices shown to takers, without our own stake, which is our resting orders of the opposite direction. A level that was ours
   * alone, apart from rounding by the exchange, is left out. Reading it changes nothing. Not a copy.
   */
  others(shown: ShownPrices): PriceList {
    if (!this.follows(shown.id)) return shown.priceList;
    const before = this.#others[shown.source][shown.direction].get(shown.id);
    return this.#othersNow(shown, before).list;
  }

  /** Judges the others' stake anew. What it was decides while our share of a level is uncertain. */
  judge(shown: ShownPrices): void {
    const known = this.#others[shown.source][shown.direction];
    const before = known.get(shown.id);
    const others = this.#othersNow(shown, before);
    if (others !== before) known.set(shown.id, others);
  }

  /** Call it when the selection is no longer traded. */
  forget(id: SelectionId): void {
    for (const source of SOURCES)
      for (const direction of DIRECTIONS) this.#others[source][direction].delete(id);
  }

  /** Total stake of all levels of `others`. */
  liquidityMicros(shown: ShownPrices): Micros {
    return totalMaxMicros(this.others(shown));
  }

  /** The others' share of the prices now, given their share before. */
  #othersNow(
    { id, direction, kind, priceList: shown, sightedMs }: ShownPrices,
    before: Others | undefined,
  ): Others {
    const stakes = this.#bySelection.get(id);
    if (before?.shown === shown && before.sightedMs === sightedMs && before.stakes === stakes) return before;
    const list =
      stakes === undefined
        ? shown
        : this.#othersOf(
            shownTo(kind, opposite(direction), stakes),
            { kind, shown, sightedMs },
            before?.list ?? [],
          );
    return { list, shown, sightedMs, stakes };
  }

  #othersOf(
    stakes: readonly ShownStake[],
    { kind, shown, sightedMs }: { kind: PriceKind; shown: PriceList; sightedMs: number },
    before: PriceList,
  ): PriceList {
    const list: number[] = [];
    for (let at = 0; at < shown.length; at += 3) {
      const price = shown[at] as number;
      const total = shown[at + 2] as number;
      const [least, most, standing] = this.#shownOwn(stakes, price, sightedMs);
      const roundingMicros = selectionStakeMicros(kind, ownPrice(kind, price), ROUNDING_MICROS);
      // A level that may have been ours alone for long counts as ours. Otherwise we would go on quoting by our own price.
      const known = total - standing < roundingMicros ? 0 : stakeAt(before, price);
      const left = Math.min(total - least, Math.max(total - most, known));
      if (left >= (most > 0 ? roundingMicros : 1)) list.push(price, shown[at + 1] as number, left);
    }
    return list;
  }

  /** Our least and our largest possible share of a level, and our open stake there that rests or cannot be closed. */
  #shownOwn(
    stakes: readonly ShownStake[],
    price: number,
    sightedMs: number,
  ): readonly [least: Micros, most: Micros, standing: Micros] {
    let [least, most, standing] = [0, 0, 0];
    for (const { stake, price: ownAt, shownMicros } of stakes) {
      const { order, restsSinceMs, standsFromMs } = stake;
      if (ownAt !== price || order.createdMonotonicMs > sightedMs) continue;
      most += shownMicros(this.#shown(stake, sightedMs));
      const openMicros = shownMicros(unfilledMicros(order));
      if (sightedMs >= restsSinceMs + this.#lingerMs) least += openMicros;
      if (sightedMs >= Math.min(restsSinceMs, standsFromMs) + this.#lingerMs) standing += openMicros;
    }
    return [least, most, standing];
  }

  /** Stake only falls. The earliest fall that the prices may predate therefore gives the largest stake that they can show. */
  #shown({ order, falls }: OwnStake, sightedMs: number): Micros {
    if (NEVER_SHOWN.includes(order.state)) return 0;
    const unseen = falls.find(({ reportedMs }) => sightedMs < reportedMs + this.#lingerMs);
    return unseen?.beforeMicros ?? unfilledMicros(order);
  }

  #next(former: OwnStake | undefined, order: LiveOrder, nowMs: number): OwnStake {
    const restsSinceMs =
      order.state === 'live' ? Math.min(former?.restsSinceMs ?? Infinity, nowMs) : Infinity;
    const standsFromMs =
      order.state === 'closing' ? Math.min(former?.standsFromMs ?? Infinity, nowMs + CLOSING_MS) : Infinity;
    if (former === undefined) return { order, restsSinceMs, standsFromMs, falls: [] };
    const beforeMicros = unfilledMicros(former.order);
    const falls = former.falls.filter(({ reportedMs }) => nowMs <= reportedMs + this.#forgetMs);
    if (unfilledMicros(order) < beforeMicros) falls.push({ beforeMicros, reportedMs: nowMs });
    return { order, restsSinceMs, standsFromMs, falls };
  }

  /** Drops selections whose orders ended long ago; without quotes no update would drop them. */
  #sweep(nowMs: number): void {
    for (const stakes of this.#bySelection.values()) {
      if (!stakes.every((stake) => this.#isForgotten(stake, nowMs))) return;
      for (const { order } of stakes) this.#drop(order);
    }
  }

  #drop(order: LiveOrder): void {
    this.#bySelection.delete(order.selectionId);
    const key = eventKey(order);
    const others = this.#byEvent.get(key);
    others?.delete(order.selectionId);
    if (others?.size === 0) this.#byEvent.delete(key);
  }

  #isForgotten({ order, falls }: OwnStake, nowMs: number): boolean {
    return isTerminal(order.state) && nowMs > (falls.at(-1)?.reportedMs ?? -Infinity) + this.#forgetMs;
  }
}

/**
 * Our orders of a direction as takers of a kind see them. An order without a tick on their ladder is not shown to them, and nor is one
 * that only takes or hides its stake.
 */
function shownTo(kind: PriceKind, resting: Direction, stakes: readonly OwnStake[]): ShownStake[] {
  return stakes.flatMap((stake) => {
    const { order } = stake;
    const isSeen = order.mode === 'make_and_take' && order.direction === resting;
    const tick = isSeen ? shownTick(order, kind) : null;
    if (tick === null) return [];
    const price = priceOf(tick);
    const shownMicros = (micros: Micros): Micros =>
      selectionStakeMicros(kind, price, takerStakeMicros(order, micros, kind));
    return [{ stake, price: selectionPrice(kind, price), shownMicros }];
  });
}

/** Stake of the level at a price, 0 where there is none. */
function stakeAt(list: PriceList, price: number): Micros {
  for (let at = 0; at < list.length; at += 3) if (list[at] === price) return list[at + 2] as number;
  return 0;
}
