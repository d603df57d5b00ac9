import type { AccountProjection } from '../account/changes.ts';
import type { Approved, ApproveOrder, Refusal } from '../domain/approval.ts';
import type { EventName } from '../domain/events.ts';
import type { ExchangePrices } from '../domain/exchange-prices.ts';
import type { BetType, RequestUuid, SelectionId, Sport } from '../domain/ids.ts';
import type { LiveOrder } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import type { PriceKind } from '../domain/odds.ts';
import type { JudgedTerms, PlaceOrder, Position, VenueOrder } from '../domain/orders.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';
import type { Direction } from '../domain/selection.ts';
import type { TradingDays } from '../lib/trading-day.ts';
import type { Admission } from './admission.ts';
import type { Disagreement, GridComparison } from './exposure/agreement.ts';
import type { OutcomePositions } from './exposure/outcome-positions.ts';
import type { Bet } from './exposure/payoffs.ts';
import type { KeptDispute, PlayReport } from './exposure/reachable.ts';
import type { EventFactsOf, EventPlace, ReferenceOf, WinnerMarket } from './facts.ts';
import type { AlarmNotice, Guards } from './guards/index.ts';
import type { LimitUse } from './limit-uses.ts';
import type { RiskLimits } from './limits/limits.ts';
import type { LimitsOfStrategies } from './limits/strategy-limits.ts';
import type { AccountExposure, EventRisk, ExposureReport, HeldEvent, ScoredBet } from './report.ts';
import type { KillRecord } from './states/kill-switch.ts';
import type { ResultOf, ResultRecord } from './states/loss-watch.ts';
import type { EffectiveState, Scope, StateRecord, TradingState } from './states/trading-states.ts';
import type { StageVerdict, WhyReport } from './why.ts';

export interface RiskDeps {
  readonly limits: RiskLimits;
  /** Limits that single strategies have besides. Default: none. */
  readonly strategyLimits?: LimitsOfStrategies;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Wall-clock milliseconds. */
  readonly wallNow: () => number;
  /** The days of the limits on losses and turnover. Default: days of UTC. */
  readonly tradingDays?: TradingDays;
  /** What the exchange's prices are, now: it may change once it is proven. Default: every price is the price of the selection. */
  readonly exchangePrices?: () => ExchangePrices;
  readonly reference: ReferenceOf;
  readonly eventFacts: EventFactsOf;
  /** Which strategy quotes a selection, or is asked for its first quote; left out where there is only one. */
  readonly strategyOf?: (selectionId: SelectionId) => string | null;
  readonly onRefusal?: (order: PlaceOrder, refusals: readonly Refusal[]) => void;
  readonly onNotice: (notice: RiskNotice) => void;
}

/**
 * A notice for people. `killed`, `kill_explained`, `resumed` and `state` must be made durable, because `restore` needs the
 * last snapshot. After `killed`, and after an alarm or state that stops quotes, resting orders must be closed.
 */
export type RiskNotice =
  | { readonly kind: 'killed'; readonly record: KillRecord }
  /** The kill in force has a new reason. */
  | { readonly kind: 'kill_explained'; readonly record: KillRecord }
  | { readonly kind: 'resumed'; readonly record: KillRecord }
  | { readonly kind: 'state'; readonly record: StateRecord }
  | AlarmNotice;

/** The state that outlives a restart. Plain data. Matched bets are not part of it: the exchange reports fills again. */
export interface RiskSnapshot {
  readonly kill: KillRecord | null;
  readonly states: readonly StateRecord[];
  readonly results: readonly ResultRecord[];
  /** Places of the events on which something was at stake. */
  readonly places: readonly EventPlace[];
  /**
   * Winner markets of the selections of those events. A bet on a selection without one counts by itself until the market is
   * known.
   */
  readonly winnerMarkets: readonly WinnerMarket[];
  /** Events whose score went back a short time ago. Absent without one. */
  readonly disputes?: readonly KeptDispute[];
}

/** What risk tells. Nothing here changes a later verdict. */
export interface RiskRead {
  /**
   * Whether the order certainly reduces risk, or is a bet of a hedge that certainly worsens none (`exposure/reducing.ts`). False while a pending look-up may
   * still net other selections held there (`setGrid`, `setNoGrid`). An order that is open already does not count besides itself.
   */
  reduces(order: JudgedTerms): boolean;
  /** What our matched bets on an event pay, beside what the exchange says that they pay. Changes nothing. */
  comparePayoffs(position: Position): GridComparison;
  /** Whether final scores decide the bets of a sport. */
  hasScores(sport: Sport): boolean;
  /** Events with matched, unsettled bets on an `against` bet type that were booked at prices of this kind. */
  heldAt(kind: PriceKind): readonly EventName[];
  /**
   * Whether the exchange's payoffs agree with our bets as booked, or only with those of `heldAt(from)` read at prices of the kind
   * `to`. Null: with neither, or they cannot be compared.
   */
  compareReadings(position: Position, from: PriceKind, to: PriceKind): 'as booked' | 'read again' | null;
  /**
   * Events on which the exchange should have our position: events with matched bets, none of which is settled.
   * How the exchange shows settled bets is not known.
   */
  positions(): Iterable<EventName>;
  readonly guards: Pick<Guards, 'of' | 'active'>;
  /** Whether a lookup of this bet type would make exposure more exact. */
  wantsGrid(sport: Sport, betType: BetType): boolean;
  exposure(): ExposureReport;
  /** The part of `exposure` that is about the account as a whole; cheap. */
  accountExposure(): AccountExposure;
  /** Every event with bets that are not settled, and the least that these pay over its outcomes; cheap. */
  heldEvents(): readonly HeldEvent[];
  /** What the bets and orders of one event can pay; null if it has none. */
  eventRisk(event: EventName): EventRisk | null;
  /** The held bets of one event by what decides them, and what a stake on further bets would add; null if it has none. */
  outcomePositions(event: EventName, further: readonly Bet[]): OutcomePositions | null;
  /** The held bets of an event that its final score decides, and what each pays in one score. */
  betsAtScore(event: EventName, home: number, away: number): readonly ScoredBet[];
  /** 1 if the selection wins in every final score that the event can still have, 0 if it loses in each; null: that is open, or no score decides it. */
  decided(id: SelectionId): 0 | 1 | null;
  /** Each limit of the whole account beside its use, always the same limits in the same order; cheap. */
  limitUses(): readonly LimitUse[];
  /** Stake matched today, as the limit on turnover counts it. */
  matchedTodayMicros(): Micros;
  /** The state in force in a scope, wider scopes and the kill switch included, with who, when and why. */
  effectiveState(scope: Scope): EffectiveState;
  readonly killed: KillRecord | null;
  /** Trading states that people or limits have set. */
  readonly states: readonly StateRecord[];
  snapshot(): RiskSnapshot;
  /** Whether the strategy wanted a quote there when it was last asked. */
  wants(selectionId: SelectionId, direction: Direction): boolean;
  why(selectionId: SelectionId): WhyReport;
  /** The reason that keeps each direction from being quoted, as in `why`; null when nothing does. */
  stoppedBy(selectionId: SelectionId): WhyReport['reason'];
  /** How many quotes each reason keeps from resting now. */
  reasons(): ReadonlyMap<string, number>;
  /** How often each code has refused an order. */
  refusals(): ReadonlyMap<string, number>;
  /** Notes for `why` the verdict of a stage outside risk on a selection's quotes. No verdict of risk depends on it. */
  note(selectionId: SelectionId, verdict: Omit<StageVerdict, 'atMs'>): void;
  /** Notes that the stage lets the selection through (again). */
  clearNote(
    selectionId: SelectionId,
    stage: StageVerdict['stage'],
    direction: StageVerdict['direction'],
  ): void;
  /** Drops all reasons of a selection that is no longer quoted. */
  forgetReasons(selectionId: SelectionId): void;
}

/** Risk of one account. Synchronous; no method throws on what the outside world says. */
export interface Risk extends RiskRead, AccountProjection {
  /**
   * Every order passes here. An approval counts as an open order at once, until `onOrder` reports the order, `release`
   * drops it, or its time to live ends.
   */
  readonly approve: ApproveOrder;
  /** The reasons why `approve` would refuse an order now, whatever its betslip shows. Noted for `why`, but reserves nothing. */
  precheck(order: PlaceOrder): readonly Refusal[];
  /** Checks an approved order at the last instant before its first byte. Returns the reasons against sending; empty: send. */
  recheck(order: Approved<PlaceOrder>): readonly Refusal[];
  /**
   * Replaces the sections of `LIVE_LIMITS`, and the limits of strategies if they are given, for every later check. Other sections
   * stay as they were. Resting orders stay, and still count.
   */
  setLimits(limits: RiskLimits, strategies?: LimitsOfStrategies): void;
  /** An approved order will not be sent after all. */
  release(requestUuid: RequestUuid): void;
  /**
   * Decides which of the strategy's quotes on these selections may rest; the caller closes the others. Remembers all
   * wanted quotes, for `why`.
   */
  admit(selectionIds: readonly SelectionId[], intents: readonly QuoteIntent[]): Admission;

  /** Takes every change of our orders, in the turn in which it happens. */
  onOrder(order: LiveOrder): void;
  /** Takes an order on the account that is not ours. It counts until it is settled. We never close it. */
  onForeignOrder(order: VenueOrder, settled?: boolean): void;
  /** Takes the state of play of an event, whenever it may have changed. */
  onPlay(report: PlayReport): void;
  /** The event is over: nothing on it can lose anything more. */
  onEventOver(event: EventName): void;
  /** Takes profit and loss so far, marked to the market and counted from any fixed point. Call often. */
  onProfitLoss(of: ResultOf, totalMicros: Micros): void;
  /** The exchange's own position of an event. Returns a disagreement that persisted over several comparisons. */
  onPosition(position: Position): Disagreement | null;
  /** Call about once a second: ends what has expired, and checks what changes with time alone. */
  tick(): void;
  readonly guards: Guards;

  /**
   * The exchange's lookup of a bet type: 20 rows of 20 cells, `w` `l` `p` `v`, half outcomes `hw` `hl`; an
   * unknown code is a loss. `sport` limits it to that sport. A grid of another size is ignored.
   */
  setGrid(betType: BetType, grid: readonly (readonly string[])[], sport?: Sport): void;
  /**
   * The exchange has no such grid: bets of that type count separately for good. They counted separately at approval, too, so
   * no limit relied on a grid, and an order that improves their sum reduces.
   */
  setNoGrid(betType: BetType, sport: Sport): void;

  /** `untilMs`: wall-clock milliseconds at which the state ends by itself; else it stands until it is set again. */
  setState(scope: Scope, state: TradingState, by: string, why: string, untilMs?: number): void;
  /** Halts the account until a person resumes. Does nothing if it is halted. */
  pause(by: string, why: string): void;
  /** Halts a strategy until a person resumes. */
  latchStrategy(strategy: string, by: string, why: string): void;
  /** Stops every order until a person resumes. */
  kill(reason: string, by: string): void;
  /** Replaces the reason of a kill with a later one. Does nothing when `kill` is not the record of the kill in force. */
  explainKill(kill: KillRecord, reason: string, by: string): void;
  /** A person resumes trading: releases the kill switch and every latched limit. */
  resume(reason: string, by: string): void;
  /** Takes over the state of an earlier run. Call before the first order. */
  restore(snapshot: RiskSnapshot): void;
}
