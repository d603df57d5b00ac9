/**
 * One side of a recorded book: the stake of each price in one column. A price at which orders of ours rest has a queue besides, in
 * which the fill model decides. All other prices cost one store.
 */
import type { FillModel, Level, Resting, Share } from '../../../fills/fill-model.ts';
import { TradedFalls } from '../../../fills/traded-falls.ts';
import type { Micros } from '../../../domain/money.ts';
import { LADDER, LAST_TICK, type Tick } from '../../../domain/ladder.ts';
import { isBetter, SELECTION_KINDS } from '../../../domain/odds.ts';
import { type Direction, opposite } from '../../../domain/selection.ts';
import { type OwnOrder, type OwnResting, ownStake, RECORDED, recordedStake } from './own-order.ts';

/** A price with orders of ours. The recorded entries of its queue sum up to the column's stake. */
interface OwnLevel extends Level {
  readonly queue: Resting[];
}

/** No price. */
export const NONE = -1;

export class SideBook {
  /** The direction of the resting stake. */
  readonly direction: Direction;
  /** The rest of the recorded stake at each tick. */
  readonly stakes = new Float64Array(LADDER.length);
  /** The best tick for takers with recorded stake, or `NONE`. */
  best: Tick = NONE;
  /** Changes with each change of the column. */
  version = 0;
  /** Prices with orders of ours, the best for takers first. */
  readonly own: OwnLevel[] = [];
  /** Trades at prices with orders of ours. */
  readonly falls = new TradedFalls();
  /** Recorded stake that orders of ours took; null before the first. */
  #taken: Float64Array | null = null;
  readonly #model: FillModel;
  /** 1 where a higher tick is worse for takers, else -1. */
  readonly #worse: 1 | -1;

  constructor(direction: Direction, model: FillModel) {
    this.direction = direction;
    this.#model = model;
    this.#worse = direction === 'for' ? 1 : -1;
  }

  /** The rest of a level's recorded size, after what orders of ours took of it. */
  leftOf(tick: Tick, recordedMicros: Micros): Micros {
    const taken = this.#taken;
    if (taken === null || taken[tick] === 0) return recordedMicros;
    const takenMicros = Math.min(taken[tick] as number, recordedMicros);
    taken[tick] = takenMicros;
    return recordedMicros - takenMicros;
  }

  noteTaken(tick: Tick, micros: Micros): void {
    if (micros <= 0) return;
    this.#taken ??= new Float64Array(LADDER.length);
    this.#taken[tick] = (this.#taken[tick] as number) + micros;
  }

  /** Sets the column and the best tick. Queues are not touched. */
  store(tick: Tick, micros: Micros): void {
    this.stakes[tick] = micros;
    this.version++;
    if (micros > 0) {
      if (this.best === NONE || (this.best - tick) * this.#worse > 0) this.best = tick;
    } else if (tick === this.best) this.best = this.#nextAfter(tick);
  }

  /** Recorded stake joins the back of a price. */
  grow(tick: Tick, byMicros: Micros): void {
    const level = this.own.length === 0 ? undefined : this.levelAt(tick);
    if (level !== undefined) {
      const last = level.queue.at(-1);
      if (last?.orderId === null) last.remainingMicros += byMicros;
      else level.queue.push(recordedStake(this.direction, tick, byMicros));
    }
    this.store(tick, (this.stakes[tick] as number) + byMicros);
  }

  /** Recorded stake leaves a price. The fill model decides from where in the queue. */
  shrink(tick: Tick, byMicros: Micros): void {
    const level = this.own.length === 0 ? undefined : this.levelAt(tick);
    if (level !== undefined) this.#reduce(level, this.#model.withdraw(level, RECORDED, byMicros));
    this.store(tick, (this.stakes[tick] as number) - byMicros);
  }

  levelAt(tick: Tick): OwnLevel | undefined {
    return this.own.find((level) => level.tick === tick);
  }

  /** Whether a taker with this limit reaches any order of ours. */
  reachesOwn(limitTick: Tick): boolean {
    const [first] = this.own;
    return first !== undefined && (limitTick - first.tick) * this.#worse >= 0;
  }

  /** The levels with orders of ours at a tick or better for takers, the best first. */
  levelsThrough(tick: Tick): Level[] {
    return this.own.filter((level) => (tick - level.tick) * this.#worse >= 0);
  }

  /** Every level up to a limit, the best for takers first. */
  levelsUpTo(limitTick: Tick): Level[] {
    const levels: Level[] = [];
    for (let tick = this.#bestOfAll(); tick !== NONE && (limitTick - tick) * this.#worse >= 0;) {
      levels.push(this.levelAt(tick) ?? this.#plainLevel(tick));
      tick = this.#nextOfAll(tick);
    }
    return levels;
  }

  /** Takes matched stake out of the column or the queue. */
  take(level: Level, resting: Resting, micros: Micros): void {
    resting.remainingMicros -= micros;
    if (resting.orderId === null) this.store(level.tick, (this.stakes[level.tick] as number) - micros);
    if (resting.remainingMicros <= 0) this.#drop(level.tick, resting);
  }

  /** An order joins the back of its price. */
  rest(order: OwnOrder): void {
    const { tick } = order;
    let level = this.levelAt(tick);
    if (level === undefined) {
      level = this.#plainLevel(tick);
      const at = this.own.findIndex(
        (other) => !isBetter(SELECTION_KINDS[opposite(this.direction)], other.tick, tick),
      );
      this.own.splice(at === -1 ? this.own.length : at, 0, level);
    }
    order.queueAheadMicros = this.stakes[tick] as number;
    order.resting = ownStake(order);
    level.queue.push(order.resting);
  }

  /** An order leaves its price. */
  withdraw(order: OwnOrder): void {
    if (order.resting !== null) this.#drop(order.tick, order.resting);
    order.resting = null;
  }

  /** Orders that rest here, the best price first, the oldest first at one price. */
  *orders(): Iterable<OwnOrder> {
    for (const { queue } of this.own) {
      for (const entry of queue) if (entry.orderId !== null) yield (entry as OwnResting).order;
    }
  }

  #plainLevel(tick: Tick): OwnLevel {
    const micros = this.stakes[tick] as number;
    const priceKind = SELECTION_KINDS[this.direction];
    return { priceKind, tick, queue: micros > 0 ? [recordedStake(this.direction, tick, micros)] : [] };
  }

  #reduce(level: OwnLevel, shares: readonly Share[]): void {
    for (const { resting, stakeMicros } of shares) {
      resting.remainingMicros -= stakeMicros;
      if (resting.remainingMicros <= 0) this.#drop(level.tick, resting);
    }
  }

  /** Removes an entry, and the queue of a price at which no order of ours is left. */
  #drop(tick: Tick, resting: Resting): void {
    const at = this.own.findIndex((level) => level.tick === tick);
    const queue = this.own[at]?.queue;
    const place = queue?.indexOf(resting) ?? -1;
    if (queue === undefined || place === -1) return;
    queue.splice(place, 1);
    if (!queue.some(({ orderId }) => orderId !== null)) this.own.splice(at, 1);
  }

  #nextAfter(tick: Tick): Tick {
    for (let next = tick + this.#worse; next >= 0 && next <= LAST_TICK; next += this.#worse) {
      if ((this.stakes[next] as number) > 0) return next;
    }
    return NONE;
  }

  #bestOfAll(): Tick {
    const own = this.own[0]?.tick ?? NONE;
    if (own === NONE || this.best === NONE) return own === NONE ? this.best : own;
    return (this.best - own) * this.#worse > 0 ? own : this.best;
  }

  #nextOfAll(tick: Tick): Tick {
    const recorded = this.#nextAfter(tick);
    const own = this.own.find((level) => (level.tick - tick) * this.#worse > 0)?.tick ?? NONE;
    if (own === NONE || recorded === NONE) return own === NONE ? recorded : own;
    return (recorded - own) * this.#worse > 0 ? own : recorded;
  }
}
