import { type Random, uniformBetween } from '../../../lib/random.ts';
import type { EventResult } from '../../../domain/bet-types/result.ts';

/** A selection that the modelled market trades. */
export interface ModelOutcome {
  /** The bet type without its direction. */
  readonly outcome: string;
  /** Share of the takers' full arrival rate, in (0, 1]. */
  readonly popularity: number;
}

/** Popularity of the side of a match without a draw that the market does not favour: least and most. */
const OTHER_SIDE = [0.05, 0.3] as const;

/** The outcomes of a match without a draw. Most trade the favourite. */
export function twoWay(random: Random, isHomeFavourite: boolean): readonly ModelOutcome[] {
  const [least, most] = OTHER_SIDE.map(Math.log) as [number, number];
  const other = Math.exp(uniformBetween(random, least, most));
  return [
    { outcome: 'h', popularity: isHomeFavourite ? 1 : other },
    { outcome: 'a', popularity: isHomeFavourite ? other : 1 },
  ];
}

/** The public state of an event in play. */
export interface PlayState {
  readonly score: readonly [home: number, away: number] | null;
  readonly redCards: readonly [home: number, away: number] | null;
  readonly period: string;
  readonly minutes: number | null;
}

/**
 * The hidden truth of one event: its state, the fair price of every selection, and the result. All time is match time.
 */
export interface EventModel {
  readonly outcomes: readonly ModelOutcome[];
  readonly over: boolean;
  /** Moves the fair prices before the start. */
  drift(hours: number): void;
  /** Plays on. Returns true after an incident that suspends the market: a goal or a red card. */
  play(seconds: number): boolean;
  /** Scores once for a team, by intervention. Returns true when that suspends the market. Absent without scores. */
  goal?(team: 0 | 1): boolean;
  /**
   * Fair log-odds per outcome, ln(E[fraction won] / E[fraction lost]): the price at which backing it has no expected
   * profit. Infinite when decided. A fresh array each time.
   */
  fair(): Float64Array;
  state(): PlayState;
  /** The result. Call it only when the event is over. */
  result(): EventResult;
}

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
