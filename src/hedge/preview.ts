import type { Micros } from '../domain/money.ts';
import { type BookGroup, cellsOf, type OutcomeBook, worstMicros, worstOfGroup } from './book.ts';
import { type PlannedLeg, withBets } from './legs.ts';
import { leastOverFills } from './never-worse.ts';

/** How long the parts of a hedge take. */
export interface HedgeTimes {
  /** From the request for a betslip to its quote. */
  readonly betslipMs: number;
  /** From the request for an order to its answer. */
  readonly orderMs: number;
  /** How long a bet waits in play. */
  readonly betDelayMs: number;
}

/**
 * The least that the event pays in each final state of a group of the book, after commission: each other group ends at its worst. So the
 * least over a group is the worst case of the event. The states are those of `cellsOf`; where scores decide, the last one is that all
 * bets of the group are void.
 */
export interface GroupPreview {
  readonly before: readonly Micros[];
  readonly after: readonly Micros[];
  /** If half of each bet is matched. */
  readonly ifHalf: readonly Micros[];
}

/** The effects of a hedge, before anything is sent. Amounts in micros; worst cases are before commission, which is on winnings alone. */
export interface HedgePreview {
  readonly legs: readonly PlannedLeg[];
  readonly worst: {
    readonly before: Micros;
    readonly after: Micros;
    /** The worst case if half of each bet is matched. */
    readonly ifHalf: Micros;
    /** The least over all subsets of fills. */
    readonly least: Micros;
  };
  /** Of each group of the book, also where the hedge pays nothing. */
  readonly groups: readonly GroupPreview[];
  /** The expected loss of the bets at fair prices; null while one of the fair prices is not known. */
  readonly expectedLossMicros: Micros | null;
  /** The most by which the commission grows in any final state. */
  readonly commissionMicros: Micros;
  /** Betslips that must be opened first. */
  readonly betslips: number;
  /** Until the last bet is matched or known not to be, if all of it is taken. */
  readonly seconds: number;
}

/** `commissionRate`: of the net winnings of the event, from 0 to 1. */
export function previewOf(
  book: OutcomeBook,
  legs: readonly PlannedLeg[],
  commissionRate: number,
  times: HedgeTimes,
): HedgePreview {
  const half = legs.map(({ leg, stakeMicros }) => ({ leg, stakeMicros: Math.floor(stakeMicros / 2) }));
  const [filled, halfFilled] = [withBets(book, legs, 'all'), withBets(book, half, 'all')];
  const touched = [...new Set(legs.map(({ leg }) => leg.group))];
  const cellsIn = (of: OutcomeBook, at: number): readonly Micros[] => cellsOf(of[at] as BookGroup);
  const leastIn = (of: OutcomeBook, at: number): readonly Micros[] =>
    leastInStates(of, of[at] as BookGroup).map((micros) => micros - commissionOn(micros, commissionRate));
  const betslips = legs.filter(({ leg }) => !leg.hasBetslip).length;
  return {
    legs,
    worst: {
      before: worstMicros(book),
      after: worstMicros(filled),
      ifHalf: worstMicros(halfFilled),
      least: leastOverFills(book, legs),
    },
    groups: book.map((_, at) => ({
      before: leastIn(book, at),
      after: leastIn(filled, at),
      ifHalf: leastIn(halfFilled, at),
    })),
    expectedLossMicros: expectedLoss(legs),
    commissionMicros: touched.reduce(
      (sum, at) => sum + mostGrowth(cellsIn(book, at), cellsIn(filled, at), commissionRate),
      0,
    ),
    betslips,
    seconds: legs.length === 0 ? 0 : secondsOf(betslips > 0, times),
  };
}

/** The least profit of the event in each final state of one of its groups, before commission. */
function leastInStates(book: OutcomeBook, group: BookGroup): readonly Micros[] {
  const others = worstMicros(book) - worstOfGroup(group);
  const states = group.kind === 'scores' ? [...cellsOf(group), VOID_MICROS] : cellsOf(group);
  return states.map((micros) => others + micros);
}

/** A void bet pays nothing. */
const VOID_MICROS: Micros = 0;

const commissionOn = (micros: Micros, rate: number): Micros => Math.ceil(rate * Math.max(0, micros));

/** The most by which the commission of a final state grows; 0 if it grows in none. */
const mostGrowth = (before: readonly Micros[], after: readonly Micros[], rate: number): Micros =>
  after.reduce(
    (most, micros, at) =>
      Math.max(most, commissionOn(micros, rate) - commissionOn(before[at] as number, rate)),
    0,
  );

function expectedLoss(legs: readonly PlannedLeg[]): Micros | null {
  let micros = 0;
  for (const { leg, stakeMicros } of legs) {
    if (leg.lossPerUnit === null) return null;
    micros += stakeMicros * leg.lossPerUnit;
  }
  return Math.ceil(micros);
}

/** The bets are sent side by side, so the slowest of them decides. */
const secondsOf = (needsBetslip: boolean, { betslipMs, orderMs, betDelayMs }: HedgeTimes): number =>
  ((needsBetslip ? betslipMs : 0) + orderMs + betDelayMs) / 1_000;
