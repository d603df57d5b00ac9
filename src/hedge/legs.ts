import type { HedgeWay } from '../domain/hedge-intent.ts';
import type { BetType, SelectionId } from '../domain/ids.ts';
import type { Tick } from '../domain/ladder.ts';
import { type Micros, ROUNDING_MICROS } from '../domain/money.ts';
import type { PriceKind } from '../domain/odds.ts';
import type { Direction } from '../domain/selection.ts';
import type { BookGroup, OutcomeBook, Position } from './book.ts';

/** A bet that may be part of a hedge. Tick and stakes are the exchange's own terms. */
export interface HedgeLeg {
  readonly selectionId: SelectionId;
  readonly betType: BetType;
  readonly direction: Direction;
  readonly priceKind: PriceKind;
  readonly tick: Tick;
  readonly way: HedgeWay;
  /** All stake at this price or better; Infinity for an offer. */
  readonly availableMicros: Micros;
  readonly minStakeMicros: Micros;
  /** The group of the book in which it pays. */
  readonly group: number;
  /** The amounts that a stake of 1 adds to the position of the group. */
  readonly perUnit: Position;
  /** The pay of a stake of 1 if its selection wins, and if it does not. */
  readonly ofSelection: { readonly win: number; readonly lose: number };
  /** The expected loss of a stake of 1 at the fair price; null when that is not known. */
  readonly lossPerUnit: number | null;
  /** Its betslip is open. */
  readonly hasBetslip: boolean;
}

/** A leg with its stake. */
export interface PlannedLeg {
  readonly leg: HedgeLeg;
  readonly stakeMicros: Micros;
}

/** Stakes of hedges are whole cents: the exchange may round finer ones. */
export const STAKE_STEP_MICROS = ROUNDING_MICROS;

/** The greatest stake in whole cents that is not above this one. */
export const inWholeCents = (micros: Micros): Micros =>
  Math.floor(micros / STAKE_STEP_MICROS) * STAKE_STEP_MICROS;

/** The least stake of a leg. */
export const leastStake = ({ minStakeMicros }: HedgeLeg): Micros =>
  Math.max(1, Math.ceil(minStakeMicros / STAKE_STEP_MICROS)) * STAKE_STEP_MICROS;

/** The amount that a stake adds to a place of the position, rounded against us. */
export const payMicros = ({ perUnit }: HedgeLeg, stakeMicros: Micros, place: number): Micros =>
  Math.floor(stakeMicros * (perUnit[place] as number));

/** Which part of a bet counts: all of it, or its losses alone, as of a bet that may or may not be matched. */
export type Counted = 'all' | 'losses';

/** A group with a further bet. */
export function withBet<G extends BookGroup>(
  group: G,
  { leg, stakeMicros }: PlannedLeg,
  counted: Counted,
): G {
  const micros = group.micros.map((held, place) => {
    const pays = payMicros(leg, stakeMicros, place);
    return held + (counted === 'all' ? pays : Math.min(0, pays));
  });
  return { ...group, micros };
}

/** A book with the bets of a hedge. */
export const withBets = (book: OutcomeBook, legs: readonly PlannedLeg[], counted: Counted): OutcomeBook =>
  legs.reduce<OutcomeBook>(
    (held, planned) =>
      held.map((group, at) => (at === planned.leg.group ? withBet(group, planned, counted) : group)),
    book,
  );
