import { exponential, normal, type Random, uniformBetween } from '../../../lib/random.ts';
import { fromMicros } from '../../../domain/money.ts';
import { priceOfLogOdds } from '../../../domain/odds.ts';
import { type Direction, opposite } from '../../../domain/selection.ts';
import type { Market, SimOutcome } from '../../core/api.ts';
import { Mood, activityAt } from './activity.ts';
import type { Character, Phase } from './character.ts';
import type { ModelOutcome } from './event-model.ts';
import { Crowd } from './crowd.ts';
import { Maker, type MakerProfile, type Terms } from './maker.ts';
import { PublicView } from './public-view.ts';
import { drawOrder, drawStake, limitOf, Popularity, type StakeOptions, takeUpTo } from './taker.ts';

/** In a thin market makers are slower, and the public learns more slowly, by at most this factor. */
const SLOWEST = 60;
/** Makers quote at most this far from fair, in log-odds. */
const WIDEST = 3.5;
/** Makers lean by at most so many times their distance from fair. */
const MOST_LEANING = 1.5;
const MINUTE_S = 60;

export interface TradingParts {
  readonly outcomes: readonly ModelOutcome[];
  readonly places: readonly SimOutcome[];
  readonly makers: readonly MakerProfile[];
  readonly characterOf: (phase: Phase) => Character;
  /** Activity as a multiple of the usual, beside what the event draws. */
  readonly liquidity: number;
  /** Separate streams of random numbers by label. */
  readonly random: (label: string) => Random;
  /** Calls back at an instant, unless the event is over. */
  readonly at: (atMs: number, run: (market: Market, nowMs: number) => void) => void;
  /** Whether nobody trades at an instant: the market is closed, or the host sleeps. */
  readonly isStill: (nowMs: number) => boolean;
}

/** The book of one event: its makers, those who take because they want to, and those who know better. */
export class Trading {
  readonly view = new PublicView();
  readonly #parts: TradingParts;
  readonly #random: Random;
  readonly #makers: readonly Maker[];
  readonly #crowd: Crowd;
  /** Outcomes by how many takers they have, and by how often makers look at them. */
  readonly #taken: Popularity;
  readonly #watched: Popularity;
  readonly #decided = new Set<number>();
  /** Activity of this event as a multiple of that of others of its competition. */
  readonly #ownActivity: number;
  readonly #mood: Mood;
  /** Per outcome: how much wider makers quote than elsewhere. */
  readonly #widths: readonly Mood[];
  /** By how much makers lean away from what they took on, per outcome, in log-odds. */
  readonly #leaning: Float64Array;
  #character: Character;
  #activity = 1;
  /** Counts clearances of the book. Quotes decided before a clearance are not posted after it. */
  #generation = 0;
  /** Per outcome: the public fair price when all makers last quoted at once. */
  #quoted: Float64Array = new Float64Array();

  constructor(parts: TradingParts) {
    const { outcomes, places, makers, random, characterOf } = parts;
    this.#parts = parts;
    this.#random = random('trading');
    this.#makers = makers.map((profile) => new Maker(profile, outcomes, places, random(profile.name)));
    this.#crowd = new Crowd(places, random('crowd'));
    this.#character = characterOf('before play');
    this.#widths = outcomes.map(() => new Mood(this.#random, this.#character.uneven));
    this.#taken = new Popularity(outcomes, this.#character.arrivalsOfPopularity);
    this.#watched = new Popularity(outcomes, this.#character.requotesOfPopularity);
    this.#ownActivity = Math.exp(this.#character.differs * normal(this.#random));
    this.#leaning = new Float64Array(outcomes.length);
    this.#mood = new Mood(this.#random, this.#character.mood);
  }

  /** How often the truth moves, as a share of how often it does in a market at its busiest. */
  get activity(): number {
    return this.#activity;
  }

  /** A thin market is watched less closely. */
  get #slowness(): number {
    return Math.min(SLOWEST, Math.max(1, this.#activity ** -0.5));
  }

  /** Time passes until `nowMs`, which is this many minutes from the start of the match, or after it. */
  pass(phase: Phase, minutes: number, ms: number): void {
    this.#character = this.#parts.characterOf(phase);
    for (const mood of [this.#mood, ...this.#widths]) mood.pass(ms);
    const upright = Math.exp(-ms / (1_000 * this.#character.leanS));
    for (const [index, leaning] of this.#leaning.entries()) this.#leaning[index] = leaning * upright;
    const { tempo } = this.#character;
    this.#activity =
      activityAt(tempo, minutes) * this.#ownActivity * this.#parts.liquidity * this.#mood.factor;
  }

  /** The truth has moved in the time that passed. */
  observe(market: Market, truth: Float64Array, ms: number, nowMs: number): void {
    this.view.move(truth, 1 - Math.exp(-ms / (1_000 * this.#character.learnS * this.#slowness)));
    this.#withdrawDecided(market, nowMs);
    this.#alarm(nowMs);
  }

  /** Schedules trading until `untilMs`, when activity may be another. */
  schedule(nowMs: number, untilMs: number): void {
    const {
      arrivalsPerMinute,
      informedRate,
      requoteS,
      requotesOfActivity,
      informedOfActivity,
      crowdPerMinute,
    } = this.#character;
    const quoting = this.#makers.length * this.#watched.total;
    const activity = this.#activity;
    const orders = (arrivalsPerMinute / MINUTE_S) * this.#taken.total * activity;
    this.#often(nowMs, untilMs, orders, (market, dueMs) => this.#arrive(market, dueMs));
    this.#often(nowMs, untilMs, informedRate * activity ** informedOfActivity, (market, dueMs) =>
      this.takeInformed(market, dueMs),
    );
    this.#often(nowMs, untilMs, (quoting / requoteS) * activity ** requotesOfActivity, (_market, dueMs) =>
      this.#requoteOne(dueMs),
    );
    const resting = (crowdPerMinute / MINUTE_S) * this.#watched.total * activity ** requotesOfActivity;
    this.#often(nowMs, untilMs, resting, (market, dueMs) => this.#restOne(market, dueMs));
  }

  /** The truth is public, and every maker quotes at once, without latency. */
  open(market: Market, truth: Float64Array, nowMs: number): void {
    this.reset(truth);
    for (const index of this.#parts.outcomes.keys())
      for (const maker of this.#makers)
        maker.post(market, index, maker.decide(index, this.#terms(index)), nowMs);
  }

  /** Every maker quotes as soon as it can. */
  requote(nowMs: number): void {
    for (const index of this.#parts.outcomes.keys()) this.#requote(index, nowMs);
  }

  /** The truth is public, and no maker leans. */
  reset(truth: Float64Array): void {
    this.view.reset(truth);
    this.#leaning.fill(0);
    this.#quoted = truth.slice();
  }

  /** Empties the book. Quotes that are on their way do not arrive. */
  clear(market: Market, nowMs: number): void {
    this.#generation++;
    for (const maker of this.#makers) maker.clear(market, nowMs);
    this.#crowd.clear(market, nowMs);
  }

  /** Backs a selection that the public underestimates, or lays an overestimated one, while that still pays. */
  takeInformed(market: Market, nowMs: number): void {
    if (this.#parts.isStill(nowMs)) return;
    const { informedEdge, informedStake, learnFromTrade } = this.#character;
    const index = this.#mostMispriced();
    const error = this.view.errorOf(index);
    const truth = this.view.truth()[index] ?? NaN;
    if (!(Math.abs(error) > informedEdge)) return;
    const direction: Direction = error > 0 ? 'for' : 'against';
    const limit = truth - Math.sign(error) * informedEdge;
    const stake = drawStake(this.#random, this.#scaled(informedStake, index));
    const at = this.#parts.places[index] as SimOutcome;
    const taken = takeUpTo(market, at, direction, limit, stake, nowMs);
    if (taken === 0) return;
    this.#lean(index, direction, taken);
    this.view.learn(learnFromTrade);
    this.#alarm(nowMs);
  }

  /** Runs something again and again, at a rate per second. */
  #often(nowMs: number, untilMs: number, rate: number, run: (market: Market, nowMs: number) => void): void {
    const atMs = nowMs + 1_000 * exponential(this.#random, rate);
    if (!(atMs < untilMs)) return;
    this.#parts.at(atMs, (market, dueMs) => {
      if (!this.#parts.isStill(dueMs)) run(market, dueMs);
      this.#often(Math.max(dueMs, atMs), untilMs, rate, run);
    });
  }

  // Takers.

  /** Somebody begins to take, and may go on. */
  #arrive(market: Market, nowMs: number): void {
    const { followers, followS } = this.#character;
    const index = this.#taken.pick(this.#random);
    const direction: Direction = this.#random.next() < 0.5 ? 'for' : 'against';
    this.#takeOrder(market, index, direction, nowMs);
    const more = Math.floor(exponential(this.#random, Math.log(1 + 1 / Math.max(1e-9, followers))));
    let atMs = nowMs;
    for (let follower = 0; follower < more; follower++) {
      atMs += 1_000 * exponential(this.#random, 1 / followS);
      this.#parts.at(atMs, (later, dueMs) => {
        if (!this.#parts.isStill(dueMs)) this.#takeOrder(later, index, direction, dueMs);
      });
    }
  }

  #takeOrder(market: Market, index: number, direction: Direction, nowMs: number): void {
    const { accepts, stake, refill } = this.#character;
    const decay = 1 / (accepts * this.#terms(index).half);
    const order = drawOrder(this.#random, { index, direction }, decay, this.#scaled(stake, index));
    const fair = this.view.known()[index] ?? NaN;
    if (!Number.isFinite(fair)) return;
    const at = this.#parts.places[index] as SimOutcome;
    const taken = takeUpTo(market, at, direction, limitOf(order, fair), order.stakeMicros, nowMs);
    if (taken === 0) return;
    this.#lean(index, direction, taken);
    this.#alarm(nowMs);
    if (this.#random.next() >= refill) return;
    for (const maker of this.#makers) maker.refill(market, index, opposite(direction), nowMs);
  }

  /** Stakes on a selection that is less popular are smaller. */
  #scaled(stakes: StakeOptions, index: number): StakeOptions {
    const popularity = this.#parts.outcomes[index]?.popularity ?? 1;
    return { ...stakes, median: stakes.median * popularity ** this.#character.stakeOfPopularity };
  }

  /** Draws a few selections by popularity, and picks the one with the largest public error. */
  #mostMispriced(): number {
    let found = this.#taken.pick(this.#random);
    for (let look = 1; look < this.#character.informedLooks; look++) {
      const other = this.#taken.pick(this.#random);
      if (Math.abs(this.view.errorOf(other)) > Math.abs(this.view.errorOf(found))) found = other;
    }
    return found;
  }

  // Makers.

  #terms(index: number): Terms {
    const { halfSpread, spreadOfActivity, spreadOfPopularity, risk, riskOfActivity, riskOfPopularity } =
      this.#character;
    const popularity = this.#parts.outcomes[index]?.popularity ?? 1;
    const half =
      halfSpread *
      this.#activity ** -spreadOfActivity *
      popularity ** -spreadOfPopularity *
      this.#lineFactor(index);
    const width = this.#widths[index]?.factor ?? 1;
    return {
      logOdds: this.#centre(index),
      half: Math.min(WIDEST, half * width),
      levels: this.#character.levels,
      deeper: this.#character.deeper,
      restless: this.#character.restless,
      presence: this.#activity ** this.#character.presenceOfActivity,
      risk: Math.max(1, risk * this.#activity ** riskOfActivity * popularity ** riskOfPopularity),
    };
  }

  #lineFactor(index: number): number {
    return this.#parts.outcomes[index]?.outcome.startsWith('ah,') ? this.#character.spreadOfLines : 1;
  }

  /** Where makers see the middle: what is fair, and away from what they have taken on. */
  #centre(index: number): number {
    return (this.view.known()[index] ?? NaN) + (this.#leaning[index] as number);
  }

  /** Makers move away from takers, the more of a level these took. */
  #lean(index: number, direction: Direction, takenMicros: number): void {
    const { half, risk } = this.#terms(index);
    const price = priceOfLogOdds(this.view.known()[index] as number);
    const taken = fromMicros(takenMicros) * Math.sqrt(Math.max(0, price - 1));
    const moved = this.#character.lean * half * (1 - Math.exp(-taken / risk));
    const most = MOST_LEANING * half;
    const leaning = (this.#leaning[index] as number) + (direction === 'for' ? moved : -moved);
    this.#leaning[index] = Math.max(-most, Math.min(most, leaning));
  }

  #requoteOne(nowMs: number): void {
    const index = this.#watched.pick(this.#random);
    const maker = this.#makers[Math.floor(this.#random.next() * this.#makers.length)];
    if (maker !== undefined) this.#send(maker, index, nowMs);
  }

  #restOne(market: Market, nowMs: number): void {
    const { crowdRisk, crowdS, riskOfPopularity } = this.#character;
    const index = this.#watched.pick(this.#random);
    const popularity = this.#parts.outcomes[index]?.popularity ?? 1;
    const risk = crowdRisk * popularity ** riskOfPopularity;
    if (this.#decided.has(index)) return;
    const order = this.#crowd.rest(market, index, this.#terms(index), this.#character, risk, nowMs);
    if (order === null) return;
    const restsMs = 1_000 * exponential(this.#random, 1 / (crowdS * this.#slowness));
    this.#parts.at(nowMs + restsMs, (later, dueMs) => {
      if (!this.#parts.isStill(dueMs)) this.#crowd.cancel(later, order, dueMs);
    });
  }

  #requote(index: number, nowMs: number): void {
    for (const maker of this.#makers) this.#send(maker, index, nowMs);
  }

  #send(maker: Maker, index: number, nowMs: number): void {
    if (!maker.quotes(index)) return;
    const quotes = maker.decide(index, this.#terms(index));
    const generation = this.#generation;
    const latencyMs = maker.profile.latencyMs * this.#slowness * uniformBetween(this.#random, 0.7, 1.3);
    this.#parts.at(nowMs + latencyMs, (market, dueMs) => {
      if (generation === this.#generation && !this.#parts.isStill(dueMs))
        maker.post(market, index, quotes, dueMs);
    });
  }

  /** All makers of a selection requote when its public price has moved far. */
  #alarm(nowMs: number): void {
    if (this.#parts.isStill(nowMs)) return;
    for (const index of this.#parts.outcomes.keys()) {
      const centre = this.#centre(index);
      const moved = Math.abs(centre - (this.#quoted[index] as number));
      if (!(moved > this.#character.alarm * this.#terms(index).half)) continue;
      this.#quoted[index] = centre;
      this.#requote(index, nowMs);
    }
  }

  /** Every maker sees when the clock decides a selection, or when an announced incident has decided it. */
  #withdrawDecided(market: Market, nowMs: number): void {
    for (const [index, fair] of this.view.truth().entries()) {
      if (Number.isFinite(fair) || this.#decided.has(index)) continue;
      this.#decided.add(index);
      for (const maker of this.#makers) maker.withdraw(market, index, nowMs);
      this.#crowd.clear(market, nowMs, index);
    }
  }
}
