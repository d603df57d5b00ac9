/** The recorded book of a selection with our orders in it: levels, trades, and who is matched. */
import {
  fallTaker,
  type FillModel,
  type Level,
  type Match,
  recordedTaker,
  type Taker,
} from '../../../fills/fill-model.ts';
import type { Micros } from '../../../domain/money.ts';
import { priceOf, type Tick } from '../../../domain/ladder.ts';
import { isBetter, SELECTION_KINDS } from '../../../domain/odds.ts';
import { NO_MINIMUM } from '../../../domain/price-list.ts';
import { type Direction, opposite } from '../../../domain/selection.ts';
import { LADDER } from '../../../domain/ladder.ts';
import { type OwnOrder, OURS, type OwnResting, RECORDED, TAKER, unfilledOf } from './own-order.ts';
import { SideBook } from './side-book.ts';

/** The cause of a fill, as `ResearchFill` names it. */
export type FillCause = 'trade' | 'book-crossed' | 'taken';

/** Told of each fill, after the order counts it. */
export type OnFill = (order: OwnOrder, tick: Tick, stakeMicros: Micros, cause: FillCause) => void;

export class SelectionBook {
  readonly for: SideBook;
  readonly against: SideBook;
  readonly #model: FillModel;
  readonly #onFill: OnFill;
  /** Takes with stake that is still to be matched, the oldest first. */
  readonly #waiting = new Set<OwnOrder>();

  constructor(model: FillModel, onFill: OnFill) {
    this.for = new SideBook('for', model);
    this.against = new SideBook('against', model);
    this.#model = model;
    this.#onFill = onFill;
  }

  side(resting: Direction): SideBook {
    return resting === 'for' ? this.for : this.against;
  }

  /** A recorded level has this size now. While `open`, growth first trades with the orders of ours that it crosses. */
  level(resting: Direction, tick: Tick, recordedMicros: Micros, open: boolean, nowMs: number): void {
    const side = this.side(resting);
    const growthMicros = side.leftOf(tick, recordedMicros) - (side.stakes[tick] as number);
    if (growthMicros < 0) this.#fall(side, tick, 0 - growthMicros, nowMs);
    if (growthMicros > 0) {
      const crossedMicros = open ? this.#cross(side, tick, growthMicros) : 0;
      if (growthMicros > crossedMicros) side.grow(tick, growthMicros - crossedMicros);
      if (open && this.#waiting.size > 0) this.#takeNew(resting);
    }
  }

  /** Takes that wait take what has come, the oldest first. */
  #takeNew(resting: Direction): void {
    for (const order of this.#waiting) if (order.direction !== resting) this.#takeWith(order);
  }

  /** A recorded trade took resting stake of a direction. */
  trade(resting: Direction, tick: Tick, micros: Micros, nowMs: number): void {
    const side = this.side(resting);
    const priceKind = SELECTION_KINDS[opposite(resting)];
    if (!side.reachesOwn(tick)) return;
    for (const order of side.orders())
      if (!isBetter(priceKind, tick, order.tick)) order.tradedMicros += micros;
    const taker = recordedTaker(this.#model, TAKER, { priceKind, tick }, micros);
    const oursMicros = this.#apply(side, side.levelsThrough(tick), taker, 'trade');
    if (this.#model.atTrade === 'nothing' && side.levelAt(tick) !== undefined)
      side.falls.trade(tick, micros - oursMicros, nowMs);
  }

  /**
   * An order reaches the exchange: it takes what it crosses while the market is open, and rests its remainder. That of a take waits for
   * more stake at its price or better until it lapses, and nobody can take it.
   */
  arrive(order: OwnOrder, open: boolean, nowMs: number): void {
    if (open) this.#takeWith(order);
    if (unfilledOf(order) <= 0) return;
    if (order.mode === 'take_only') return void this.#waiting.add(order);
    order.restedFromMs = nowMs;
    this.side(order.direction).rest(order);
  }

  /** Whether the order would match something if it reached an open book now. */
  takes(order: OwnOrder): boolean {
    return this.#matchesOf(order, this.side(opposite(order.direction)).levelsUpTo(order.tick)).length > 0;
  }

  /** The suspension is over: orders that cross the book now are matched, the oldest first. */
  resume(): void {
    const orders = [...this.for.orders(), ...this.against.orders(), ...this.#waiting].sort(
      (a, b) => a.id - b.id,
    );
    for (const order of orders) if (order.resting !== null || this.#waiting.has(order)) this.#takeWith(order);
  }

  /** The order leaves the book. */
  withdraw(order: OwnOrder): void {
    this.#waiting.delete(order);
    this.side(order.direction).withdraw(order);
  }

  /** The part of a fall that trades of the instant made takes from the front of the queue; the rest is cancelled. */
  #fall(side: SideBook, tick: Tick, byMicros: Micros, nowMs: number): void {
    const leftMicros = (side.stakes[tick] as number) - byMicros;
    const level = side.levelAt(tick);
    const tradedMicros = level === undefined ? 0 : side.falls.fall(tick, byMicros, nowMs);
    if (level !== undefined && tradedMicros > 0) {
      const at = { priceKind: SELECTION_KINDS[opposite(side.direction)], tick };
      this.#apply(side, [level], fallTaker(TAKER, at, tradedMicros), 'trade');
    }
    side.shrink(tick, (side.stakes[tick] as number) - leftMicros);
  }

  #cross(side: SideBook, tick: Tick, micros: Micros): Micros {
    const others = this.side(opposite(side.direction));
    if (!others.reachesOwn(tick)) return 0;
    const crossedMicros = this.#apply(
      others,
      others.own.slice(),
      ordersAt(side.direction, tick, micros),
      'book-crossed',
    );
    side.noteTaken(tick, crossedMicros);
    return crossedMicros;
  }

  #matchesOf(order: OwnOrder, levels: readonly Level[]): readonly Match[] {
    if (levels.length === 0) return [];
    return this.#model.match(levels, {
      owner: OURS,
      priceKind: order.priceKind,
      limitTick: order.tick,
      stakeMicros: unfilledOf(order),
      wantStakeMicros: order.stakeMicros,
    });
  }

  #takeWith(order: OwnOrder): void {
    const others = this.side(opposite(order.direction));
    const levels = others.levelsUpTo(order.tick);
    const matches = this.#matchesOf(order, levels);
    for (const { resting, tick, stakeMicros } of matches) {
      others.take(levelOf(levels, tick), resting, stakeMicros);
      others.noteTaken(tick, stakeMicros);
      if (order.resting !== null) {
        const side = this.side(order.direction);
        const level = side.levelAt(order.tick);
        if (level !== undefined) side.take(level, order.resting, stakeMicros);
      }
      this.#fill(order, tick, stakeMicros, 'taken');
    }
  }

  /** Matches a taker with levels of a side. Returns the stake that orders of ours got. */
  #apply(side: SideBook, levels: readonly Level[], taker: Taker, cause: FillCause): Micros {
    let oursMicros = 0;
    const matches: readonly Match[] = this.#model.match(levels, taker);
    for (const { resting, tick, stakeMicros } of matches) {
      side.take(levelOf(levels, tick), resting, stakeMicros);
      if (resting.orderId === null) continue;
      oursMicros += stakeMicros;
      this.#fill((resting as OwnResting).order, tick, stakeMicros, cause);
    }
    return oursMicros;
  }

  #fill(order: OwnOrder, tick: Tick, stakeMicros: Micros, cause: FillCause): void {
    order.filledMicros += stakeMicros;
    if (unfilledOf(order) <= 0) {
      order.resting = null;
      this.#waiting.delete(order);
    }
    this.#onFill(order, tick, stakeMicros, cause);
  }
}

/** A recorded level that meets orders of ours alone: recorded stakes do not trade with each other here. */
const ordersAt = (direction: Direction, tick: Tick, micros: Micros): Taker => ({
  owner: RECORDED,
  priceKind: SELECTION_KINDS[direction],
  limitTick: tick,
  stakeMicros: micros,
  wantStakeMicros: micros,
  accepts: ({ orderId }) => orderId !== null,
});

function levelOf(levels: readonly Level[], tick: Tick): Level {
  return levels.find((level) => level.tick === tick) as Level;
}

/** The same levels in the other order, in place. */
function reversed(list: number[]): number[] {
  for (let low = 0, high = list.length - 3; low < high; low += 3, high -= 3) {
    const [price, micros] = [list[low] as number, list[low + 2] as number];
    list[low] = list[high] as number;
    list[low + 2] = list[high + 2] as number;
    list[high] = price;
    list[high + 2] = micros;
  }
  return list;
}

/** The best prices of a side as takers see them, packed like the exchange's lists: the highest price first. */
export function priceListOf(side: SideBook, depth: number): number[] {
  const list: number[] = [];
  const isDescending = side.direction === 'against';
  const step = isDescending ? -1 : 1;
  let left = depth;
  for (let tick = side.best; left > 0 && tick >= 0 && tick < LADDER.length; tick += step) {
    const micros = side.stakes[tick] as number;
    if (micros <= 0) continue;
    left--;
    list.push(priceOf(tick), NO_MINIMUM, micros);
  }
  return isDescending ? list : reversed(list);
}
