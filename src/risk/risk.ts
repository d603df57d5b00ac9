import type { Refusal, ReviewOrder } from '../domain/approval.ts';
import { invariant } from '../lib/assert.ts';
import type { BetId, BetType, EventId, RequestUuid, Sport } from '../domain/ids.ts';
import type { Fill, LiveOrder } from '../domain/live-order.ts';
import { priceOf, tickOf } from '../domain/odds.ts';
import type { PlaceOrder, VenueOrder } from '../domain/orders.ts';
import { directionOf, selectionOf } from '../domain/selection.ts';
import { allChecks } from './checks/index.ts';
import type { ReviewContext } from './context.ts';
import { ExposureBook } from './exposure/book.ts';
import type { MarketKnowledge } from './exposure/event-book.ts';
import { foreignOrders } from './exposure/foreign.ts';
import { BetTypeGrids } from './exposure/grids.ts';
import type { Bet } from './exposure/payoffs.ts';
import { liabilityMicros } from './exposure/payoffs.ts';
import { OrderTracker, trackedOf } from './exposure/tracker.ts';
import type { EventFactsOf, ReferenceOf } from './facts.ts';
import type { KillRecord } from './kill-switch.ts';
import { KillSwitch } from './kill-switch.ts';
import type { RiskLimits } from './limits.ts';
import type { ExposureReport } from './report.ts';
import { reportExposure } from './report.ts';
import { createReview } from './review.ts';
import type { EffectiveState, Scope, StateRecord, TradingState } from './trading-states.ts';
import { TradingStates } from './trading-states.ts';

export interface RiskDeps {
  readonly limits: RiskLimits;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Wall-clock milliseconds. */
  readonly wallNow: () => number;
  readonly reference: ReferenceOf;
  readonly eventFacts: EventFactsOf;
  readonly onRefusal?: (order: PlaceOrder, refusals: readonly Refusal[]) => void;
  /** Trading states or the kill switch changed: what `snapshot` answers has to be made durable. */
  readonly onStateChange?: () => void;
}

/** What outlives a restart. Plain data. */
export interface RiskSnapshot {
  readonly kill: KillRecord | null;
  readonly states: readonly StateRecord[];
}

export interface Risk {
  /**
   * The one choke point. An approval counts as an open order from this instant, until `onOrder` tells of it or
   * `release` says that it will never be sent.
   */
  readonly review: ReviewOrder;
  /** An approved order will not be sent after all. */
  release(requestUuid: RequestUuid): void;
  /** Every change of our orders, in the turn in which it happens. */
  onOrder(order: LiveOrder): void;
  /** An order on the account that is not ours: it counts, and is never touched. */
  onForeignOrder(order: VenueOrder): void;
  onFill(fill: Fill): void;
  /** The matched bets of an event (or those named) are settled or void. */
  onSettled(eventId: EventId, betIds?: readonly BetId[]): void;
  /**
   * The exchange's lookup of a bet type: 20 rows of 20 cells, `w` `l` `p` `v`, half outcomes `hw` `hl`; what is not
   * known is a loss. `sport` limits it to that sport. A grid of another size is ignored.
   */
  setGrid(betType: BetType, grid: readonly (readonly string[])[], sport?: Sport): void;
  exposure(): ExposureReport;
  /** What binds in a scope, wider scopes and the kill switch included. */
  state(scope: Scope): TradingState;
  /** The same with who, when and why. */
  effectiveState(scope: Scope): EffectiveState;
  setState(scope: Scope, state: TradingState, by: string, why: string): void;
  /** Stops every order until a person resumes. */
  kill(reason: string, by: string): void;
  resume(reason: string, by: string): void;
  readonly killed: KillRecord | null;
  snapshot(): RiskSnapshot;
  /** Takes over what an earlier run left, before the first order. */
  restore(snapshot: RiskSnapshot): void;
}

/** Risk for one account. Everything is synchronous. */
export function createRisk(deps: RiskDeps): Risk {
  return new AccountRisk(deps);
}

class AccountRisk implements Risk {
  readonly review: ReviewOrder;
  readonly #deps: RiskDeps;
  readonly #grids: BetTypeGrids;
  readonly #book: ExposureBook;
  readonly #tracker: OrderTracker;
  readonly #states = new TradingStates();
  readonly #kill = new KillSwitch();

  constructor(deps: RiskDeps) {
    this.#deps = deps;
    this.#grids = new BetTypeGrids(deps.limits.grids.scoreSports);
    this.#book = new ExposureBook(knowledgeOf(deps, this.#grids), deps.eventFacts);
    this.#tracker = new OrderTracker(this.#book);
    this.review = createReview({
      checks: allChecks(deps.limits),
      contextOf: (order) => this.#contextOf(order),
      onApproved: (context) => this.#reserve(context),
      onRefused: (order, refusals) => deps.onRefusal?.(order, refusals),
    });
  }

  get killed(): KillRecord | null {
    return this.#kill.record;
  }

  release(requestUuid: RequestUuid): void {
    this.#tracker.release(requestUuid);
  }

  onOrder(order: LiveOrder): void {
    this.#tracker.onOrder(trackedOf(order, priceOf(order.tick)));
  }

  onForeignOrder(order: VenueOrder): void {
    for (const tracked of foreignOrders(order)) this.#tracker.onOrder(tracked);
  }

  onFill(fill: Fill): void {
    this.#tracker.onFill(fill);
  }

  onSettled(eventId: EventId, betIds?: readonly BetId[]): void {
    this.#tracker.onSettled(eventId, betIds);
    if (betIds === undefined) this.#states.forgetEvent(eventId);
  }

  setGrid(betType: BetType, grid: readonly (readonly string[])[], sport?: Sport): void {
    if (this.#grids.set(sport ?? null, betType, grid)) this.#book.rebuild();
  }

  exposure(): ExposureReport {
    return reportExposure(this.#book, this.#tracker.open());
  }

  state(scope: Scope): TradingState {
    return this.effectiveState(scope).state;
  }

  effectiveState(scope: Scope): EffectiveState {
    return this.#kill.asState() ?? this.#states.effective(scope);
  }

  setState(scope: Scope, state: TradingState, by: string, why: string): void {
    this.#states.set({ scope, state, by, why, atMs: this.#deps.wallNow() });
    this.#deps.onStateChange?.();
  }

  kill(reason: string, by: string): void {
    if (this.#kill.kill({ by, reason, atMs: this.#deps.wallNow() })) this.#deps.onStateChange?.();
  }

  resume(_reason: string, _by: string): void {
    if (this.#kill.resume()) this.#deps.onStateChange?.();
  }

  snapshot(): RiskSnapshot {
    return { kill: this.#kill.record, states: this.#states.records() };
  }

  restore({ kill, states }: RiskSnapshot): void {
    if (kill !== null) this.#kill.kill(kill);
    for (const record of states) this.#states.set(record);
  }

  #contextOf(order: PlaceOrder): ReviewContext {
    const bet = betOf(order);
    const scope: Scope = { kind: 'selection', eventId: bet.eventId, selectionId: bet.selectionId };
    return {
      order,
      bet,
      tick: tickOf(order.price) ?? 0,
      liabilityMicros: liabilityMicros(bet.direction, bet.stakeMicros, bet.price),
      facts: this.#deps.eventFacts(bet.eventId),
      reference: this.#deps.reference(bet.selectionId),
      state: this.effectiveState(scope),
      exposure: this.#book.preview(bet),
      openOrders: this.#tracker.open(),
      nowMs: this.#deps.now(),
      wallMs: this.#deps.wallNow(),
    };
  }

  #reserve({ order, bet, nowMs }: ReviewContext): void {
    this.#tracker.onOrder({
      key: order.requestUuid,
      orderId: null,
      bet,
      filledMicros: 0,
      ended: false,
      origin: 'approved',
      createdMs: nowMs,
      closing: false,
    });
  }
}

function knowledgeOf({ limits, eventFacts }: RiskDeps, grids: BetTypeGrids): MarketKnowledge {
  const winnerTypes = new Set(limits.grids.winnerMarketTypes);
  return {
    outcomes: (sport, betType) => grids.outcomes(sport, betType),
    winnerMarket: ({ eventId, betType }) => {
      const marketType = eventFacts(eventId)?.marketTypeOf(betType) ?? null;
      return marketType !== null && winnerTypes.has(marketType) ? marketType : null;
    },
  };
}

/** The bet that a well-formed order would become. */
function betOf({ sport, eventId, betType, price, stakeMicros }: PlaceOrder): Bet {
  const selection = selectionOf(sport, eventId, betType);
  const direction = directionOf(betType);
  invariant(selection !== null && direction !== null, 'order without a direction under review', { betType });
  return { selectionId: selection.id, sport, eventId, betType, direction, price, stakeMicros };
}
