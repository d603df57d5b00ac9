import { type Random, seededRandom, uniformBetween } from '../../../lib/random.ts';
import type { EventResult, Market, SimEvent, SimOutcome } from '../../core/api.ts';
import type { Agenda } from './agenda.ts';
import type { EventModel } from './event-model.ts';
import type { Fixture } from './fixtures.ts';
import { Maker } from './maker.ts';
import type { ModelFeedOptions } from './options.ts';
import { PublicView } from './public-view.ts';
import { Scoreboard } from './scoreboard.ts';
import { drawStake, Takers, takeUpTo } from './taker.ts';

const HOUR_MS = 3_600_000;
/** Step of match time in which a match that was under way at the beginning is caught up with, and of a lull. */
const CATCH_UP_S = 20;
/** From a goal to its being announced: what informed takers have. */
const ANNOUNCE_MS = [600, 1800] as const;
/** Suspension after a goal or red card, in match time, and its shortest in real time. */
const SUSPENSION_MS = 45_000;
const SHORTEST_SUSPENSION_MS = 2500;
const RESULT_DELAY_MS = 5000;
/** Makers do not wait for their turn when a fair price has moved this far, in log-odds. */
const ALARMING_MOVE = 0.06;
/** How much wider makers quote in play. */
const WIDEN_IN_PLAY = 1.4;

/** Until then nobody trades and matches are played in coarse steps: the host slept. */
export interface Lull {
  untilMs: number;
}

export interface RunnerContext {
  readonly agenda: Agenda;
  readonly options: ModelFeedOptions;
  readonly lull: Lull;
  /** Called when something happened that will be announced. */
  readonly onIncident: (nowMs: number, announcedMs: number) => void;
  /** Called when the event was settled. */
  readonly onSettled: (market: Market, nowMs: number) => void;
}

/** Takes one event through its life: opinion before the start, play, incidents, result; with its makers and takers. */
export class EventRunner {
  readonly event: SimEvent;
  readonly #model: EventModel;
  readonly #context: RunnerContext;
  readonly #random: Random;
  readonly #makers: readonly Maker[];
  readonly #takers: Takers;
  readonly #places: readonly SimOutcome[];
  readonly #view: PublicView;
  readonly #scoreboard: Scoreboard;
  readonly #decided = new Set<number>();
  #inPlay = false;
  /** By an incident, by the start of a race, or because it is over. */
  #suspended = false;
  /** By a hand from outside, until that hand lifts it. */
  #held = false;
  /** An incident has happened and the market has not reopened since. */
  #incident = false;
  #finished = false;
  #settled = false;
  /** Counts clearances of the book: quotes decided before one are not posted after it. */
  #generation = 0;
  /** A suspension of the market's own ends by itself unless it was cut short. */
  #reopenings = 0;
  /** What was publicly fair when makers last quoted all at once. */
  #quotedFair: Float64Array = new Float64Array();

  constructor({ key, event, model, liquidity }: Fixture, context: RunnerContext) {
    const { options } = context;
    const random = (label: string): Random => seededRandom(options.seed, `${key}:${label}`);
    const { outcomes } = model;
    const places = outcomes.map(({ outcome }) => ({ sport: event.sport, eventId: event.eventId, outcome }));
    this.event = event;
    this.#model = model;
    this.#context = context;
    this.#random = random('runner');
    this.#places = places;
    this.#makers = options.makers.map((profile) => {
      const scaled = { ...profile, stake: profile.stake * liquidity };
      return new Maker(scaled, outcomes, places, random(profile.name));
    });
    const takers = { ...options.takers, arrivalRate: options.takers.arrivalRate * liquidity };
    this.#takers = new Takers(takers, outcomes, places, random('takers'));
    this.#view = new PublicView(options.informed.aheadMs);
    this.#scoreboard = new Scoreboard(event);
  }

  /** Fair log-odds as publicly known, null for an outcome that is not traded. */
  publicFair(outcome: string, nowMs: number): number | null {
    const index = this.#model.outcomes.findIndex((known) => known.outcome === outcome);
    return this.#view.at(nowMs)[index] ?? null;
  }

  /** Brings the event to the market; one whose start has passed is under way. */
  open(market: Market, nowMs: number): void {
    market.putEvent(this.event, nowMs);
    const elapsedS = ((nowMs - this.event.startTimeMs) * this.#context.options.speed) / 1000;
    for (let s = 0; s < elapsedS && !this.#model.over; s += CATCH_UP_S) this.#model.play(CATCH_UP_S);
    this.#view.reset(nowMs, this.#model.fair());
    if (elapsedS >= 0) this.#kickOff(market, nowMs);
    this.#quotedFair = this.#view.at(nowMs);
    if (!this.#closed) this.#postAll(market, nowMs);
    for (const maker of this.#makers) this.#scheduleRequote(maker, nowMs);
    this.#scheduleStep(nowMs);
    this.#scheduleTaker(nowMs);
    this.#scheduleInformed(nowMs);
  }

  /** After a lull: what happened is known to all, and the makers quote anew. */
  wake(market: Market, nowMs: number): void {
    if (this.#finished || this.#incident) return;
    this.#generation++;
    for (const maker of this.#makers) maker.clear(market, nowMs);
    this.#view.reset(nowMs, this.#model.fair());
    this.#quotedFair = this.#view.at(nowMs);
    if (!this.#closed) this.#postAll(market, nowMs);
  }

  /** What happened in the match that this is a view of happened here, and is announced in the same instant. */
  follow(nowMs: number, announcedMs: number): void {
    if (this.#finished || this.#incident || !this.#inPlay || !this.#model.play(0)) return;
    this.#begin(nowMs, announcedMs);
    this.#view.push(nowMs, this.#model.fair());
  }

  // Hands from outside.

  /** One more for a team, told at once; informed takers have the usual moment before the market is suspended. */
  goal(market: Market, team: 0 | 1, nowMs: number): boolean {
    if (this.#model.goal === undefined) return false;
    const suspends = this.#model.goal(team);
    if (suspends && this.#inPlay && !this.#incident) this.#happen(nowMs);
    this.#view.push(nowMs, this.#model.fair());
    this.#scoreboard.showScore(market, this.#model.state(), nowMs);
    return true;
  }

  /** Suspends the market until `release`, whatever happens in the match. */
  hold(market: Market, nowMs: number): void {
    this.#held = true;
    this.#close(market, nowMs);
  }

  /** Opens the market, whatever had suspended it. */
  release(market: Market, nowMs: number): void {
    this.#held = false;
    this.#generation++;
    this.#reopen(market, nowMs);
  }

  /** Starts the match now, unless it is under way. */
  start(market: Market, nowMs: number): void {
    if (!this.#inPlay) this.#kickOff(market, nowMs);
  }

  /** Ends the event for good: by its result, or void without one. */
  end(market: Market, result: EventResult | null, nowMs: number): void {
    if (this.#settled) return;
    this.#finished = true;
    this.#settled = true;
    if (result === null) market.voidEvent(this.event, nowMs);
    else market.settle(this.event, result, nowMs);
    this.#context.onSettled(market, nowMs);
  }

  get #closed(): boolean {
    return this.#suspended || this.#held;
  }

  #at(atMs: number, run: (market: Market, nowMs: number) => void): void {
    this.#context.agenda.at(atMs, (market, nowMs) => {
      if (!this.#finished) run(market, nowMs);
    });
  }

  // The hidden truth.

  #scheduleStep(nowMs: number): void {
    const nextMs = nowMs + this.#stepMs(nowMs);
    const atMs = this.#inPlay ? nextMs : Math.min(nextMs, Math.max(this.event.startTimeMs, nowMs + 1));
    this.#at(atMs, (market, dueMs) => {
      this.#step(market, dueMs, dueMs - nowMs);
      this.#scheduleStep(dueMs);
    });
  }

  #stepMs(nowMs: number): number {
    const { stepMs, stepInPlayMs, speed } = this.#context.options;
    const leftMs = this.#context.lull.untilMs - nowMs;
    if (leftMs <= 0) return this.#inPlay ? stepInPlayMs : stepMs;
    return this.#inPlay ? Math.min(leftMs, (CATCH_UP_S * 1000) / speed) : leftMs;
  }

  #inLull(nowMs: number): boolean {
    return nowMs < this.#context.lull.untilMs;
  }

  #step(market: Market, nowMs: number, sinceMs: number): void {
    if (this.#incident) return;
    const happened = this.#move(sinceMs * this.#context.options.speed);
    if (happened) this.#happen(nowMs);
    if (!this.#inLull(nowMs)) this.#view.push(nowMs, this.#model.fair());
    if (!this.#inPlay && nowMs >= this.event.startTimeMs) this.#kickOff(market, nowMs);
    if (this.#inPlay) this.#scoreboard.showTime(market, this.#model.state(), nowMs);
    if (!happened) this.#goOn(market, nowMs);
  }

  /** What follows a step in which nothing suspended the market. */
  #goOn(market: Market, nowMs: number): void {
    if (this.#inPlay) this.#scoreboard.showScore(market, this.#model.state(), nowMs);
    if (!this.#inLull(nowMs)) this.#followPrices(market, nowMs);
    if (this.#model.over) this.#finish(market, nowMs);
  }

  #followPrices(market: Market, nowMs: number): void {
    this.#withdrawDecided(market, nowMs);
    const moved = this.#view.movedSince(this.#quotedFair, nowMs) > ALARMING_MOVE;
    if (moved && !this.#closed) this.#requoteAll(nowMs);
  }

  #move(matchMs: number): boolean {
    if (this.#inPlay) return this.#model.play(matchMs / 1000);
    this.#model.drift(matchMs / HOUR_MS);
    return false;
  }

  #kickOff(market: Market, nowMs: number): void {
    this.#inPlay = true;
    market.goInRunning(this.event, nowMs);
    if (this.#model.closedInPlay) this.#suspend(market, nowMs);
    this.#scoreboard.showScore(market, this.#model.state(), nowMs);
    this.#scoreboard.showTime(market, this.#model.state(), nowMs);
  }

  // Incidents: what happened is acted upon before it is announced, and the market is suspended when it is.

  #happen(nowMs: number): void {
    const announcedMs = nowMs + uniformBetween(this.#random, ...ANNOUNCE_MS);
    this.#begin(nowMs, announcedMs);
    this.#context.onIncident(nowMs, announcedMs);
  }

  #begin(nowMs: number, announcedMs: number): void {
    this.#incident = true;
    this.#view.freeze(nowMs);
    for (let i = 0; i < 3; i++) {
      const atMs = uniformBetween(this.#random, nowMs + 200, announcedMs);
      this.#at(atMs, (market, dueMs) => this.#takeInformed(market, dueMs));
    }
    this.#at(announcedMs, (market, dueMs) => this.#announce(market, dueMs));
  }

  #announce(market: Market, nowMs: number): void {
    this.#suspend(market, nowMs);
    this.#scoreboard.showScore(market, this.#model.state(), nowMs);
    const lastsMs = Math.max(SHORTEST_SUSPENSION_MS, SUSPENSION_MS / this.#context.options.speed);
    const reopenings = this.#reopenings;
    this.#at(nowMs + lastsMs, (again, dueMs) => {
      if (reopenings === this.#reopenings) this.#reopen(again, dueMs);
    });
  }

  #suspend(market: Market, nowMs: number): void {
    this.#suspended = true;
    this.#close(market, nowMs);
  }

  #close(market: Market, nowMs: number): void {
    this.#generation++;
    market.setSuspended(this.event, true, nowMs);
    for (const maker of this.#makers) maker.clear(market, nowMs);
  }

  #reopen(market: Market, nowMs: number): void {
    this.#reopenings++;
    this.#incident = false;
    this.#suspended = false;
    this.#view.reset(nowMs, this.#model.fair());
    if (this.#held) return;
    market.setSuspended(this.event, false, nowMs);
    this.#requoteAll(nowMs);
  }

  #finish(market: Market, nowMs: number): void {
    this.#suspend(market, nowMs);
    this.#scoreboard.showScore(market, this.#model.state(), nowMs);
    this.#finished = true;
    this.#context.agenda.at(nowMs + RESULT_DELAY_MS, (later, dueMs) => {
      if (!this.#settled) this.end(later, this.#model.result(), dueMs);
    });
  }

  /** Plans trading after a wait, which begins when a lull is over. */
  #afterWait(nowMs: number, waitMs: number, run: (market: Market, nowMs: number) => void): void {
    this.#at(nowMs + waitMs, (market, dueMs) => {
      if (this.#inLull(dueMs)) this.#afterWait(this.#context.lull.untilMs, waitMs, run);
      else run(market, dueMs);
    });
  }

  // Makers.

  /** In the book at once, without the latency of a change of mind. */
  #postAll(market: Market, nowMs: number): void {
    const fair = this.#view.at(nowMs);
    for (const maker of this.#makers) maker.post(market, maker.decide(fair, this.#widening), nowMs);
  }

  #scheduleRequote(maker: Maker, nowMs: number): void {
    const { requoteMs, requoteInPlayMs } = this.#context.options;
    const meanMs = this.#inPlay ? requoteInPlayMs : requoteMs;
    this.#afterWait(nowMs, meanMs * uniformBetween(this.#random, 0.6, 1.4), (_market, dueMs) => {
      if (!this.#closed) this.#requote(maker, dueMs);
      this.#scheduleRequote(maker, dueMs);
    });
  }

  get #widening(): number {
    return this.#inPlay ? WIDEN_IN_PLAY : 1;
  }

  #requoteAll(nowMs: number): void {
    if (this.#inLull(nowMs)) return;
    this.#quotedFair = this.#view.at(nowMs);
    for (const maker of this.#makers) this.#requote(maker, nowMs);
  }

  #requote(maker: Maker, nowMs: number): void {
    const sheet = maker.decide(this.#view.at(nowMs), this.#widening);
    const generation = this.#generation;
    const latencyMs = maker.profile.latencyMs * uniformBetween(this.#random, 0.7, 1.3);
    this.#at(nowMs + latencyMs, (market, dueMs) => {
      if (generation === this.#generation) maker.post(market, sheet, dueMs);
    });
  }

  /** Everybody sees when a selection is decided by the clock, or was by what has been announced. */
  #withdrawDecided(market: Market, nowMs: number): void {
    this.#view.truth().forEach((fair, index) => {
      if (Number.isFinite(fair) || this.#decided.has(index)) return;
      this.#decided.add(index);
      for (const maker of this.#makers) maker.withdraw(market, index, nowMs);
    });
  }

  // Takers.

  #scheduleTaker(nowMs: number): void {
    const activity = this.#inPlay ? this.#context.options.inPlayActivity : 1;
    this.#afterWait(nowMs, (1000 * this.#takers.waitS()) / activity, (market, dueMs) => {
      if (!this.#closed) this.#takers.arrive(market, this.#view.at(dueMs), dueMs);
      this.#scheduleTaker(dueMs);
    });
  }

  #scheduleInformed(nowMs: number): void {
    const waitMs = (-1000 * Math.log(1 - this.#random.next())) / this.#context.options.informed.rate;
    this.#afterWait(nowMs, waitMs, (market, dueMs) => {
      this.#takeInformed(market, dueMs);
      this.#scheduleInformed(dueMs);
    });
  }

  /** Backs what the public holds for less likely than it is, or lays the reverse, where that still pays. */
  #takeInformed(market: Market, nowMs: number): void {
    if (this.#inLull(nowMs)) return;
    const { edge, stake } = this.#context.options.informed;
    const index = this.#mostMispriced(nowMs);
    const truth = this.#view.truth()[index] ?? NaN;
    const error = this.#view.errorAt(index, nowMs);
    const micros = drawStake(this.#random, stake);
    if (this.#closed || !(Math.abs(error) > edge)) return;
    const at = this.#places[index] as SimOutcome;
    if (error > 0) takeUpTo(market, at, 'for', truth - edge, micros, nowMs);
    else takeUpTo(market, at, 'against', truth + edge, micros, nowMs);
  }

  /** Of a few selections, by popularity, the one that the public is most wrong about. */
  #mostMispriced(nowMs: number): number {
    let found = this.#takers.pick();
    for (let look = 1; look < this.#context.options.informed.looks; look++) {
      const other = this.#takers.pick();
      const farther = Math.abs(this.#view.errorAt(other, nowMs)) > Math.abs(this.#view.errorAt(found, nowMs));
      if (farther) found = other;
    }
    return found;
  }
}
