import { logit } from '../../../domain/odds.ts';
import { normal, poisson, type Random, uniformBetween } from '../../../lib/random.ts';
import type { EventResult } from '../../../domain/bet-types/result.ts';
import { type EventModel, type ModelOutcome, type PlayState, twoWay } from './event-model.ts';

export interface LeadSport {
  readonly durationS: number;
  /** The longest match is longer by this share, the shortest shorter. */
  readonly varies: number;
  /** Expected scores of one team over the match, and the points of each. */
  readonly scores: number;
  readonly points: number;
  /** The same of what decides more at once, such as wickets. */
  readonly turns: number;
  readonly turnPoints: number;
  /** Below 1 more is decided late: what is undecided falls as this power of the time that is left. */
  readonly late: number;
  /** Whether the running score is shown. */
  readonly shown: boolean;
  /** Whether the match has two halves, and so a score at half time. */
  readonly halves: boolean;
}

export const BASKET: LeadSport = {
  durationS: 80 * 60,
  varies: 0,
  scores: 40,
  points: 2,
  turns: 0,
  turnPoints: 0,
  late: 1,
  shown: true,
  halves: true,
};
/** The worth of balls and wickets to a side, in points of no meaning as a running score, so none is shown. */
export const CRICKET: LeadSport = {
  durationS: 220 * 60,
  varies: 0.15,
  scores: 600,
  points: 1,
  turns: 8,
  turnPoints: 6,
  late: 0.4,
  shown: false,
  halves: false,
};

const OVERTIME_S = 300;
/** Deviation of the expected final lead per square root of an hour before the start, as a share of its own. */
const DRIFT = 0.08;
const MOST_CERTAIN = 0.9995;

/**
 * A match of many small scores. Each team's points are a Poisson process; the chance to win follows from a normally
 * distributed final lead. `strength` is the expected final lead in standard deviations.
 */
export class LeadModel implements EventModel {
  readonly outcomes: readonly ModelOutcome[];
  readonly #random: Random;
  readonly #sport: LeadSport;
  readonly #deviation: number;
  #strength: number;
  readonly #score: [home: number, away: number] = [0, 0];
  #halfTime: readonly [home: number, away: number] = [0, 0];
  #clockS = 0;
  /** The match without overtime, and with it. */
  readonly #matchS: number;
  #durationS: number;
  /** When overtime began; 0 before it. */
  #overtimeS = 0;

  constructor(random: Random, sport: LeadSport, strength: number) {
    this.#random = random;
    this.#sport = sport;
    this.#strength = strength;
    this.outcomes = twoWay(random, strength >= 0);
    this.#matchS = sport.durationS * uniformBetween(random, 1 - sport.varies, 1 + sport.varies);
    this.#durationS = this.#matchS;
    this.#deviation = Math.sqrt(2 * (sport.scores * sport.points ** 2 + sport.turns * sport.turnPoints ** 2));
  }

  get over(): boolean {
    return this.#clockS >= this.#durationS;
  }

  drift(hours: number): void {
    this.#strength += DRIFT * Math.sqrt(hours) * normal(this.#random);
  }

  play(seconds: number): boolean {
    const isFirstHalf = this.#clockS < this.#sport.durationS / 2;
    const { scores, points, turns, turnPoints } = this.#sport;
    const share = this.#undecided(this.#clockS) - this.#undecided(this.#clockS + seconds);
    // Half of the expected lead is added to one team, half subtracted from the other.
    const tilt = (this.#strength * this.#deviation) / (2 * points);
    this.#score[0] += points * this.#count(share * (scores + tilt)) + turnPoints * this.#count(share * turns);
    this.#score[1] += points * this.#count(share * (scores - tilt)) + turnPoints * this.#count(share * turns);
    if (isFirstHalf) this.#halfTime = [...this.#score];
    this.#clockS += seconds;
    if (this.over && this.#score[0] === this.#score[1]) {
      // As much happens in overtime as in so much of a match.
      this.#overtimeS = this.#clockS;
      this.#durationS = this.#clockS + OVERTIME_S;
    }
    return false;
  }

  goal(team: 0 | 1): boolean {
    this.#score[team]++;
    return false;
  }

  fair(): Float64Array {
    const left = this.#undecided(this.#clockS);
    const expected = this.#score[0] - this.#score[1] + this.#strength * this.#deviation * left;
    // The 0.5 avoids a division by zero at the end.
    const chance = normalCdf(expected / (this.#deviation * Math.sqrt(left) + 0.5));
    const home = logit(Math.min(MOST_CERTAIN, Math.max(1 - MOST_CERTAIN, chance)));
    return Float64Array.of(home, -home);
  }

  state(): PlayState {
    const score = this.#sport.shown ? ([this.#score[0], this.#score[1]] as const) : null;
    return { score, redCards: null, period: 'play', minutes: Math.floor(this.#clockS / 60) };
  }

  result(): EventResult {
    const [home, away] = this.#score;
    const shown = this.#sport.shown
      ? { home, away }
      : { home: home > away ? 1 : 0, away: home > away ? 0 : 1 };
    const [halfTimeHome, halfTimeAway] = this.#sport.halves ? this.#halfTime : [0, 0];
    return { kind: 'score', ...shown, halfTimeHome, halfTimeAway };
  }

  /** The share of the match that is to come, by what happens in it. */
  #undecided(clockS: number): number {
    const leftS = Math.max(0, this.#durationS - clockS);
    return this.#overtimeS > 0 ? leftS / this.#matchS : (leftS / this.#matchS) ** this.#sport.late;
  }

  #count(mean: number): number {
    return poisson(this.#random, Math.max(0, mean));
  }
}

/** Standard normal distribution function, to 1e-7 (Abramowitz and Stegun 26.2.17). */
export function normalCdf(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const polynomial =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
  return x >= 0 ? 1 - tail : tail;
}
