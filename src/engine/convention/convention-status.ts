import type { PriceConvention } from '../../domain/odds.ts';
import type { Tally } from './votes.ts';

/**
 * How the convention is known. `configured`: a person said it. `journal`: an earlier run proved it, and the stream has not yet in this
 * run. `stream`: the stream has.
 */
export type HowKnown = 'configured' | 'journal' | 'stream';

/** What is known of the exchange's prices now. */
export interface ConventionStatus {
  /** Null while nothing is known. */
  readonly convention: PriceConvention | null;
  readonly how: HowKnown | null;
  /** The stream proved it in this run. */
  readonly isProven: boolean;
  readonly votes: Tally['votes'];
  /** Why nothing is quoted for this; null if it may be. */
  readonly hold: string | null;
  /** How the stream contradicts what was known; null if it does not. */
  readonly contradiction: string | null;
}
