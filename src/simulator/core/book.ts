/**
 * The book of one outcome: the resting stake at each price, in time order. A fill model decides which stake is matched.
 * The book knows owners, ticks and stakes, but neither accounts nor time.
 *
 * A side is the stake that takes one side of the outcome. It can hold prices of several kinds: a level is the stake at one price, in
 * the order of its arrival, whatever the kinds of its entries. A taker matches stake of the other side, at the resting price.
 */
import type { Micros } from '../../domain/money.ts';
import type { Tick } from '../../domain/ladder.ts';
import {
  compareForTakers,
  directionOfKind,
  isLay,
  type PricedTick,
  type PriceKind,
  restingStakeMicros,
  shownTick,
  takerStakeMicros,
} from '../../domain/odds.ts';
import { type Direction, opposite } from '../../domain/selection.ts';
import { invariant } from '../../lib/assert.ts';
import {
  type FillModel,
  isBackground,
  minBetMicrosOf,
  type Level,
  type Match,
  type Resting,
  type Share,
  type Taker,
} from '../../fills/fill-model.ts';
import { TradedFalls } from '../../fills/traded-falls.ts';

interface OwnLevel extends Level {
  readonly queue: Resting[];
}

export class Book {
  /** Levels per direction of the *resting* stake, the best for its taker first. */
  readonly #sides: Record<Direction, OwnLevel[]> = { for: [], against: [] };
  readonly #versions: Record<Direction, number> = { for: 0, against: 0 };
  readonly #ordersResting: Record<Direction, number> = { for: 0, against: 0 };
  /** Per direction of the resting stake. */
  readonly falls: Readonly<Record<Direction, TradedFalls>> = {
    for: new TradedFalls(),
    against: new TradedFalls(),
  };
  readonly #model: FillModel;

  constructor(model: FillModel) {
    this.#model = model;
  }

  /** What a recorded trade takes at its own price at once. */
  get atTrade(): FillModel['atTrade'] {
    return this.#model.atTrade;
  }

  /** The number of changes of one side. Equal versions mean equal levels. */
  version(resting: Direction): number {
    return this.#versions[resting];
  }

  levels(resting: Direction): readonly Level[] {
    return this.#sides[resting];
  }

  /** Whether any order of an account rests on a side. */
  hasOrders(resting: Direction): boolean {
    return this.#ordersResting[resting] > 0;
  }

  /** Whether any visible stake rests. */
  hasShownStake(): boolean {
    const shown = (level: Level): boolean => level.queue.some((entry) => !entry.hidden);
    return this.#sides.for.some(shown) || this.#sides.against.some(shown);
  }

  /** Adds stake at the back of its price's queue. */
  rest(resting: Resting): void {
    const { queue } = this.#levelFor(resting);
    const last = queue.at(-1);
    // Stake right behind stake of the same background participant merges with it: the queue position is the same.
    if (last !== undefined && isBackground(last, resting.owner) && isSameTick(last, resting))
      last.remainingMicros += resting.remainingMicros;
    else queue.push(resting);
    const side = directionOfKind(resting.priceKind);
    if (resting.orderId !== null) this.#ordersResting[side] += 1;
    this.#versions[side] += 1;
  }

  /** Reduces a resting entry. An entry without stake leaves the book. */
  reduce(resting: Resting, byMicros: Micros): void {
    resting.remainingMicros -= byMicros;
    if (resting.remainingMicros <= 0) this.#drop(resting);
    this.#versions[directionOfKind(resting.priceKind)] += 1;
  }

  remove(resting: Resting): void {
    this.reduce(resting, resting.remainingMicros);
  }

  clear(): void {
    for (const entry of this.find(() => true)) this.remove(entry);
  }

  /** The participant's stake at one price, oldest first. */
  entriesOf(owner: string, at: PricedTick): Resting[] {
    const isOwn = (entry: Resting): boolean => isBackground(entry, owner) && isSameTick(entry, at);
    return this.levelAt(at)?.queue.filter(isOwn) ?? [];
  }

  /** Every entry that passes the test. */
  find(test: (entry: Resting) => boolean): Resting[] {
    return [...this.#sides.for, ...this.#sides.against].flatMap((level) => level.queue.filter(test));
  }

  levelAt(at: PricedTick): Level | undefined {
    return this.#sideOf(at).find((level) => isSamePrice(level, at));
  }

  /** Matches a taker by the fill model and removes the matched stake from the book. */
  match(taker: Taker): readonly Match[] {
    const matches = this.preview(taker);
    invariant(takenOf(matches) <= taker.stakeMicros, 'a fill model matched more than the taker wants');
    this.#reduceAll(matches);
    return matches;
  }

  /** The result of `match`, without any change of the book. */
  preview(taker: Taker): readonly Match[] {
    return this.#model.match(this.#sides[opposite(directionOfKind(taker.priceKind))], taker);
  }

  /** Removes a part of a background participant's stake at one price. */
  withdraw(owner: string, at: PricedTick, stakeMicros: Micros): void {
    const level = this.levelAt(at);
    if (level === undefined) return;
    // Its stake in prices of another kind stays.
    const queue = level.queue.filter((entry) => !isBackground(entry, owner) || isSameTick(entry, at));
    this.#reduceAll(this.#model.withdraw({ ...level, queue }, owner, stakeMicros));
  }

  #reduceAll(shares: readonly Share[]): void {
    for (const { resting, stakeMicros } of shares) {
      invariant(
        stakeMicros <= resting.remainingMicros,
        'a fill model took more than the remaining stake of an entry',
      );
      this.reduce(resting, stakeMicros);
    }
  }

  #sideOf({ priceKind }: PricedTick): OwnLevel[] {
    return this.#sides[directionOfKind(priceKind)];
  }

  #levelFor(price: PricedTick): OwnLevel {
    const side = this.#sideOf(price);
    const at = side.findIndex((level) => compareForTakers(level, price) >= 0);
    const found = side[at];
    if (found !== undefined && isSamePrice(found, price)) return found;
    const level: OwnLevel = { priceKind: price.priceKind, tick: price.tick, queue: [] };
    side.splice(at === -1 ? side.length : at, 0, level);
    return level;
  }

  #drop(resting: Resting): void {
    const side = this.#sideOf(resting);
    const levelIndex = side.findIndex((level) => isSamePrice(level, resting));
    const level = side[levelIndex];
    const at = level?.queue.indexOf(resting) ?? -1;
    if (level === undefined || at === -1) return;
    level.queue.splice(at, 1);
    if (level.queue.length === 0) side.splice(levelIndex, 1);
    if (resting.orderId !== null) this.#ordersResting[directionOfKind(resting.priceKind)] -= 1;
  }
}

const isSameTick = (a: PricedTick, b: PricedTick): boolean =>
  a.tick === b.tick && a.priceKind === b.priceKind;

/** Odds of 3 for a selection and a lay price of 1.5 against it are one price. */
const isSamePrice = (a: PricedTick, b: PricedTick): boolean =>
  a.priceKind === b.priceKind ? a.tick === b.tick : compareForTakers(a, b) === 0;

/** The visible stake at one tick of a taker's prices. */
export interface ShownStake {
  readonly tick: Tick;
  readonly stakeMicros: Micros;
  /** The smallest bet that matches any of the stake; 0 for no minimum. */
  readonly minBetMicros: Micros;
}

/**
 * The visible stake in the terms of takers whose prices are of one kind, without entries that `accepts` rejects: at each tick the
 * taker's stake that all of its resting stake matches. A level is shown at the first tick that it honours; several may be shown at one
 * tick, and one without a tick is left out. The highest price comes first, as in every price list: the best for the taker unless its
 * prices are lay prices. `depth` is the largest number of ticks, the best ones.
 */
export function shownLevels(
  levels: readonly Level[],
  depth: number,
  kind: PriceKind,
  accepts: (entry: Resting) => boolean = () => true,
): ShownStake[] {
  const shown: ShownStake[] = [];
  for (const level of levels) {
    const tick = shownTick(level, kind);
    const stake = tick === null ? null : shownStakeOf(level, kind, accepts);
    if (tick === null || stake === null) continue;
    const last = shown.at(-1);
    if (last?.tick === tick) shown[shown.length - 1] = { tick, ...together(last, stake) };
    else if (shown.length < depth) shown.push({ tick, ...stake });
    else break;
  }
  return isLay(kind) ? shown.reverse() : shown;
}

type Stake = Omit<ShownStake, 'tick'>;

const together = (a: Stake, b: Stake): Stake => ({
  stakeMicros: a.stakeMicros + b.stakeMicros,
  minBetMicros: Math.min(a.minBetMicros, b.minBetMicros),
});

/** The shown stake of a level; null without any. */
function shownStakeOf({ queue }: Level, kind: PriceKind, accepts: (entry: Resting) => boolean): Stake | null {
  let stakeMicros = 0;
  let minBetMicros = Infinity;
  for (const entry of queue) {
    if (entry.hidden || !accepts(entry)) continue;
    stakeMicros += takerStakeMicros(entry, entry.remainingMicros, kind);
    minBetMicros = Math.min(minBetMicros, leastTakerMicros(entry, minBetMicrosOf(entry), kind));
  }
  return stakeMicros > 0 ? { stakeMicros, minBetMicros } : null;
}

/** The smallest stake of a taker that matches at least so much resting stake. */
function leastTakerMicros(entry: Resting, micros: Micros, kind: PriceKind): Micros {
  const takerMicros = takerStakeMicros(entry, micros, kind);
  return restingStakeMicros(entry, takerMicros, kind) < micros ? takerMicros + 1 : takerMicros;
}

/** The takers' stake of matches. */
export const takenOf = (matches: readonly Match[]): Micros =>
  matches.reduce((sum, { takerMicros }) => sum + takerMicros, 0);
