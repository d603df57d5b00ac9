/**
 * A fill model decides which resting stake is matched, and how much, when a taker or a background trade arrives.
 *
 * The model decides and changes nothing; the book keeps the queues and applies the decision. Each price has one queue for
 * accounts and background: the stake before an order is matched before it. When a feed replays a real market, the real
 * volume at a price is therefore before and behind an order of an account.
 *
 * `match` gets the whole side at once. The volume of one taker, or of one recorded trade, is divided among all resting
 * stake and counted once; two orders of one account at one price share it.
 *
 * `test/simulator/core/fill-model-contract.ts` tests the contract of every model.
 */
import type { Micros } from '../domain/money.ts';
import type { Tick } from '../domain/odds.ts';
import type { Direction } from '../domain/selection.ts';

export interface FillModel {
  /**
   * The trades of a taker with one side of a book, in their order. `levels` are the opposite side, the best for the taker
   * first. Equal books and takers must give equal results: the exchange also previews matches.
   */
  match(levels: readonly Level[], taker: Taker): readonly Match[];
  /**
   * The entries that lose stake when a background participant cancels a part at a price, as in a recorded market.
   * The result decides whether the queue before an order becomes shorter.
   */
  withdraw(level: Level, owner: string, stakeMicros: Micros): readonly Share[];
}

/** Resting stake in the queue of its price. `orderId` is null for the background. */
export interface Resting {
  readonly owner: string;
  readonly orderId: number | null;
  readonly direction: Direction;
  readonly tick: Tick;
  readonly hidden: boolean;
  /** The smallest total stake of a taker that this entry matches. */
  readonly minTakerMicros: Micros;
  /** The smallest single bet; a smaller remainder is matched whole. */
  readonly minBetMicros: Micros;
  /** Returns false for takers that the entry does not match; absent: it matches any. */
  readonly acceptsTaker?: (taker: Taker) => boolean;
  remainingMicros: Micros;
}

export interface Level {
  readonly tick: Tick;
  /** The oldest entry comes first. */
  readonly queue: readonly Resting[];
}

/** An order, or a background participant, that takes resting stake. */
export interface Taker {
  readonly owner: string;
  readonly direction: Direction;
  readonly limitTick: Tick;
  /** The stake that it still wants (`stakeMicros`), and the stake that it originally asked for (`wantStakeMicros`). */
  readonly stakeMicros: Micros;
  readonly wantStakeMicros: Micros;
  /** Takes only at its limit, not at a better price. */
  readonly exact?: boolean;
  /** Returns false for resting stake that it does not take; absent: it takes any. */
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

/**
 * The taker of a recorded trade. It takes what accounts rest at better prices than the trade's, because the trade passed them, and
 * the queue at the trade's price. Recorded stake at better prices stays: its trades are recorded apart.
 */
export function recordedTaker(owner: string, direction: Direction, tick: Tick, stakeMicros: Micros): Taker {
  const accepts = (resting: Resting): boolean => resting.orderId !== null || resting.tick === tick;
  return { owner, direction, limitTick: tick, stakeMicros, wantStakeMicros: stakeMicros, accepts };
}

/** Whether an entry belongs to this background participant. */
export const isBackground = (entry: Resting, owner: string): boolean =>
  entry.orderId === null && entry.owner === owner;

/** The smallest bet that an entry matches. */
export const minBetMicrosOf = ({ minBetMicros, remainingMicros }: Resting): Micros =>
  Math.min(minBetMicros, remainingMicros);

/** Whether both sides accept the match. Nobody matches their own stake. */
export function canMatch(resting: Resting, taker: Taker): boolean {
  if (resting.owner === taker.owner || taker.wantStakeMicros < resting.minTakerMicros) return false;
  return (taker.accepts?.(resting) ?? true) && (resting.acceptsTaker?.(taker) ?? true);
}
