import { eventKey, type EventName } from '../domain/events.ts';
import type { BetId, EventKey, SelectionId } from '../domain/ids.ts';
import type { Fill } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import { profitMicros } from '../domain/odds.ts';
import { LOSS, WIN } from '../domain/payoff.ts';

/** Profit of the matched bets of a selection if it wins, and if it loses. */
export interface Outcomes {
  readonly ifWinMicros: Micros;
  readonly ifLoseMicros: Micros;
}

export const FLAT: Outcomes = { ifWinMicros: 0, ifLoseMicros: 0 };

/** The terms of a bet that decide its profit. */
export type BetTerms = Pick<Fill, 'priceKind' | 'stakeMicros' | 'price'>;

/** Profit of one bet, in whole micros. */
export const outcomesOf = ({ priceKind, stakeMicros, price }: BetTerms): Outcomes => ({
  ifWinMicros: profitMicros(priceKind, stakeMicros, price, WIN),
  ifLoseMicros: profitMicros(priceKind, stakeMicros, price, LOSS),
});

/** Expected profit at a probability that the selection wins. */
export function expectedMicros({ ifWinMicros, ifLoseMicros }: Outcomes, probability: number): number {
  return probability * ifWinMicros + (1 - probability) * ifLoseMicros;
}

/** An event with open bets, also where these cancel each other. */
export interface HeldEvent extends EventName {
  /** Selections with a position. */
  readonly selections: Set<SelectionId>;
  /** The number of open bets. */
  bets: number;
}

/** Matched bets that are neither settled nor void, and their sums per selection. */
export class Positions {
  readonly #open = new Map<BetId, Fill>();
  readonly #sums = new Map<SelectionId, Outcomes>();
  readonly #held = new Map<EventKey, HeldEvent>();

  add(fill: Fill): void {
    this.#open.set(fill.betId, fill);
    this.#sum(fill, 1);
  }

  /** Removes and returns a bet; undefined when it is not open. */
  remove(betId: BetId): Fill | undefined {
    const fill = this.#open.get(betId);
    if (fill === undefined) return undefined;
    this.#open.delete(betId);
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

  /** The selections of an event with a position. */
  on(event: EventName): readonly SelectionId[] {
    return [...(this.#held.get(eventKey(event))?.selections ?? [])];
  }

  /** Events with open bets, also where these cancel each other. */
  events(): readonly HeldEvent[] {
    return [...this.#held.values()];
  }

  /** The number of open bets on an event. */
  openBets(event: EventName): number {
    return this.#held.get(eventKey(event))?.bets ?? 0;
  }

  /** Whether an event has open bets. */
  isHeld(event: EventName): boolean {
    return this.openBets(event) > 0;
  }

  #sum(fill: Fill, sign: 1 | -1): void {
    const before = this.of(fill.selectionId);
    const change = outcomesOf(fill);
    const after = {
      ifWinMicros: before.ifWinMicros + sign * change.ifWinMicros,
      ifLoseMicros: before.ifLoseMicros + sign * change.ifLoseMicros,
    };
    const isFlat = after.ifWinMicros === 0 && after.ifLoseMicros === 0;
    if (isFlat) this.#sums.delete(fill.selectionId);
    else this.#sums.set(fill.selectionId, after);
    this.#hold(fill, sign, isFlat);
  }

  #hold(fill: Fill, sign: 1 | -1, isFlat: boolean): void {
    const key = eventKey(fill);
    const held = this.#heldOf(key, fill);
    held.bets += sign;
    if (isFlat) held.selections.delete(fill.selectionId);
    else held.selections.add(fill.selectionId);
    if (held.bets === 0) this.#held.delete(key);
  }

  #heldOf(key: EventKey, { sport, eventId }: EventName): HeldEvent {
    const held = this.#held.get(key) ?? { sport, eventId, selections: new Set(), bets: 0 };
    this.#held.set(key, held);
    return held;
  }
}
