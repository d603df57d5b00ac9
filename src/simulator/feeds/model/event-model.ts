import type { EventResult } from '../../core/api.ts';

/** A selection that the modelled market trades. */
export interface ModelOutcome {
  /** The bet type less its direction. */
  readonly outcome: string;
  /** Share of the takers' full rate that comes here, (0, 1]. */
  readonly popularity: number;
}

/** What can be seen of an event in play. */
export interface PlayState {
  readonly score: readonly [home: number, away: number] | null;
  readonly redCards: readonly [home: number, away: number] | null;
  readonly period: string;
  readonly minutes: number | null;
}

/**
 * The hidden truth of one event: what drives it, what it makes every selection worth, and how it ends. All time is
 * match time.
 */
export interface EventModel {
  readonly outcomes: readonly ModelOutcome[];
  /** Whether the market stays closed from the start to the result. */
  readonly closedInPlay: boolean;
  readonly over: boolean;
  /** Moves opinion before the start. */
  drift(hours: number): void;
  /** Plays on. True when something happened that suspends the market: a goal, a red card. */
  play(seconds: number): boolean;
  /**
   * A hand from outside scores once for a team. True when that suspends the market. Absent where nothing is scored.
   */
  goal?(team: 0 | 1): boolean;
  /**
   * Fair log-odds per outcome, ln(E[fraction won] / E[fraction lost]): the price at which backing it has no expected
   * profit. Infinite when decided. A fresh array each time.
   */
  fair(): Float64Array;
  state(): PlayState;
  /** The result; call when over. */
  result(): EventResult;
}

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
