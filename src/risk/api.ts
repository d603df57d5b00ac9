import type { Approved, Refusal, ReviewOrder } from '../domain/approval.ts';
import type { EventName } from '../domain/events.ts';
import type { BetId, BetType, RequestUuid, SelectionId, Sport } from '../domain/ids.ts';
import type { Fill, LiveOrder } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import type { Balance, PlaceOrder, Position, VenueOrder } from '../domain/orders.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';
import type { Direction } from '../domain/selection.ts';
import type { Admission } from './admission.ts';
import type { Disagreement } from './exposure/agreement.ts';
import type { EventFactsOf, EventPlace, ReferenceOf, WinnerMarket } from './facts.ts';
import type { StandingAlarm } from './guards/alarm.ts';
import type { Guards } from './guards/index.ts';
import type { RiskLimits } from './limits/limits.ts';
import type { AccountExposure, ExposureReport } from './report.ts';
import type { KillRecord } from './states/kill-switch.ts';
import type { ResultOf, ResultRecord } from './states/loss-watch.ts';
import type { EffectiveState, Scope, StateRecord, TradingState } from './states/trading-states.ts';
import type { StageVerdict, WhyReport } from './why.ts';

export interface RiskDeps {
  readonly limits: RiskLimits;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Wall-clock milliseconds. */
  readonly wallNow: () => number;
  readonly reference: ReferenceOf;
  readonly eventFacts: EventFactsOf;
  /** Which strategy quotes a selection; left out where there is only one. */
  readonly strategyOf?: (selectionId: SelectionId) => string | null;
  readonly onRefusal?: (order: PlaceOrder, refusals: readonly Refusal[]) => void;
  readonly onNotice: (notice: RiskNotice) => void;
}

/**
 * Something that people must learn of. `killed`, `kill_explained`, `resumed` and `state` have to be made durable: `restore`
 * wants the last snapshot back. After `killed`, and after an alarm or state that stops quotes, resting orders must be closed.
 */
export type RiskNotice =
  | { readonly kind: 'killed'; readonly record: KillRecord }
  /** The kill in force has other words from now on. */
  | { readonly kind: 'kill_explained'; readonly record: KillRecord }
  | { readonly kind: 'resumed'; readonly record: KillRecord }
  | { readonly kind: 'state'; readonly record: StateRecord }
  | { readonly kind: 'alarm' | 'alarm_over'; readonly alarm: StandingAlarm };

/** What outlives a restart. Plain data. Matched bets are not part of it: fills are told anew. */
export interface RiskSnapshot {
  readonly kill: KillRecord | null;
  readonly states: readonly StateRecord[];
  readonly results: readonly ResultRecord[];
  /** Of the events on which something was at stake. Absent in what earlier versions wrote. */
  readonly places?: readonly EventPlace[];
  /** Of the selections of those events; without it their bets count each by itself until they are told. Absent likewise. */
  readonly winnerMarkets?: readonly WinnerMarket[];
}

/** Risk of one account. Synchronous; no method throws on what the outside world says. */
export interface Risk {
  /**
   * The one choke point. An approval counts as an open order from this instant, until `onOrder` tells of it, `release`
   * says that it will never be sent, or its time to live is over.
   */
  readonly review: ReviewOrder;
  /** What `review` would refuse an order for now, whatever its betslip may show; noted likewise, and not open. */
  precheck(order: PlaceOrder): readonly Refusal[];
  /** Whether an approved order may still go, at the last instant before its first byte: no reasons, or why not. */
  recheck(order: Approved<PlaceOrder>): readonly Refusal[];
  /**
   * Other limits from now on, for every order that is judged from now on; only the sections of `LIVE_LIMITS` are taken
   * over. What rests already stays, and counts.
   */
  setLimits(limits: RiskLimits): void;
  /**
   * Whether such an order, filled whole, would certainly make the worst case of its event better: none does while it is not
   * known yet how other selections that are held there hang together (`setGrid`, `setNoGrid`).
   */
  reduces(order: Pick<PlaceOrder, 'sport' | 'eventId' | 'betType' | 'price' | 'stakeMicros'>): boolean;
  /** An approved order will not be sent after all. */
  release(requestUuid: RequestUuid): void;
  /**
   * What may rest of all that the strategy wants on these selections; what is blocked has to be closed. Remembers what
   * was wanted, for `why`.
   */
  admit(selectionIds: readonly SelectionId[], intents: readonly QuoteIntent[]): Admission;

  /** Every change of our orders, in the turn in which it happens. */
  onOrder(order: LiveOrder): void;
  /** An order on the account that is not ours: it counts, until it is settled, and is never touched. */
  onForeignOrder(order: VenueOrder, settled?: boolean): void;
  /** Each matched bet, once or more; after a restart all that are not settled, with their own instants. */
  onFill(fill: Fill): void;
  /** The matched bets of an event (or those named) are settled or void. */
  onSettled(event: EventName, betIds?: readonly BetId[]): void;
  /** Bets that were settled are not: they can lose again. */
  onReopened(betIds: readonly BetId[]): void;
  /** Whether a bet of an order that is not settled stands; one that was taken back can lose nothing. */
  onStanding(betId: BetId, stands: boolean): void;
  /**
   * Whether an order that may work shows a bet as void, each time that it is told of: its stake may be matched again. Until that
   * is over it counts where it would lose alone; it cancels nothing.
   */
  onDoubt(betId: BetId, isVoid: boolean): void;
  onBalance(balance: Balance): void;
  /** Profit and loss so far, marked to the market, counted from any fixed point; often. */
  onProfitLoss(of: ResultOf, totalMicros: Micros): void;
  /** The exchange's own position of an event. Answers a disagreement that has stood for some comparisons. */
  onPosition(position: Position): Disagreement | null;
  /**
   * Where the exchange should have a position like ours: events with matched bets, none of which is settled.
   * What it shows of settled bets is not known.
   */
  positions(): Iterable<EventName>;
  /** Every second or so: ends what is over, and looks at what only time changes. */
  tick(): void;
  readonly guards: Guards;

  /**
   * The exchange's lookup of a bet type: 20 rows of 20 cells, `w` `l` `p` `v`, half outcomes `hw` `hl`; what is not
   * known is a loss. `sport` limits it to that sport. A grid of another size is ignored.
   */
  setGrid(betType: BetType, grid: readonly (readonly string[])[], sport?: Sport): void;
  /**
   * The exchange will never tell of such a grid: bets of that type count by themselves for good. That was so when they were let
   * in, too: no limit was kept by what is not known now, and what makes the sum of them better reduces.
   */
  setNoGrid(betType: BetType, sport: Sport): void;
  /** Whether a lookup of this bet type would make exposure more exact. */
  wantsGrid(sport: Sport, betType: BetType): boolean;
  exposure(): ExposureReport;
  /** The part of `exposure` that is about the account as a whole; cheap. */
  accountExposure(): AccountExposure;

  /** What binds in a scope, wider scopes and the kill switch included, with who, when and why. */
  effectiveState(scope: Scope): EffectiveState;
  setState(scope: Scope, state: TradingState, by: string, why: string): void;
  /** Stops every order until a person resumes. */
  kill(reason: string, by: string): void;
  /** Gives a kill the words that came after it. Does nothing when `kill` is not the record of the kill in force. */
  explainKill(kill: KillRecord, reason: string, by: string): void;
  /** A person's word to go on: releases the kill switch and whatever limits have latched. */
  resume(reason: string, by: string): void;
  readonly killed: KillRecord | null;
  /** Trading states that people or limits have set. */
  readonly states: readonly StateRecord[];
  snapshot(): RiskSnapshot;
  /** Takes over what an earlier run left, before the first order. */
  restore(snapshot: RiskSnapshot): void;

  /** What a stage outside risk made of a selection's quotes. */
  note(selectionId: SelectionId, verdict: Omit<StageVerdict, 'atMs'>): void;
  /** The stage lets the selection through (again). */
  clearNote(
    selectionId: SelectionId,
    stage: StageVerdict['stage'],
    direction: StageVerdict['direction'],
  ): void;
  /** Whether the strategy wanted a quote there when it was last asked. */
  wants(selectionId: SelectionId, direction: Direction): boolean;
  /** The selection is no longer to be quoted: nothing of it is told any more. */
  forgetReasons(selectionId: SelectionId): void;
  why(selectionId: SelectionId): WhyReport;
  /** How many quotes each reason keeps from resting now. */
  reasons(): ReadonlyMap<string, number>;
  /** How often each code has refused an order. */
  refusals(): ReadonlyMap<string, number>;
}
