import { type Random, seededRandom, uniformBetween } from '../../../lib/random.ts';
import type { Market, SimEvent } from '../../core/api.ts';
import type { EventResult } from '../../../domain/bet-types/result.ts';
import type { Agenda } from './agenda.ts';
import { type Character, characterOf } from './character.ts';
import type { EventModel } from './event-model.ts';
import type { Fixture } from './fixtures.ts';
import type { Incident, ModelFeedOptions } from './options.ts';
import { Scoreboard } from './public-view.ts';
import { Trading } from './trading.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Step of match time in a lull, and when the feed begins after the start of a match. */
const CATCH_UP_S = 20;
/** Suspension after a goal or red card, in match time, and its minimum in real time. */
const SUSPENSION_MS = 45_000;
const SHORTEST_SUSPENSION_MS = 2500;
const RESULT_DELAY_MS = 5000;
/** The longest step before the start, as a multiple of the usual: opinion moves seldom when little is traded. */
const LONGEST_STEPS = 60;

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

/** Runs one event: prices before the start, play, incidents, result. */
export class EventRunner {
  readonly event: SimEvent;
  readonly #model: EventModel;
  readonly #context: RunnerContext;
  readonly #random: Random;
  readonly #trading: Trading;
  readonly #scoreboard: Scoreboard;
  readonly #startDelay: number;
  #inPlay = false;
  /** Suspended by an incident, by the start, or because the event is over. */
  #suspended = false;
  /** Suspended by intervention, until an intervention resumes it. */
  #held = false;
  /** An incident has happened and the market has not reopened since. */
  #incident = false;
  #finished = false;
  #settled = false;
  /** Counts reopenings. The scheduled end of an incident's suspension is void once the market has reopened. */
  #reopenings = 0;

  constructor({ key, event, model, liquidity, startDelay }: Fixture, context: RunnerContext) {
    const { options } = context;
    const random = (label: string): Random => seededRandom(options.seed, `${key}:${label}`);
    const { outcomes } = model;
    this.event = event;
    this.#model = model;
    this.#context = context;
    this.#random = random('runner');
    this.#startDelay = startDelay;
    this.#trading = new Trading({
      outcomes,
      liquidity,
      random,
      makers: options.makers,
      places: outcomes.map(({ outcome }) => ({ sport: event.sport, eventId: event.eventId, outcome })),
      characterOf: (phase) => ({ ...characterOf(event.sport, phase), ...options.character }),
      at: (atMs, run) => this.#at(atMs, run),
      isStill: (nowMs) => this.#closed || this.#inLull(nowMs),
    });
    this.#scoreboard = new Scoreboard(event);
  }

  /** Fair log-odds as publicly known; null for an outcome that is not traded. */
  publicFair(outcome: string): number | null {
    const index = this.#model.outcomes.findIndex((known) => known.outcome === outcome);
    return this.#trading.view.known()[index] ?? null;
  }

  /** Opens the event on the market. An event whose start has passed is in play. */
  open(market: Market, nowMs: number): void {
    market.putEvent(this.event, nowMs);
    const elapsedS = ((nowMs - this.event.startTimeMs) * this.#context.options.speed) / 1000;
    for (let s = 0; s < elapsedS && !this.#model.over; s += CATCH_UP_S) this.#model.play(CATCH_UP_S);
    this.#trading.reset(this.#model.fair());
    if (elapsedS >= 0) this.#kickOff(market, nowMs);
    this.#pass(nowMs, 0);
    if (!this.#closed) this.#trading.open(market, this.#model.fair(), nowMs);
    this.#scheduleStep(nowMs);
  }

  /** Ends a lull: all that happened is public, and the makers quote anew. */
  wake(market: Market, nowMs: number): void {
    if (this.#finished || this.#incident) return;
    this.#trading.clear(market, nowMs);
    this.#pass(nowMs, 0);
    if (this.#closed) this.#trading.reset(this.#model.fair());
    else this.#trading.open(market, this.#model.fair(), nowMs);
  }

  /** Takes over an incident of the match that this event is a view of. Both announce it at the same instant. */
  follow(nowMs: number, announcedMs: number): void {
    if (this.#finished || this.#incident || !this.#inPlay || !this.#model.play(0)) return;
    this.#begin(nowMs, announcedMs);
    this.#trading.view.move(this.#model.fair(), 0);
  }

  // Interventions.

  /** Scores once for a team, and shows it at once. The market is suspended after the informed takers' usual time. */
  goal(market: Market, team: 0 | 1, nowMs: number): boolean {
    if (this.#model.goal === undefined) return false;
    const suspends = this.#model.goal(team);
    if (suspends && this.#inPlay && !this.#incident) this.#happen(nowMs);
    // Without a suspension everybody sees it; with one the public learns of it at the end.
    this.#trading.view.move(this.#model.fair(), 1);
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
    this.#trading.clear(market, nowMs);
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
    const atMs = this.#inPlay ? nextMs : Math.min(nextMs, this.#nextStartMs(nowMs));
    this.#trading.schedule(nowMs, atMs);
    this.#at(atMs, (market, dueMs) => {
      this.#step(market, dueMs, dueMs - nowMs);
      this.#scheduleStep(dueMs);
    });
  }

  /** The next instant at which the market is suspended for the start, or starts. */
  #nextStartMs(nowMs: number): number {
    const { startTimeMs } = this.event;
    const suspendMs = startTimeMs - this.#startSuspensionMs;
    return Math.max(nowMs < suspendMs ? suspendMs : startTimeMs, nowMs + 1);
  }

  get #startSuspensionMs(): number {
    const { startSuspensionS } = this.#character;
    return (1000 * startSuspensionS * this.#startDelay) / this.#context.options.speed;
  }

  get #character(): Character {
    const phase = this.#inPlay ? 'in play' : 'before play';
    return { ...characterOf(this.event.sport, phase), ...this.#context.options.character };
  }

  #stepMs(nowMs: number): number {
    const { stepMs, stepInPlayMs, speed } = this.#context.options;
    const leftMs = this.#context.lull.untilMs - nowMs;
    if (leftMs > 0) return this.#inPlay ? Math.min(leftMs, (CATCH_UP_S * 1000) / speed) : leftMs;
    if (this.#inPlay) return stepInPlayMs;
    return stepMs * Math.min(LONGEST_STEPS, Math.max(1, this.#trading.activity ** -0.5));
  }

  #inLull(nowMs: number): boolean {
    return nowMs < this.#context.lull.untilMs;
  }

  #step(market: Market, nowMs: number, sinceMs: number): void {
    if (this.#incident) return;
    this.#pass(nowMs, sinceMs);
    const happened = this.#move(sinceMs * this.#context.options.speed);
    if (happened) this.#happen(nowMs);
    if (!this.#inLull(nowMs)) this.#trading.observe(market, this.#model.fair(), sinceMs, nowMs);
    if (!this.#inPlay) this.#approachStart(market, nowMs);
    if (this.#inPlay) this.#scoreboard.showTime(market, this.#model.state(), nowMs);
    if (!happened) this.#goOn(market, nowMs);
  }

  #pass(nowMs: number, sinceMs: number): void {
    const minutes = ((nowMs - this.event.startTimeMs) * this.#context.options.speed) / MINUTE_MS;
    this.#trading.pass(this.#inPlay ? 'in play' : 'before play', Math.abs(minutes), sinceMs);
  }

  /** Continues after a step without an incident. */
  #goOn(market: Market, nowMs: number): void {
    if (this.#inPlay) this.#scoreboard.showScore(market, this.#model.state(), nowMs);
    if (this.#model.over) this.#finish(market, nowMs);
  }

  #move(matchMs: number): boolean {
    if (this.#inPlay) return this.#model.play(matchMs / 1000);
    const { drift, driftOfActivity, news } = this.#character;
    const hours = (matchMs / HOUR_MS) * drift * this.#trading.activity ** driftOfActivity;
    if (this.#random.next() < news) this.#model.drift(hours / news);
    return false;
  }

  #approachStart(market: Market, nowMs: number): void {
    const { startTimeMs } = this.event;
    if (nowMs >= startTimeMs) this.#kickOff(market, nowMs);
    else if (nowMs >= startTimeMs - this.#startSuspensionMs && !this.#suspended) {
      this.#suspended = true;
      market.setSuspended(this.event, true, nowMs);
    }
  }

  /**
   * The match starts, and a market that was suspended for the start is open. Only then do the quotes from before lapse. A start tells
   * nobody anything: makers quote anew around the same public price.
   */
  #kickOff(market: Market, nowMs: number): void {
    this.#inPlay = true;
    market.goInRunning(this.event, nowMs);
    this.#pass(nowMs, 0);
    if (this.#suspended) this.#resume(market, nowMs);
    if (!this.#closed) this.#trading.clear(market, nowMs);
    if (!this.#closed) this.#trading.requote(nowMs);
    this.#scoreboard.showScore(market, this.#model.state(), nowMs);
    this.#scoreboard.showTime(market, this.#model.state(), nowMs);
  }

  // Incidents: informed takers act before the announcement, which suspends the market.

  #happen(nowMs: number): void {
    const { announceMs } = this.#context.options.incidents;
    const announcedMs = nowMs + uniformBetween(this.#random, ...announceMs);
    this.#begin(nowMs, announcedMs);
    this.#context.onIncident(nowMs, announcedMs);
  }

  #begin(nowMs: number, announcedMs: number): void {
    this.#incident = true;
    this.#trading.view.freeze();
    const { incidents, onIncident } = this.#context.options;
    onIncident(this.#incidentOf(nowMs, announcedMs));
    for (let i = 0; i < incidents.takers; i++) {
      const atMs = uniformBetween(this.#random, nowMs + 200, announcedMs);
      this.#at(atMs, (market, dueMs) => this.#trading.takeInformed(market, dueMs));
    }
    this.#at(announcedMs, (market, dueMs) => this.#announce(market, dueMs));
  }

  #incidentOf(atMs: number, announcedMs: number): Incident {
    const { event } = this;
    const fair = this.#model.fair();
    const byOutcome = this.#model.outcomes.map(({ outcome }, at) => [outcome, fair[at] as number] as const);
    return { event, atMs, announcedMs, state: this.#model.state(), fair: new Map(byOutcome) };
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
    market.setSuspended(this.event, true, nowMs);
    this.#trading.clear(market, nowMs);
  }

  /** All that happened is public when the market opens. */
  #reopen(market: Market, nowMs: number): void {
    this.#resume(market, nowMs);
    this.#trading.reset(this.#model.fair());
    if (!this.#closed) this.#trading.requote(nowMs);
  }

  /** Opens the market unless an intervention holds it. */
  #resume(market: Market, nowMs: number): void {
    this.#reopenings++;
    this.#incident = false;
    this.#suspended = false;
    if (!this.#held) market.setSuspended(this.event, false, nowMs);
  }

  #finish(market: Market, nowMs: number): void {
    this.#suspend(market, nowMs);
    this.#scoreboard.showScore(market, this.#model.state(), nowMs);
    this.#finished = true;
    this.#context.agenda.at(nowMs + RESULT_DELAY_MS, (later, dueMs) => {
      if (!this.#settled) this.end(later, this.#model.result(), dueMs);
    });
  }
}
