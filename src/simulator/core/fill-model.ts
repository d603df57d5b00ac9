/**
 * Who of those resting is filled, and how much, when a taker or a trade of the background comes.
 *
 * A model decides and changes nothing; the book keeps the queues and carries out what was decided. The queue of a price is
 * the position in it: the stake before an order is ahead of it. Stake of the background stands in the same queue, so that
 * where a feed replays a real market, the real volume at a price stands before and behind an order of an account.
 *
 * `match` sees the whole side at once. So the volume of one taker, or of one recorded trade, is divided among all who rest and
 * counted once; two orders of one account at one price share it.
 *
 * What every model keeps to is in `test/simulator/core/fill-model-contract.ts`.
 */
import type { Micros } from '../../domain/money.ts';
import type { Tick } from '../../domain/odds.ts';
import type { Direction } from '../../domain/selection.ts';

export interface FillModel {
  /**
   * The trades of a taker with one side of a book, in their order. The levels are those that rest against it, the best for it
   * first. Equal books and takers give equal answers: an exchange also asks what a taker would get.
   */
  match(levels: readonly Level[], taker: Taker): readonly Match[];
  /**
   * Which entries lose stake when a background participant takes some back at a price, as after a cancellation in a recorded
   * market. It decides whether the queue before an order becomes shorter.
   */
  withdraw(level: Level, owner: string, stakeMicros: Micros): readonly Share[];
}

/** Stake that waits in the queue of its price. `orderId` is null for the background. */
export interface Resting {
  readonly owner: string;
  readonly orderId: number | null;
  readonly direction: Direction;
  readonly tick: Tick;
  readonly hidden: boolean;
  /** A taker must ask for this much in total to be matched with it. */
  readonly minTakerMicros: Micros;
  /** One bet with it is of so much at least, or of all that is left of it. */
  readonly leastMicros: Micros;
  /** Refuses some takers. */
  readonly meets?: (taker: Taker) => boolean;
  remainingMicros: Micros;
}

export interface Level {
  readonly tick: Tick;
  /** Oldest first. */
  readonly queue: readonly Resting[];
}

/** What comes to take. */
export interface Taker {
  readonly owner: string;
  readonly direction: Direction;
  readonly limitTick: Tick;
  /** What it still wants, and what it asked for in the first place. */
  readonly stakeMicros: Micros;
  readonly wantStakeMicros: Micros;
  /** Takes at its limit alone, never better. */
  readonly exact?: boolean;
  /** Refuses some of the resting stake. */
  readonly accepts?: (resting: Resting) => boolean;
}

/** A part of an entry's stake. */
export interface Share {
  readonly resting: Resting;
  readonly stakeMicros: Micros;
}

export interface Match extends Share {
  readonly tick: Tick;
}

/** Whether an entry is stake of this background participant. */
export const isBackground = (entry: Resting, owner: string): boolean =>
  entry.orderId === null && entry.owner === owner;

/** The least bet that an entry takes part in. */
export const leastBetMicros = ({ leastMicros, remainingMicros }: Resting): Micros =>
  Math.min(leastMicros, remainingMicros);

/** Whether the two sides of a bet accept each other. */
export function canMatch(resting: Resting, taker: Taker): boolean {
  if (resting.owner === taker.owner || taker.wantStakeMicros < resting.minTakerMicros) return false;
  return (taker.accepts?.(resting) ?? true) && (resting.meets?.(taker) ?? true);
}
