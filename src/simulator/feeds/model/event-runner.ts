import { type Random, seededRandom, uniformBetween } from '../../../lib/random.ts';
import type { Market, SimEvent, SimOutcome } from '../../core/api.ts';
import type { EventResult } from '../../../domain/bet-types/result.ts';
import type { Agenda } from './agenda.ts';
import type { EventModel } from './event-model.ts';
import type { Fixture } from './fixtures.ts';
import { Maker } from './maker.ts';
import type { ModelFeedOptions } from './options.ts';
import { PublicView, Scoreboard } from './public-view.ts';
import { drawStake, Takers, takeUpTo } from './taker.ts';

const HOUR_MS = 3_600_000;
/** Step of match time in a lull, and when the feed begins after the start of a match. */
const CATCH_UP_S = 20;
/** Time from a goal to its announcement, in which informed takers act. */
const ANNOUNCE_MS = [600, 1800] as const;
/** Suspension after a goal or red card, in match time, and its minimum in real time. */
const SUSPENSION_MS = 45_000;
const SHORTEST_SUSPENSION_MS = 2500;
const RESULT_DELAY_MS = 5000;
/** All makers requote at once when a fair price has moved this far, in log-odds. */
const ALARMING_MOVE = 0.06;
/** Factor by which makers widen their quotes in play. */
const WIDEN_IN_PLAY = 1.4;

/** The host slept: nothing is traded until `untilMs`, and matches are played in coarse steps. */
export interface Lull {
  untilMs: number;
}

export interface RunnerContext {
  readonly agenda: Agenda;
  readonly options: ModelFeedOptions;
  readonly lull: Lull;
  /** Called on an incident, which will be announced. */
  readonly onIncident: (nowMs: number, announcedMs: number) => void;
  /** Called when the event was settled. */
  readonly onSettled: (market: Market, nowMs: number) => void;
}

/** Runs one event with its makers and takers: prices before the start, play, incidents, result. */
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
  /** Suspended by an incident, by the start of a race, or because the event is over. */
  #suspended = false;
  /** Suspended by intervention, until an intervention resumes it. */
  #held = false;
  /** An incident has happened and the market has not reopened since. */
  #incident = false;
  #finished = false;
  #settled = false;
  /** Counts clearances of the book. Quotes decided before a clearance are not posted after it. */
  #generation = 0;
  /** Counts reopenings. The scheduled end of an incident's suspension is void once the market has reopened. */
  #reopenings = 0;
  /** The public fair prices when all makers last quoted at once. */
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

  /** Fair log-odds as publicly known; null for an outcome that is not traded. */
  publicFair(outcome: string, nowMs: number): number | null {
    const index = this.#model.outcomes.findIndex((known) => known.outcome === outcome);
    return this.#view.at(nowMs)[index] ?? null;
  }

  /** Opens the event on the market. An event whose start has passed is in play. */
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

  /** Ends a lull: all that happened is public, and the makers quote anew. */
  wake(market: Market, nowMs: number): void {
    if (this.#finished || this.#incident) return;
    this.#generation++;
    for (const maker of this.#makers) maker.clear(market, nowMs);
    this.#view.reset(nowMs, this.#model.fair());
    this.#quotedFair = this.#view.at(nowMs);
    if (!this.#closed) this.#postAll(market, nowMs);
  }

  /** Takes over an incident of the match that this event is a view of. Both announce it at the same instant. */
  follow(nowMs: number, announcedMs: number): void {
    if (this.#finished || this.#incident || !this.#inPlay || !this.#model.play(0)) return;
    this.#begin(nowMs, announcedMs);
    this.#view.push(nowMs, this.#model.fair());
  }

  // Interventions.

  /** Scores once for a team, and shows it at once. The market is suspended after the informed takers' usual time. */
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

  /** Opens the market, whatever has suspended it. */
  release(market: Market, nowMs: number): void {
    this.#held = false;
    this.#generation++;
    this.#reopen(market, nowMs);
  }

  /** Starts the match now, unless it is under way. */
  start(market: Market, nowMs: number): void {
    if (!this.#inPlay) this.#kickOff(market, nowMs);
  }

  /** Ends the event for good: with its result, or void when that is null. */
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

  /** Continues after a step without an incident. */
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

  // Incidents: informed takers act before the announcement, which suspends the market.

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

  /** Schedules trading after a wait. A wait that ends in a lull starts again when the lull is over. */
  #afterWait(nowMs: number, waitMs: number, run: (market: Market, nowMs: number) => void): void {
    this.#at(nowMs + waitMs, (market, dueMs) => {
      if (this.#inLull(dueMs)) this.#afterWait(this.#context.lull.untilMs, waitMs, run);
      else run(market, dueMs);
    });
  }

  // Makers.

  /** Posts quotes at once, without the makers' latency. */
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

  /** Every maker sees when the clock decides a selection, or when an announced incident has decided it. */
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

  /** Backs a selection that the public underestimates, or lays an overestimated one, while that still pays. */
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

  /** Draws a few selections by popularity, and picks the one with the largest public error. */
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
