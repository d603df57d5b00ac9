import { logit } from '../../../domain/odds.ts';
import { normal, poisson, type Random } from '../../../lib/random.ts';
import type { EventResult } from '../../../domain/bet-types/result.ts';
import { type EventModel, type PlayState, TWO_WAY } from './event-model.ts';

export interface LeadSport {
  readonly durationS: number;
  /** Expected scores of one team over the match, and the points of each. */
  readonly scores: number;
  readonly points: number;
  /** Whether the running score is shown. */
  readonly shown: boolean;
  /** Whether the match has two halves, and so a score at half time. */
  readonly halves: boolean;
}

export const BASKET: LeadSport = { durationS: 80 * 60, scores: 40, points: 2, shown: true, halves: true };
/** Runs of both innings together have no meaning as a running score, so none is shown. */
export const CRICKET: LeadSport = { durationS: 180 * 60, scores: 80, points: 2, shown: false, halves: false };

const OVERTIME_S = 300;
/** Deviation of the expected final lead per square root of an hour before the start, as a share of its own. */
const DRIFT = 0.08;
const MOST_CERTAIN = 0.9995;

/**
 * A match of many small scores. Each team's points are a Poisson process; the chance to win follows from a normally
 * distributed final lead. `strength` is the expected final lead in standard deviations.
 */
export class LeadModel implements EventModel {
  readonly outcomes = TWO_WAY;
  readonly closedInPlay = false;
  readonly #random: Random;
  readonly #sport: LeadSport;
  readonly #deviation: number;
  #strength: number;
  readonly #score: [home: number, away: number] = [0, 0];
  #halfTime: readonly [home: number, away: number] = [0, 0];
  #clockS = 0;
  #durationS: number;

  constructor(random: Random, sport: LeadSport, strength: number) {
    this.#random = random;
    this.#sport = sport;
    this.#strength = strength;
    this.#durationS = sport.durationS;
    this.#deviation = sport.points * Math.sqrt(2 * sport.scores);
  }

  get over(): boolean {
    return this.#clockS >= this.#durationS;
  }

  drift(hours: number): void {
    this.#strength += DRIFT * Math.sqrt(hours) * normal(this.#random);
  }

  play(seconds: number): boolean {
    const isFirstHalf = this.#clockS < this.#sport.durationS / 2;
    const share = Math.min(seconds, this.#durationS - this.#clockS) / this.#sport.durationS;
    // Half of the expected lead is added to one team, half subtracted from the other.
    const tilt = (this.#strength * this.#deviation) / (2 * this.#sport.points);
    this.#score[0] += this.#scored(share * (this.#sport.scores + tilt));
    this.#score[1] += this.#scored(share * (this.#sport.scores - tilt));
    if (isFirstHalf) this.#halfTime = [...this.#score];
    this.#clockS += seconds;
    if (this.over && this.#score[0] === this.#score[1]) this.#durationS = this.#clockS + OVERTIME_S;
    return false;
  }

  goal(team: 0 | 1): boolean {
    this.#score[team]++;
    return false;
  }

  fair(): Float64Array {
    const left = Math.max(0, 1 - this.#clockS / this.#durationS);
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

  #scored(mean: number): number {
    return this.#sport.points * poisson(this.#random, Math.max(0, mean));
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
