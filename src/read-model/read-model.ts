/**
 * Everything that people and programs may know of a run, counted in one place. The model receives each fact once and answers from
 * these facts alone. It reads no clock and queries no other part, so the same facts give the same answers. State that other parts
 * own is passed in as `Readings`.
 */
import type { AccountChange, OrderChange } from '../account/changes.ts';
import { eventKey, type EventName } from '../domain/events.ts';
import type { BetId, EventKey, RequestUuid, SelectionId } from '../domain/ids.ts';
import { isTerminal } from '../domain/lifecycle.ts';
import type { Fill, LiveOrder } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import type { Participants } from '../domain/selection-name.ts';
import type { Direction } from '../domain/selection.ts';
import type { StreamSignal } from '../domain/stream.ts';
import {
  type RefusedQuote,
  RefusedQuotes,
  type StrategyProblem,
  type StrategyThrow,
  StrategyThrows,
} from '../engine/strategy-faults.ts';
import type { Decision, Look } from '../engine/turn.ts';
import { QuoteUptime, type Quoting } from './quote-uptime.ts';
import { type Readiness, readinessOf, type SelectionSides } from './readiness.ts';
import { RecentFills, type RecentOrder, RecentOrders } from './recent.ts';
import { type ErrorsOfStrategy, StrategyErrors } from './strategy-errors.ts';

/** A change of the stream's connection. */
export type ConnectionSignal = Exclude<StreamSignal, { readonly kind: 'frame' }>;

export type Fact =
  | { readonly kind: 'decision'; readonly decision: Decision }
  /** `atMs` is monotonic, `wallMs` of the wall clock. */
  | {
      readonly kind: 'account';
      readonly change: AccountChange;
      readonly atMs: number;
      readonly wallMs: number;
    }
  /** The worth of a fill ten seconds later. */
  | { readonly kind: 'markout10'; readonly betId: BetId; readonly ratio: number }
  /** A frame of the stream; `atMs` is monotonic. */
  | { readonly kind: 'frame'; readonly atMs: number }
  /** A fault of a strategy outside of its answers. `atMs` is monotonic. */
  | { readonly kind: 'fault'; readonly problem: StrategyProblem; readonly atMs: number }
  /** A person lets the account trade again. `atMs` is monotonic. */
  | { readonly kind: 'resumed'; readonly atMs: number }
  | { readonly kind: 'settings'; readonly settings: ShownSettings }
  | { readonly kind: 'connection'; readonly signal: ConnectionSignal }
  /** `titles` are the exchange's names of the registered events, as far as they are known. */
  | {
      readonly kind: 'look';
      readonly look: ChosenNow;
      readonly titles: ReadonlyMap<EventKey, string>;
      /** The teams or runners of these events. Default: they are not known. */
      readonly who?: ReadonlyMap<EventKey, Participants>;
    };

type OrderInstant = Pick<Extract<Fact, { readonly kind: 'account' }>, 'atMs' | 'wallMs'>;

/** The settings that people's numbers depend on. */
export interface ShownSettings {
  /** The exchange's commission on the net winnings of an event, from 0 to 1. */
  readonly commissionRate: number;
  /** The share of the chosen selections below which too few are quoted. */
  readonly minQuotedRatio: number;
}

/** The events and selections that are quoted now. */
export type ChosenNow = Pick<Look, 'events' | 'chosen'>;

/** An event that is quoted now, with its selections. */
export interface ChosenEvent {
  readonly event: EventName;
  readonly selections: readonly SelectionId[];
}

export class ReadModel {
  readonly #uptime: QuoteUptime;
  readonly #throws = new StrategyThrows();
  readonly #refused = new RefusedQuotes();
  readonly #errors = new StrategyErrors();
  /** Orders that have not ended. */
  readonly #orders = new Map<RequestUuid, LiveOrder>();
  /** Keys of the events for which the strategy ever wanted a quote. */
  readonly #wanted = new Set<EventKey>();
  readonly #titles = new Map<EventKey, string>();
  readonly #who = new Map<EventKey, Participants>();
  #chosen: readonly ChosenEvent[] = [];
  readonly #recentOrders = new RecentOrders();
  readonly #recentFills = new RecentFills();
  #lastFrameMs: number | null = null;
  /** The score of each event that is decided on, and the wall-clock instant of the decision that first saw it. */
  readonly #scores = new Map<EventKey, { readonly score: string; readonly sinceMs: number }>();
  #settings: ShownSettings = { commissionRate: 0, minQuotedRatio: 0 };
  #fills = 0;
  #stakeMatchedMicros: Micros = 0;
  #ordersRefused = 0;
  #stream: ConnectionSignal['kind'] = 'connecting';
  #syncs = 0;

  /** `nowMs` is monotonic. */
  constructor(nowMs: number) {
    this.#uptime = new QuoteUptime(nowMs);
  }

  take(fact: Fact): void {
    switch (fact.kind) {
      case 'decision':
        return this.#onDecision(fact.decision);
      case 'account':
        return this.#onAccount(fact);
      case 'markout10':
        return this.#recentFills.mark(fact.betId, fact.ratio);
      case 'frame':
        this.#lastFrameMs = fact.atMs;
        return;
      case 'fault':
        return this.#errors.take(fact.problem, fact.atMs);
      case 'resumed':
        return this.#uptime.onResume(fact.atMs);
      case 'settings':
        this.#settings = fact.settings;
        return;
      case 'connection':
        return this.#onConnection(fact.signal);
      case 'look':
        return this.#onLook(fact.look, fact.titles, fact.who);
    }
  }

  /** The last reported state of the stream's connection. */
  get stream(): string {
    return this.#stream;
  }

  /** Monotonic instant of the last frame of the stream; null before the first. */
  get lastFrameMs(): number | null {
    return this.#lastFrameMs;
  }

  /** Since when the present score of an event has been known, wall-clock milliseconds; null while none is. */
  scoreSinceMs(event: EventName): number | null {
    return this.#scores.get(eventKey(event))?.sinceMs ?? null;
  }

  /** Number of reconnects after the first connection. */
  get reconnects(): number {
    return Math.max(0, this.#syncs - 1);
  }

  /** Own orders that have not ended. */
  get openOrders(): readonly LiveOrder[] {
    return [...this.#orders.values()];
  }

  /** Number of orders that the exchange refused to create. */
  get ordersRefused(): number {
    return this.#ordersRefused;
  }

  get fills(): number {
    return this.#fills;
  }

  get stakeMatchedMicros(): Micros {
    return this.#stakeMatchedMicros;
  }

  /** Number of events for which the strategy ever wanted a quote. */
  get eventsQuoted(): number {
    return this.#wanted.size;
  }

  /** Number of selections that were ever quoted on both sides. */
  get selectionsQuoted(): number {
    return this.#uptime.selectionsQuoted;
  }

  /** Share of the wanted time in which both sides were quoted; `nowMs` is monotonic. */
  twoSidedQuoteRatio(nowMs: number): number {
    return this.#uptime.ratio(nowMs);
  }

  /** Selections that are wanted and quoted now; `nowMs` is monotonic. */
  quoting(nowMs: number): Quoting {
    return this.#uptime.now(nowMs);
  }

  /** How many of the chosen selections are quoted, and what the others wait for. `blocked`: why no order can be placed at all. */
  readiness(reasonOf: SelectionSides['reasonOf'], blocked: string | null): Readiness {
    const chosen = this.#chosen.flatMap(({ selections }) => selections);
    const sides = { isQuoted: this.#quotedSides(), reasonOf };
    return readinessOf(chosen, sides, this.#settings.minQuotedRatio, blocked);
  }

  /** The same of each chosen event. */
  readinessByEvent(
    reasonOf: SelectionSides['reasonOf'],
    blocked: string | null,
  ): ReadonlyMap<EventKey, Readiness> {
    const sides = { isQuoted: this.#quotedSides(), reasonOf };
    const { minQuotedRatio } = this.#settings;
    return new Map(
      this.#chosen.map(({ event, selections }) => [
        eventKey(event),
        readinessOf(selections, sides, minQuotedRatio, blocked),
      ]),
    );
  }

  /** Whether a confirmed order rests on a side of a selection. */
  #quotedSides(): SelectionSides['isQuoted'] {
    const quoted = new Set<string>();
    for (const { state, selectionId, direction } of this.#orders.values())
      if (state === 'live' || state === 'closing') quoted.add(`${selectionId} ${direction}`);
    return (id, direction) => quoted.has(`${id} ${direction}`);
  }

  /** How long the outcome of an order has been unknown, the longest; null if no outcome is. `nowMs` is monotonic. */
  oldestUnknownMs(nowMs: number): number | null {
    return this.#recentOrders.oldestUnknownMs(nowMs);
  }

  /** The newest orders of this run, newest first. */
  get recentOrders(): readonly RecentOrder[] {
    return this.#recentOrders.newest();
  }

  /** As many orders of this run as are kept, newest first. */
  get keptOrders(): readonly RecentOrder[] {
    return this.#recentOrders.newest(Infinity);
  }

  /** The newest fills, newest first. */
  get recentFills(): readonly Fill[] {
    return this.#recentFills.all();
  }

  /** What one of the newest fills had gained ten seconds later, as a share of its stake; null while that is not known. */
  markout10(betId: BetId): number | null {
    return this.#recentFills.markout10(betId);
  }

  /** The exchange's commission on the net winnings of an event. */
  get commissionRate(): number {
    return this.#settings.commissionRate;
  }

  /** In the order in which they were chosen. */
  get chosen(): readonly ChosenEvent[] {
    return this.#chosen;
  }

  /** The strategy's present throw on an event; null if it answers, or is no longer asked. */
  strategyThrows(event: EventName): StrategyThrow | null {
    return this.#throws.on(event);
  }

  /** What the host refuses of the strategy's answers on an event; nothing once the strategy is no longer asked. */
  refusedQuotes(event: EventName): readonly RefusedQuote[] {
    return this.#refused.on(event);
  }

  /** The same on one side of a selection; null for nothing. */
  refusedQuote(event: EventName, id: SelectionId, direction: Direction): RefusedQuote | null {
    return this.#refused.of(event, id, direction);
  }

  /** The errors of each strategy that had any. */
  get strategyErrors(): readonly ErrorsOfStrategy[] {
    return this.#errors.all();
  }

  /** The exchange's latest name of an event; null if the event was not quoted. */
  titleOf(event: EventName): string | null {
    return this.#titles.get(eventKey(event)) ?? null;
  }

  /** The exchange's latest names of an event's teams or runners; null if the event was not quoted. */
  whoOf(event: EventName): Participants | null {
    return this.#who.get(eventKey(event)) ?? null;
  }

  #onDecision(decision: Decision): void {
    const { turn, event, intents, problems } = decision;
    if (intents.length > 0) this.#wanted.add(eventKey(event));
    this.#uptime.want(event, intents, turn.monotonicMs);
    this.#throws.onDecision(decision);
    this.#refused.onDecision(decision);
    this.#noteScore(decision);
    for (const problem of problems) this.#errors.take(problem, turn.monotonicMs);
  }

  #noteScore({ event, view, turn }: Decision): void {
    const score = view?.score ?? null;
    if (score === null) return;
    const [key, written] = [eventKey(event), score.join(':')];
    if (this.#scores.get(key)?.score === written) return;
    this.#scores.set(key, { score: written, sinceMs: Math.round(turn.wallMs) });
  }

  #onAccount({ change, ...at }: Extract<Fact, { readonly kind: 'account' }>): void {
    if (change.kind === 'order') this.#onOrder(change, at);
    else if (change.kind === 'booked') this.#onFill(change.fill);
  }

  #onOrder({ order, before }: OrderChange, { atMs, wallMs }: OrderInstant): void {
    if (isTerminal(order.state)) this.#orders.delete(order.requestUuid);
    else this.#orders.set(order.requestUuid, order);
    if (order.state === 'refused' && before !== 'refused') this.#ordersRefused++;
    this.#uptime.onOrder(order, atMs);
    this.#recentOrders.take(order, atMs, wallMs);
  }

  #onFill(fill: Fill): void {
    this.#fills++;
    this.#stakeMatchedMicros += fill.stakeMicros;
    this.#recentFills.take(fill);
  }

  #onConnection({ kind }: ConnectionSignal): void {
    this.#stream = kind;
    if (kind === 'synced') this.#syncs++;
  }

  #onLook(
    { events, chosen }: ChosenNow,
    titles: ReadonlyMap<EventKey, string>,
    who: ReadonlyMap<EventKey, Participants> = new Map(),
  ): void {
    this.#chosen = events.map((event) => ({ event, selections: chosen.get(eventKey(event)) ?? [] }));
    const asked = new Set(events.map(eventKey));
    this.#throws.keepOnly(asked);
    this.#refused.keepOnly(asked);
    for (const [key, title] of titles) this.#titles.set(key, title);
    for (const [key, participants] of who) this.#who.set(key, participants);
    // Names are kept for the whole run: a position may remain on an event that is no longer quoted.
    for (const names of [this.#titles, this.#who])
      for (const key of names.keys()) if (!asked.has(key) && !this.#wanted.has(key)) names.delete(key);
    for (const key of this.#scores.keys()) if (!asked.has(key)) this.#scores.delete(key);
  }
}
