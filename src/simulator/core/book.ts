/**
 * The book of one outcome: the resting stake at each price, in time order. A fill model decides which stake is matched.
 * The book knows owners, ticks and stakes, but neither accounts nor time.
 *
 * An `against` taker matches a resting `for` stake, and the reverse, at the resting price. The best level for a taker is
 * the highest price when it bets `for`, the lowest when it bets `against`.
 */
import type { Micros } from '../../domain/money.ts';
import { isBetter, SELECTION_KINDS, type Tick } from '../../domain/odds.ts';
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

interface OwnLevel extends Level {
  readonly queue: Resting[];
}

export class Book {
  /** Levels per direction of the *resting* stake, the best for its taker first. */
  readonly #sides: Record<Direction, OwnLevel[]> = { for: [], against: [] };
  readonly #versions: Record<Direction, number> = { for: 0, against: 0 };
  readonly #ordersResting: Record<Direction, number> = { for: 0, against: 0 };
  readonly #model: FillModel;

  constructor(model: FillModel) {
    this.#model = model;
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
    const { queue } = this.#levelFor(resting.direction, resting.tick);
    const last = queue.at(-1);
    // Stake right behind stake of the same background participant merges with it: the queue position is the same.
    if (last !== undefined && isBackground(last, resting.owner))
      last.remainingMicros += resting.remainingMicros;
    else queue.push(resting);
    if (resting.orderId !== null) this.#ordersResting[resting.direction] += 1;
    this.#changed(resting.direction);
  }

  /** Reduces a resting entry. An entry without stake leaves the book. */
  reduce(resting: Resting, byMicros: Micros): void {
    resting.remainingMicros -= byMicros;
    if (resting.remainingMicros <= 0) this.#drop(resting);
    this.#changed(resting.direction);
  }

  remove(resting: Resting): void {
    this.reduce(resting, resting.remainingMicros);
  }

  clear(): void {
    for (const entry of this.find(() => true)) this.remove(entry);
  }

  /** The participant's stake at one price, oldest first. */
  entriesOf(owner: string, direction: Direction, tick: Tick): Resting[] {
    return this.levelAt(direction, tick)?.queue.filter((entry) => isBackground(entry, owner)) ?? [];
  }

  /** Every entry that passes the test. */
  find(test: (entry: Resting) => boolean): Resting[] {
    return [...this.#sides.for, ...this.#sides.against].flatMap((level) => level.queue.filter(test));
  }

  levelAt(direction: Direction, tick: Tick): Level | undefined {
    return this.#sides[direction].find((level) => level.tick === tick);
  }

  /** Matches a taker by the fill model and removes the matched stake from the book. */
  match(taker: Taker): readonly Match[] {
    const matches = this.preview(taker);
    invariant(stakeOf(matches) <= taker.stakeMicros, 'a fill model matched more than the taker wants');
    this.#reduceAll(matches);
    return matches;
  }

  /** The result of `match`, without any change of the book. */
  preview(taker: Taker): readonly Match[] {
    return this.#model.match(this.#sides[opposite(taker.direction)], taker);
  }

  /** Removes a part of a background participant's stake at one price. */
  withdraw(owner: string, direction: Direction, tick: Tick, stakeMicros: Micros): void {
    const level = this.levelAt(direction, tick);
    if (level !== undefined) this.#reduceAll(this.#model.withdraw(level, owner, stakeMicros));
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

  #levelFor(direction: Direction, tick: Tick): OwnLevel {
    const side = this.#sides[direction];
    const at = side.findIndex((level) => !isBetter(SELECTION_KINDS[opposite(direction)], level.tick, tick));
    const found = side[at];
    if (found?.tick === tick) return found;
    const level: OwnLevel = { tick, queue: [] };
    side.splice(at === -1 ? side.length : at, 0, level);
    return level;
  }

  #drop(resting: Resting): void {
    const side = this.#sides[resting.direction];
    const levelIndex = side.findIndex((level) => level.tick === resting.tick);
    const level = side[levelIndex];
    const at = level?.queue.indexOf(resting) ?? -1;
    if (level === undefined || at === -1) return;
    level.queue.splice(at, 1);
    if (level.queue.length === 0) side.splice(levelIndex, 1);
    if (resting.orderId !== null) this.#ordersResting[resting.direction] -= 1;
  }

  #changed(direction: Direction): void {
    this.#versions[direction] += 1;
  }
}

/** The visible stake at one price. */
export interface ShownStake {
  readonly tick: Tick;
  readonly stakeMicros: Micros;
  /** The smallest bet that matches any of the stake; 0 for no minimum. */
  readonly minBetMicros: Micros;
}

/** The visible stake per price, without entries that `accepts` rejects. The best level for the taker comes first. */
export function shownLevels(
  levels: readonly Level[],
  depth: number,
  accepts: (entry: Resting) => boolean = () => true,
): ShownStake[] {
  const shown: ShownStake[] = [];
  for (const level of levels) {
    if (shown.length >= depth) break;
    let stakeMicros = 0;
    let minBetMicros = Infinity;
    for (const entry of level.queue) {
      if (entry.hidden || !accepts(entry)) continue;
      stakeMicros += entry.remainingMicros;
      minBetMicros = Math.min(minBetMicros, minBetMicrosOf(entry));
    }
    if (stakeMicros > 0) shown.push({ tick: level.tick, stakeMicros, minBetMicros });
  }
  return shown;
}

/** The total stake of matches or shares. */
export const stakeOf = (shares: readonly Share[]): Micros =>
  shares.reduce((sum, share) => sum + share.stakeMicros, 0);
