import type { Micros } from '../domain/money.ts';
import { type BookGroup, cellsOf, type OutcomeBook, worstMicros } from './book.ts';
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

/** The pay of a group of the book in each of its final states, after commission as if it were all that the event has. */
export interface GroupPreview {
  readonly group: number;
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
  /** The groups in which the hedge pays. */
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
  const afterCommission = (of: OutcomeBook, at: number): readonly Micros[] =>
    cellsIn(of, at).map((micros) => micros - commissionOn(micros, commissionRate));
  const betslips = legs.filter(({ leg }) => !leg.hasBetslip).length;
  return {
    legs,
    worst: {
      before: worstMicros(book),
      after: worstMicros(filled),
      ifHalf: worstMicros(halfFilled),
      least: leastOverFills(book, legs),
    },
    groups: touched.map((group) => ({
      group,
      before: afterCommission(book, group),
      after: afterCommission(filled, group),
      ifHalf: afterCommission(halfFilled, group),
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
