import type { Character } from './character.ts';
import { type MakerProfile, MAKERS } from './maker.ts';

export interface ModelFeedOptions {
  readonly seed: number;
  /** Match seconds per second. Trading (arrivals, requotes, latencies) stays in real time. */
  readonly speed: number;
  /** Exchange time at which the market begins. */
  readonly startWallMs: number;
  /** How much later than usual the programme begins, in minutes of match time, for a market before its matches. */
  readonly leadMinutes: number;
  /** How many events there are at any time. */
  readonly events: number;
  /** The sports and starts of the first events, in minutes of match time. */
  readonly opening: readonly (readonly [sport: string, startMinutes: number])[];
  /** The sports of later events, repeated without end; without any, no event follows the first. */
  readonly sequence: readonly string[];
  readonly makers: readonly MakerProfile[];
  /** Multiple of the makers' usual smallest bets that they ask for; 0 for no minimum. */
  readonly makerMinimums: number;
  /** Replaces how every sport trades, in both phases. */
  readonly character: Partial<Character>;
  /** Time between two moves of the hidden truth, before the start at full activity and in play. */
  readonly stepMs: number;
  readonly stepInPlayMs: number;
}

/**
 * The first events by their start, in minutes of match time: two under way, four more of as many sports within the hour, others
 * through the day.
 */
const OPENING: ModelFeedOptions['opening'] = [
  ['fb', -60],
  ['tennis', -25],
  ['fb', 5],
  ['horse', 14],
  ['basket', 25],
  ['cricket', 40],
  ['fb', 65],
  ['fb', 95],
  ['fb', 120],
  ['fb', 160],
  ['fb', 245],
  ['tennis', 290],
];

/** A dozen events, two in play. */
export const DEFAULTS: Omit<ModelFeedOptions, 'seed' | 'startWallMs'> = {
  speed: 1,
  leadMinutes: 0,
  events: OPENING.length,
  opening: OPENING,
  sequence: ['fb', 'fb', 'basket', 'fb', 'tennis', 'fb', 'fb', 'horse', 'fb', 'cricket'],
  makers: MAKERS,
  makerMinimums: 1,
  character: {},
  stepMs: 2000,
  stepInPlayMs: 1000,
};
