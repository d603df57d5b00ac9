/** The book of one runner on the exchange's ladder, and the updates that it becomes. */
import { toMicros } from '../../domain/money.ts';
import { ceilTick, floorTick, LAST_TICK, type Tick, tickOf } from '../../domain/ladder.ts';
import type { UpdateColumns } from '../columns.ts';
import { OP } from '../tape.ts';

/** Pairs of price and size, as the file has them. */
export type Levels = readonly (readonly [number, number])[];

/** Triples of rank, price and size: the best levels only, as advanced files have them. A size of 0 empties the rank. */
export type RankedLevels = readonly (readonly [number, number, number])[];

type Ranks = ([number, number] | undefined)[];

/** What an import had to change. */
export interface Liberties {
  /** Levels and trades at prices between two ticks. */
  offLadder: number;
  /** Levels and trades outside the ladder, which are left out. */
  outside: number;
  /** Traded volume that fell: a correction, not a trade. */
  corrections: number;
}

const TICKS = LAST_TICK + 1;

/** One direction of resting stake. Stake at a price between two ticks stands at the tick that is worse for its taker. */
class Side {
  /** Stake by tick, without empty ones. */
  readonly #micros = new Map<Tick, number>();
  /** Stake by price, of prices between two ticks; null until there is one. */
  #between: Map<number, number> | null = null;
  readonly #nearest: (price: number) => Tick | null;
  readonly #bestIsHighest: boolean;
  /** Null while it is not known. */
  #best: number | null = null;

  constructor(nearest: (price: number) => Tick | null, bestIsHighest: boolean) {
    this.#nearest = nearest;
    this.#bestIsHighest = bestIsHighest;
  }

  at(tick: Tick): number {
    return this.#micros.get(tick) ?? 0;
  }

  /** Sets the stake at a price. Returns its tick; -1 outside the ladder. */
  set(price: number, micros: number, liberties: Liberties): number {
    const exact = tickAt(price);
    if (exact >= 0) {
      this.#put(exact, this.#between === null ? micros : micros + this.#betweenAt(this.#between, exact));
      return exact;
    }
    const tick = this.#nearest(price);
    if (tick === null) {
      liberties.outside++;
      return -1;
    }
    liberties.offLadder++;
    this.#between ??= new Map();
    const before = this.#between.get(price) ?? 0;
    if (micros === 0) this.#between.delete(price);
    else this.#between.set(price, micros);
    this.#put(tick, this.at(tick) + micros - before);
    return tick;
  }

  clear(): void {
    this.#micros.clear();
    this.#between = null;
    this.#best = null;
  }

  /** The best tick for a taker; -1 if nothing rests. */
  best(): number {
    this.#best ??= this.#search();
    return this.#best;
  }

  /** Stake of prices between the ticks that stands at this tick. */
  #betweenAt(between: ReadonlyMap<number, number>, tick: Tick): number {
    let sum = 0;
    for (const [price, micros] of between) if (this.#nearest(price) === tick) sum += micros;
    return sum;
  }

  #put(tick: Tick, micros: number): void {
    if (micros === 0) this.#micros.delete(tick);
    else this.#micros.set(tick, micros);
    if (this.#best === null) return;
    if (micros === 0) this.#best = tick === this.#best ? null : this.#best;
    else if (this.#best < 0 || this.#isBetter(tick, this.#best)) this.#best = tick;
  }

  #search(): number {
    let best = -1;
    for (const tick of this.#micros.keys()) if (best < 0 || this.#isBetter(tick, best)) best = tick;
    return best;
  }

  #isBetter(tick: Tick, than: Tick): boolean {
    return this.#bestIsHighest ? tick > than : tick < than;
  }
}

export class RunnerBook {
  /** Available to back: resting `against` stake. */
  readonly #against = new Side(floorTick, true);
  /** Available to lay: resting `for` stake. */
  readonly #for = new Side(ceilTick, false);
  /** Twice the traded stake, by price. */
  readonly #traded = new Map<number, number>();
  readonly #backRanks: Ranks = [];
  readonly #layRanks: Ranks = [];
  readonly #place: number;
  readonly #liberties: Liberties;

  /** `place` is the runner's position among the selections. */
  constructor(place: number, liberties: Liberties) {
    this.#place = place;
    this.#liberties = liberties;
  }

  /** The trades of a change. Betfair counts both sides of a trade. In an image the volume traded before, unseen. */
  trades(traded: Levels, isImage: boolean, atMs: number, columns: UpdateColumns): void {
    for (const [price, total] of traded) {
      const before = this.#traded.get(price) ?? 0;
      this.#traded.set(price, total);
      if (isImage || total === before) continue;
      if (total < before) this.#liberties.corrections++;
      else this.#trade(price, toMicros((total - before) / 2), atMs, columns);
    }
  }

  levels(toBack: Levels, toLay: Levels, atMs: number, columns: UpdateColumns): void {
    this.#set(this.#against, OP.restingAgainst, toBack, atMs, columns);
    this.#set(this.#for, OP.restingFor, toLay, atMs, columns);
  }

  /** The best levels alone, each with its rank: a level that leaves the ranks is gone from the file, but not from the market. */
  ranks(toBack: RankedLevels, toLay: RankedLevels, atMs: number, columns: UpdateColumns): void {
    this.levels(rankedChanges(this.#backRanks, toBack), rankedChanges(this.#layRanks, toLay), atMs, columns);
  }

  clear(atMs: number, columns: UpdateColumns): void {
    this.#against.clear();
    this.#for.clear();
    this.#traded.clear();
    this.#backRanks.length = 0;
    this.#layRanks.length = 0;
    columns.push(atMs, OP.clear, this.#place, 0, 0);
  }

  #set(side: Side, op: number, levels: Levels, atMs: number, columns: UpdateColumns): void {
    for (const [price, size] of levels) {
      const tick = side.set(price, toMicros(size), this.#liberties);
      if (tick >= 0) columns.push(atMs, op, this.#place, tick, side.at(tick));
    }
  }

  #trade(price: number, micros: number, atMs: number, columns: UpdateColumns): void {
    if (micros <= 0) return;
    const op = this.#takenAt(price);
    const exact = tickAt(price);
    // Between two ticks: the one that fewer orders of ours reach.
    const tick = exact >= 0 ? exact : op === OP.tradedFor ? floorTick(price) : ceilTick(price);
    if (exact < 0) this.#liberties[tick === null ? 'outside' : 'offLadder']++;
    if (tick !== null) columns.push(atMs, op, this.#place, tick, micros);
  }

  /** The side that was taken: the one whose best price is at least as good as the trade's, else the nearer one. */
  #takenAt(price: number): number {
    const back = this.#against.best();
    const lay = this.#for.best();
    if (back < 0 || lay < 0) return lay < 0 ? OP.tradedAgainst : OP.tradedFor;
    const tick = floorTick(price) ?? 0;
    if (tick <= back) return OP.tradedAgainst;
    if (tick >= lay) return OP.tradedFor;
    return tick - back <= lay - tick ? OP.tradedAgainst : OP.tradedFor;
  }
}

/** Applies a change of ranks; returns the prices whose size it changes. */
function rankedChanges(ranks: Ranks, changes: RankedLevels): Levels {
  if (changes.length === 0) return [];
  const before = new Map(ranks.filter(hasStake));
  for (const [rank, price, size] of changes) ranks[rank] = [price, size];
  const after = new Map(ranks.filter(hasStake));
  const gone = [...before.keys()].filter((price) => !after.has(price));
  const changed = [...after].filter(([price, size]) => before.get(price) !== size);
  return [...gone.map((price): [number, number] => [price, 0]), ...changed];
}

const hasStake = (level: [number, number] | undefined): level is [number, number] =>
  level !== undefined && level[1] > 0;

const ticks = new Map<number, number>();

/** The tick of a price on the ladder, else -1. A file has few prices and asks often. */
function tickAt(price: number): number {
  const known = ticks.get(price);
  if (known !== undefined) return known;
  const tick = tickOf(price) ?? -1;
  if (ticks.size < 10 * TICKS) ticks.set(price, tick);
  return tick;
}
