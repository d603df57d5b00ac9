import { type MakerProfile, MAKERS } from './maker.ts';
import type { TakerOptions } from './taker.ts';

/** Takers who know the truth before it is public. */
export interface InformedOptions {
  /** How much earlier they know it, in wall-clock milliseconds. */
  readonly aheadMs: number;
  /** How often an informed taker looks at an event, per second. */
  readonly rate: number;
  /** How many selections the taker looks at before it chooses the best. */
  readonly looks: number;
  /** Error of the public price, in log-odds, above which the taker acts. */
  readonly edge: number;
  /** Mean stake, USDT. */
  readonly stake: number;
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
  readonly takers: TakerOptions;
  /** Takers' activity in play as a multiple of that before the start. */
  readonly inPlayActivity: number;
  readonly informed: InformedOptions;
  readonly makers: readonly MakerProfile[];
  /** Multiple of the makers' usual smallest bets that they ask for; 0 for no minimum. */
  readonly makerMinimums: number;
  /** Mean time between two requotes of a maker, before the start and in play. */
  readonly requoteMs: number;
  readonly requoteInPlayMs: number;
  /** Time between two moves of the hidden truth, before the start and in play. */
  readonly stepMs: number;
  readonly stepInPlayMs: number;
}

/** A dozen events, makers about four ticks from fair at evens, and a fill every few seconds for a quote inside. */
export const DEFAULTS: Omit<ModelFeedOptions, 'seed' | 'startWallMs'> = {
  speed: 1,
  leadMinutes: 0,
  events: 12,
  takers: { arrivalRate: 0.1, decay: 15, stake: 25 },
  inPlayActivity: 1.5,
  informed: { aheadMs: 4000, rate: 0.3, looks: 5, edge: 0.02, stake: 80 },
  makers: MAKERS,
  makerMinimums: 1,
  requoteMs: 6000,
  requoteInPlayMs: 2500,
  stepMs: 2000,
  stepInPlayMs: 1000,
};
