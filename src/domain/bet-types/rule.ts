import { HALF_LOSS, HALF_WIN, LOSS, PUSH, type Settlement, WIN } from '../payoff.ts';
import type { EventResult } from './result.ts';

/** The meaning of an outcome: its market family, its readable name, and the settlement of the `for` side. */
export interface Rule {
  readonly marketType: string;
  readonly text: string;
  readonly onGrid: boolean;
  /** The settlement, null if the result is of another kind than the outcome. */
  settle(result: EventResult): Settlement | null;
}

export type ScoreResult = Extract<EventResult, { kind: 'score' }>;

/** The settlement by the score of the event's own period. */
export type ScoreRule = (home: number, away: number) => Settlement;

/** Reads the deciding score: of the whole match, or of a part of it. */
export type ScoreReader = (result: ScoreResult) => readonly [home: number, away: number];

export function scoreRule(marketType: string, text: string, read: ScoreReader, decide: ScoreRule): Rule {
  const settle = (result: EventResult): Settlement | null =>
    result.kind === 'score' ? decide(...read(result)) : null;
  return { marketType, text, onGrid: true, settle };
}

export const winIf = (condition: boolean): Settlement => (condition ? WIN : LOSS);

/**
 * Settles a handicap or total by the distance of the result from the line, in quarters of a goal. Half a goal or more
 * wins or loses the whole stake, a quarter half of it, and 0 returns it. A quarter line is therefore the mean of its two
 * neighbours.
 */
export function settleByQuarters(beatenBy: number): Settlement {
  if (beatenBy >= 2) return WIN;
  if (beatenBy <= -2) return LOSS;
  if (beatenBy === 0) return PUSH;
  return beatenBy > 0 ? HALF_WIN : HALF_LOSS;
}

/** A whole number in its only spelling (no plus sign, no leading zeros) and within bounds; else null. */
export function readInteger(text: string | undefined, low: number, high: number): number | null {
  if (text === undefined || !/^(0|-?[1-9]\d{0,8})$/.test(text)) return null;
  const value = Number(text);
  return value >= low && value <= high ? value : null;
}
