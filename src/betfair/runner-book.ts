/** The book of one runner on the exchange's ladder. */
import { type Micros, toMicros } from '../domain/money.ts';
import { ceilTick, floorTick, LAST_TICK, type Tick, tickOf } from '../domain/ladder.ts';
import { isAtRatio } from './currency.ts';
import type { Levels, RankedLevels } from './message.ts';

type Ranks = ([number, number] | undefined)[];

/** Counts of what a reader had to change. */
export interface Liberties {
  /** Levels and trades at prices between two ticks. */
  offLadder: number;
  /** Levels and trades outside the ladder, which are left out. */
  outside: number;
  /** Traded volume that fell, or that changed with the currency: a correction, not a trade. */
  corrections: number;
}

const TICKS = LAST_TICK + 1;

/** One direction of resting stake. Stake at a price between two ticks stands at the tick that is worse for its taker. */
class Side {
  /** Stake by tick, without empty ones. */
  #micros = new Map<Tick, number>();
  #before: ReadonlyMap<Tick, number> | null = null;
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

  /** Forgets everything, but `end` can tell what changed since. */
  begin(): void {
    this.#before = this.#micros;
    this.#micros = new Map();
    this.#between = null;
    this.#best = null;
  }

  /** The ticks whose stake is another one than before `begin`: first those that have none now. */
  end(): readonly Tick[] {
    const before = this.#before ?? new Map<Tick, number>();
    this.#before = null;
    const gone = [...before.keys()].filter((tick) => !this.#micros.has(tick));
    const changed = [...this.#micros].filter(([tick, micros]) => before.get(tick) !== micros);
    return [...gone, ...changed.map(([tick]) => tick)];
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

/** Told of what happens in a market's book. */
export interface BookListener {
  /** `change` is one of `BOOK_CHANGE`, `of` the runner's position among the market's. */
  push(atMs: number, change: number, of: number, tick: Tick, micros: Micros): void;
}

/** The changes of a book. */
export const BOOK_CHANGE = {
  /** Resting stake of the `for` side at a price (what takers `against` get): `micros` replaces the stake at `tick`. */
  restingFor: 0,
  /** Resting stake of the `against` side at a price (what takers `for` get): `micros` replaces the stake at `tick`. */
  restingAgainst: 1,
  /** A trade took `micros` of resting `for` stake at `tick`. It stands before the levels of its instant. */
  tradedFor: 2,
  /** A trade took `micros` of resting `against` stake at `tick`. */
  tradedAgainst: 3,
} as const;

export class RunnerBook {
  /** Available to back: resting `against` stake. */
  readonly #against = new Side(floorTick, true);
  /** Available to lay: resting `for` stake. */
  readonly #for = new Side(ceilTick, false);
  /** Twice the traded stake, by price. */
  #traded = new Map<number, number>();
  readonly #backRanks: Ranks = [];
  readonly #layRanks: Ranks = [];
  readonly #place: number;
  readonly #liberties: Liberties;
  readonly #listener: BookListener;
  /** While an image is read: what was known before it. */
  #before: { readonly traded: ReadonlyMap<number, number> } | null = null;

  /** `place` is the runner's position among the selections. */
  constructor(place: number, liberties: Liberties, listener: BookListener) {
    this.#place = place;
    this.#liberties = liberties;
    this.#listener = listener;
  }

  /** Twice the stake that traded at a price. */
  tradedAt(price: number): number {
    return this.#traded.get(price) ?? 0;
  }

  /** The prices with traded stake. */
  get tradedPrices(): ReadonlyMap<number, number> {
    return this.#traded;
  }

  /**
   * The trades of a change. Betfair counts both sides of a trade. In an image the volume traded before, unseen. `ratio`: a change by it is one of
   * the currency, not a trade; 1 without; null in an image.
   */
  trades(traded: Levels, atMs: number, ratio: number | null): void {
    for (const [price, total] of traded) {
      const before = this.#traded.get(price) ?? 0;
      this.#traded.set(price, total);
      if (ratio === null || total === before) continue;
      const isConverted = ratio !== 1 && before > 0 && isAtRatio(before, total, ratio);
      if (total < before || isConverted) this.#liberties.corrections++;
      else this.#trade(price, toMicros((total - before) / 2), atMs);
    }
  }

  levels(toBack: Levels, toLay: Levels, atMs: number): void {
    this.#set(this.#against, BOOK_CHANGE.restingAgainst, toBack, atMs);
    this.#set(this.#for, BOOK_CHANGE.restingFor, toLay, atMs);
  }

  /** The best levels alone, each with its rank: a level that leaves the ranks is gone from the file, but not from the market. */
  ranks(toBack: RankedLevels, toLay: RankedLevels, atMs: number): void {
    this.levels(rankedChanges(this.#backRanks, toBack), rankedChanges(this.#layRanks, toLay), atMs);
  }

  /** From now on the changes tell all that is known, until `endImage`. */
  beginImage(): void {
    this.#before = { traded: this.#traded };
    this.#traded = new Map();
    this.#against.begin();
    this.#for.begin();
    this.#backRanks.length = 0;
    this.#layRanks.length = 0;
  }

  /** Tells what the image changed. Returns whether it did, its traded volume included. */
  endImage(atMs: number): boolean {
    const traded = this.#before?.traded;
    this.#before = null;
    const changes =
      this.#told(this.#against, BOOK_CHANGE.restingAgainst, atMs) +
      this.#told(this.#for, BOOK_CHANGE.restingFor, atMs);
    return changes > 0 || !isSameVolume(traded ?? new Map(), this.#traded);
  }

  /** No level counts any more. */
  dropLevels(atMs: number): void {
    this.#against.begin();
    this.#for.begin();
    this.#told(this.#against, BOOK_CHANGE.restingAgainst, atMs);
    this.#told(this.#for, BOOK_CHANGE.restingFor, atMs);
    this.#backRanks.length = 0;
    this.#layRanks.length = 0;
  }

  #told(side: Side, change: number, atMs: number): number {
    const ticks = side.end();
    for (const tick of ticks) this.#listener.push(atMs, change, this.#place, tick, side.at(tick));
    return ticks.length;
  }

  #set(side: Side, change: number, levels: Levels, atMs: number): void {
    for (const [price, size] of levels) {
      const tick = side.set(price, toMicros(size), this.#liberties);
      if (tick >= 0 && this.#before === null)
        this.#listener.push(atMs, change, this.#place, tick, side.at(tick));
    }
  }

  #trade(price: number, micros: number, atMs: number): void {
    if (micros <= 0) return;
    const change = this.#takenAt(price);
    const exact = tickAt(price);
    // Between two ticks: the one that fewer orders of ours reach.
    const tick = exact >= 0 ? exact : change === BOOK_CHANGE.tradedFor ? floorTick(price) : ceilTick(price);
    if (exact < 0) this.#liberties[tick === null ? 'outside' : 'offLadder']++;
    if (tick !== null) this.#listener.push(atMs, change, this.#place, tick, micros);
  }

  /** The side that was taken: the one whose best price is at least as good as the trade's, else the nearer one. */
  #takenAt(price: number): number {
    const back = this.#against.best();
    const lay = this.#for.best();
    if (back < 0 || lay < 0) return lay < 0 ? BOOK_CHANGE.tradedAgainst : BOOK_CHANGE.tradedFor;
    const tick = floorTick(price) ?? 0;
    if (tick <= back) return BOOK_CHANGE.tradedAgainst;
    if (tick >= lay) return BOOK_CHANGE.tradedFor;
    return tick - back <= lay - tick ? BOOK_CHANGE.tradedAgainst : BOOK_CHANGE.tradedFor;
  }
}

function isSameVolume(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): boolean {
  for (const [price, total] of before) if (total !== (after.get(price) ?? 0)) return false;
  for (const [price, total] of after) if (total !== (before.get(price) ?? 0)) return false;
  return true;
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
