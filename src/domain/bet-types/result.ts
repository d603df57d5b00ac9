import type { Settlement } from '../payoff.ts';
import type { Direction } from '../selection.ts';

/**
 * The result of an event. Places are 1-based, absent for non-runners. A place behind the whole field says only that the runner was
 * beaten. `periods` are the scores of sets, games or periods in their order, where they are known.
 */
export type EventResult =
  | {
      readonly kind: 'score';
      readonly home: number;
      readonly away: number;
      readonly halfTimeHome: number;
      readonly halfTimeAway: number;
      readonly periods?: readonly (readonly [home: number, away: number])[];
    }
  | { readonly kind: 'places'; readonly places: ReadonlyMap<number, number> }
  | SettledResult;

/** The settlement of each outcome, whatever happened: a recording states it. Null, and an outcome that is absent, is void. */
export interface SettledResult {
  readonly kind: 'settled';
  readonly settlements: ReadonlyMap<string, Settlement | null>;
}

/** A bet type that parsed (`core/bet-types`). */
export interface ParsedBetType {
  readonly direction: Direction;
  readonly outcome: string;
  readonly marketType: string;
  readonly description: string;
  /** The settlement of the *selection* (the `for` side), null for a result of another kind: the bet is then void. */
  settle(result: EventResult): Settlement | null;
  /** Whether the 20 by 20 grid of final scores decides the bet type. */
  readonly onGrid: boolean;
}

/** A result as a person tells it. Plain data. */
export type ToldResult =
  /** The score of the event of its sport: of a half, for the event of the half. */
  | { readonly kind: 'score'; readonly home: number; readonly away: number }
  /** The team that won an outright. */
  | { readonly kind: 'winner'; readonly teamId: number }
  | { readonly kind: 'void' };

/** A result in words. */
export function toldInWords(told: ToldResult): string {
  if (told.kind === 'score') return `${told.home}-${told.away}`;
  return told.kind === 'void' ? 'void' : `winner ${told.teamId}`;
}
