import { exponential, normal, poisson, type Random, uniformBetween } from '../../../lib/random.ts';
import type { EventResult } from '../../../domain/bet-types/result.ts';
import type { EventModel, ModelOutcome, PlayState } from './event-model.ts';
import type { IncidentTerms } from './options.ts';
import { type PayoffTable, scoreGrid, type ScoreGrid } from './score-grid.ts';

const HALF_S = 45 * 60;
const BREAK_S = 15 * 60;
const FULL_S = 2 * HALF_S + BREAK_S;

const RHO = -0.06;
/** Standard deviation of a team's log scoring rate per square root of an hour, before the start and in play. */
const DRIFT = 0.04;
const DRIFT_IN_PLAY = 0.06;
/** News before the start (a line-up, an injury): number per hour, and standard deviation of a log rate's move. */
const NEWS_PER_HOUR = 1;
const NEWS_SIZE = 0.12;
/** Red cards per team and match, and the factors of one on the rate of its own team and of the other. */
const RED_CARDS = 0.12;
const RED_OWN = 0.65;
const RED_OTHER = 1.25;

type Pair = [home: number, away: number];

type Annulments = Pick<IncidentTerms, 'annulledShare' | 'annulledAfterS'>;
const NO_ANNULMENTS: Annulments = { annulledShare: 0, annulledAfterS: [0, 0] };

/** Expected goals of both teams over a whole match. */
export function drawRates(random: Random): Pair {
  const goals = uniformBetween(random, 2.2, 3.2);
  const share = 0.55 + 0.09 * normal(random);
  const home = goals * Math.min(0.8, Math.max(0.25, share));
  return [home, goals - home];
}

/** A football match: two scoring rates that drift, the goals that follow from them, and red cards. */
export class FootballModel implements EventModel {
  readonly outcomes: readonly ModelOutcome[];
  readonly #random: Random;
  readonly #payoffs: PayoffTable;
  readonly #rates: Pair;
  readonly #score: Pair = [0, 0];
  readonly #reds: Pair = [0, 0];
  #halfTime: Pair = [0, 0];
  /** Hazard left until the next goal and the next red card of each team. */
  readonly #goalHazard: Pair;
  readonly #redHazard: Pair;
  readonly #annulments: Annulments;
  /** A goal that will not stand, and the seconds of play at which it is annulled. */
  #annulment: { readonly team: 0 | 1; readonly playedS: number } | null = null;
  #clockS = 0;

  constructor(random: Random, payoffs: PayoffTable, rates: Pair, annulments = NO_ANNULMENTS) {
    this.#annulments = annulments;
    this.#random = random;
    this.#payoffs = payoffs;
    this.#rates = [...rates];
    this.#goalHazard = [exponential(random, 1), exponential(random, 1)];
    this.#redHazard = [exponential(random, RED_CARDS), exponential(random, RED_CARDS)];
    this.outcomes = footballOutcomes(rates);
  }

  get over(): boolean {
    return this.#clockS >= FULL_S;
  }

  drift(hours: number): void {
    this.#diffuse(DRIFT * Math.sqrt(hours));
    for (const team of [0, 1] as const) {
      const news = poisson(this.#random, NEWS_PER_HOUR * hours);
      for (let i = 0; i < news; i++) this.#rates[team] *= Math.exp(NEWS_SIZE * normal(this.#random));
    }
  }

  play(seconds: number): boolean {
    const before = this.#playedS();
    this.#clockS += seconds;
    if (before < HALF_S) this.#halfTime = [...this.#score];
    const share = (this.#playedS() - before) / (2 * HALF_S);
    if (share === 0) return false;
    this.#diffuse(DRIFT_IN_PLAY * Math.sqrt(seconds / 3600));
    const happened = this.#annul() || this.#advance(0, share) || this.#advance(1, share);
    if (before < HALF_S) this.#halfTime = [...this.#score];
    return happened;
  }

  goal(team: 0 | 1): boolean {
    this.#score[team]++;
    if (!this.halfOver) this.#halfTime = [...this.#score];
    return !this.over;
  }

  /** Probabilities of final scores from the present state. */
  grid(): ScoreGrid {
    const left = 1 - this.#playedS() / (2 * HALF_S);
    const rates = { home: this.#rateOf(0) * left, away: this.#rateOf(1) * left, rho: RHO * left };
    return scoreGrid(rates, this.#score);
  }

  /** Probabilities of half-time scores. */
  halfTimeGrid(): ScoreGrid {
    const left = Math.max(0, HALF_S - this.#playedS()) / (2 * HALF_S);
    const rates = { home: this.#rateOf(0) * left, away: this.#rateOf(1) * left, rho: RHO * left };
    return scoreGrid(rates, this.#halfTime);
  }

  get halfTimeScore(): readonly [home: number, away: number] {
    return [this.#halfTime[0], this.#halfTime[1]];
  }

  /** Whether the first half is over. */
  get halfOver(): boolean {
    return this.#clockS >= HALF_S;
  }

  fair(): Float64Array {
    const grid = this.grid();
    return Float64Array.from(this.outcomes, ({ outcome }) => this.#payoffs.fairLogOdds(outcome, grid));
  }

  state(): PlayState {
    const minutes = Math.floor(this.#playedS() / 60);
    const score = [this.#score[0], this.#score[1]] as const;
    const redCards = [this.#reds[0], this.#reds[1]] as const;
    const atBreak = this.#clockS >= HALF_S && this.#clockS < HALF_S + BREAK_S;
    const period = atBreak ? 'ht' : this.#clockS < HALF_S ? '1h' : '2h';
    return { score, redCards, period, minutes: atBreak ? null : minutes };
  }

  result(): EventResult {
    const [home, away] = this.#score;
    const [halfTimeHome, halfTimeAway] = this.#halfTime;
    return { kind: 'score', home, away, halfTimeHome, halfTimeAway };
  }

  /** Seconds of play so far, without the break. */
  #playedS(): number {
    const second = Math.max(0, Math.min(this.#clockS, FULL_S) - HALF_S - BREAK_S);
    return Math.min(this.#clockS, HALF_S) + second;
  }

  #diffuse(deviation: number): void {
    for (const team of [0, 1] as const) {
      // Half the variance is subtracted, so that the rate itself has no trend.
      this.#rates[team] *= Math.exp(deviation * normal(this.#random) - deviation ** 2 / 2);
    }
  }

  #rateOf(team: 0 | 1): number {
    const [own, other] = team === 0 ? this.#reds : [this.#reds[1], this.#reds[0]];
    return this.#rates[team] * RED_OWN ** own * RED_OTHER ** other;
  }

  /** Uses up a team's hazards by a share of the match. Returns true on a goal or red card. */
  #advance(team: 0 | 1, share: number): boolean {
    this.#goalHazard[team] -= this.#rateOf(team) * share;
    this.#redHazard[team] -= share;
    const goal = this.#goalHazard[team] <= 0;
    const red = this.#redHazard[team] <= 0;
    if (goal) this.#score[team]++;
    if (goal) this.#goalHazard[team] = exponential(this.#random, 1);
    if (goal) this.#doubt(team);
    if (red) this.#reds[team]++;
    if (red) this.#redHazard[team] = exponential(this.#random, RED_CARDS);
    return goal || red;
  }

  /** Decides whether a goal stands. One that would be annulled only in the other half does. */
  #doubt(team: 0 | 1): void {
    const { annulledShare, annulledAfterS } = this.#annulments;
    if (annulledShare === 0 || this.#random.next() >= annulledShare) return;
    const scoredS = this.#playedS();
    const playedS = scoredS + uniformBetween(this.#random, ...annulledAfterS);
    const endS = scoredS < HALF_S ? HALF_S : 2 * HALF_S;
    if (playedS < endS) this.#annulment = { team, playedS };
  }

  /** Takes back a goal whose time has come. Returns whether there was one. */
  #annul(): boolean {
    if (this.#annulment === null || this.#playedS() < this.#annulment.playedS) return false;
    this.#score[this.#annulment.team]--;
    this.#annulment = null;
    return true;
  }
}

/** The selections of a match, with handicaps and totals around the expected ones. */
function footballOutcomes([home, away]: Readonly<Pair>): ModelOutcome[] {
  const handicap = Math.round(4 * (away - home));
  const total = Math.max(4, Math.round(4 * (home + away - 0.2)));
  return [
    ...many(1, ['h', 'd', 'a', 'over,2.5', 'under,2.5']),
    ...many(0.9, [`ah,h,${handicap}`, `ah,a,${handicap}`, `ahover,${total}`, `ahunder,${total}`]),
    ...many(0.5, ['score,both,yes', 'score,both,no', 'over,1.5', 'under,1.5', 'over,3.5', 'under,3.5']),
    ...many(
      0.4,
      [handicap - 2, handicap + 2].flatMap((line) => [`ah,h,${line}`, `ah,a,${line}`]),
    ),
    ...many(0.3, ['dnb,h', 'dnb,a', 'dc,h,d', 'dc,h,a', 'dc,d,a']),
    ...many(
      0.15,
      ['0,0', '1,0', '0,1', '1,1', '2,0', '0,2', '2,1', '1,2'].map((score) => `cs,${score}`),
    ),
    ...many(0.15, ['odd', 'even', 'wm,h,2,inf', 'wm,a,2,inf', 'clean,h', 'clean,a', 'exact_total,2']),
  ];
}

function many(popularity: number, outcomes: readonly string[]): ModelOutcome[] {
  return outcomes.map((outcome) => ({ outcome, popularity }));
}

const OUTCOMES: readonly ModelOutcome[] = [
  'h',
  'd',
  'a',
  'over,0.5',
  'under,0.5',
  'over,1.5',
  'under,1.5',
  'ah,h,0',
  'ah,a,0',
  'score,both,yes',
  'score,both,no',
].map((outcome) => ({ outcome, popularity: 0.4 }));

/**
 * The first half of a football match as an event of its own: sport `fb_ht`, under the event id of the match. This model
 * moves nothing itself: it is a view of the match, whose own runner plays it and reports its incidents.
 */
export class FirstHalfModel implements EventModel {
  readonly outcomes = OUTCOMES;
  readonly #match: FootballModel;
  readonly #payoffs: PayoffTable;
  #seen: string;

  constructor(match: FootballModel, payoffs: PayoffTable) {
    this.#match = match;
    this.#payoffs = payoffs;
    this.#seen = this.#incidents();
  }

  get over(): boolean {
    return this.#match.halfOver;
  }

  drift(): void {
    // The match itself drifts.
  }

  play(): boolean {
    const before = this.#seen;
    this.#seen = this.#incidents();
    return !this.over && this.#seen !== before;
  }

  /** The match has counted the goal. This view shows it unless the half is over. */
  goal(): boolean {
    return this.play();
  }

  fair(): Float64Array {
    const grid = this.#match.halfTimeGrid();
    return Float64Array.from(OUTCOMES, ({ outcome }) => this.#payoffs.fairLogOdds(outcome, grid));
  }

  state(): PlayState {
    return { ...this.#match.state(), score: this.#match.halfTimeScore };
  }

  result(): EventResult {
    const [home, away] = this.#match.halfTimeScore;
    return { kind: 'score', home, away, halfTimeHome: home, halfTimeAway: away };
  }

  #incidents(): string {
    const { score, redCards } = this.#match.state();
    return `${score?.join('-')} ${redCards?.join('-')}`;
  }
}
