import type { BetId, EventId, SelectionId } from '../domain/ids.ts';
import type { Fill } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import { LOSS, WIN, profitOf } from '../domain/payoff.ts';

/** Profit of the matched bets of a selection if it wins, and if it loses. */
export interface Outcomes {
  readonly ifWinMicros: Micros;
  readonly ifLoseMicros: Micros;
}

export const FLAT: Outcomes = { ifWinMicros: 0, ifLoseMicros: 0 };

/** Profit of one bet, in whole micros. */
export function outcomesOf({ direction, stakeMicros, price }: Fill): Outcomes {
  return {
    ifWinMicros: Math.round(profitOf(direction, stakeMicros, price, WIN)),
    ifLoseMicros: Math.round(profitOf(direction, stakeMicros, price, LOSS)),
  };
}

/** Expected profit at a probability that the selection wins. */
export function expectedMicros({ ifWinMicros, ifLoseMicros }: Outcomes, probability: number): number {
  return probability * ifWinMicros + (1 - probability) * ifLoseMicros;
}

/** Matched bets that are neither settled nor void, and what they add up to per selection. */
export class Positions {
  readonly #open = new Map<BetId, Fill>();
  readonly #sums = new Map<SelectionId, Outcomes>();
  /** Selections with a position, by event. */
  readonly #held = new Map<EventId, Set<SelectionId>>();
  /** How many bets are open, by event. */
  readonly #betsOn = new Map<EventId, number>();

  add(fill: Fill): void {
    this.#open.set(fill.betId, fill);
    this.#countBet(fill, 1);
    this.#sum(fill, 1);
  }

  /** Takes a bet out and answers it; undefined when it is not open. */
  remove(betId: BetId): Fill | undefined {
    const fill = this.#open.get(betId);
    if (fill === undefined) return undefined;
    this.#open.delete(betId);
    this.#countBet(fill, -1);
    this.#sum(fill, -1);
    return fill;
  }

  of(selectionId: SelectionId): Outcomes {
    return this.#sums.get(selectionId) ?? FLAT;
  }

  /** Every selection with a position, flat ones excluded. */
  all(): Iterable<readonly [SelectionId, Outcomes]> {
    return this.#sums;
  }

  /** The selections of an event with a position, of all sports that use its id. */
  on(eventId: EventId): Iterable<SelectionId> {
    return this.#held.get(eventId) ?? [];
  }

  /** The events with open bets, also where these cancel each other. */
  events(): Iterable<EventId> {
    return this.#betsOn.keys();
  }

  #countBet({ eventId }: Fill, change: 1 | -1): void {
    const bets = (this.#betsOn.get(eventId) ?? 0) + change;
    if (bets > 0) this.#betsOn.set(eventId, bets);
    else this.#betsOn.delete(eventId);
  }

  #sum(fill: Fill, sign: 1 | -1): void {
    const [before, change] = [this.of(fill.selectionId), outcomesOf(fill)];
    const after = {
      ifWinMicros: before.ifWinMicros + sign * change.ifWinMicros,
      ifLoseMicros: before.ifLoseMicros + sign * change.ifLoseMicros,
    };
    const isFlat = after.ifWinMicros === 0 && after.ifLoseMicros === 0;
    if (isFlat) this.#sums.delete(fill.selectionId);
    else this.#sums.set(fill.selectionId, after);
    this.#hold(fill, !isFlat);
  }

  #hold({ eventId, selectionId }: Fill, isHeld: boolean): void {
    const held = this.#held.get(eventId) ?? new Set();
    if (isHeld) held.add(selectionId);
    else held.delete(selectionId);
    if (held.size > 0) this.#held.set(eventId, held);
    else this.#held.delete(eventId);
  }
}
