import type { Character } from './character.ts';
import type { PlayState } from './event-model.ts';
import { type MakerProfile, MAKERS } from './maker.ts';
import type { SimEventName } from '../../core/api.ts';

/** What those who watch a match do with what they know before the market. */
export interface IncidentTerms {
  /** Time from a goal, its annulment or a red card to its announcement, in which informed takers act; in real time. */
  readonly announceMs: readonly [least: number, most: number];
  /** How many of them act in that time. */
  readonly takers: number;
  /** The share of football's goals that is annulled, as by a video referee, and after how much play: least and most, in seconds. */
  readonly annulledShare: number;
  readonly annulledAfterS: readonly [least: number, most: number];
}

/** A goal, its annulment or a red card. The market learns of it at its announcement. */
export interface Incident {
  readonly event: SimEventName;
  /** Wall-clock milliseconds of the incident and of its announcement, which suspends the market. */
  readonly atMs: number;
  readonly announcedMs: number;
  /** The state of play after it. */
  readonly state: PlayState;
  /** Fair log-odds after it, by outcome. They stand until the market is open again. */
  readonly fair: ReadonlyMap<string, number>;
}

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
  readonly incidents: IncidentTerms;
  /** Learns of each incident when it happens, before the market does. */
  readonly onIncident: (incident: Incident) => void;
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
  incidents: { announceMs: [600, 1800], takers: 3, annulledShare: 0, annulledAfterS: [60, 240] },
  onIncident: () => undefined,
  stepMs: 2000,
  stepInPlayMs: 1000,
};
