import { type EventName, isSameEvent } from '../domain/events.ts';
import type { SelectionId } from '../domain/ids.ts';
import type { Micros } from '../domain/money.ts';
import { priceOf } from '../domain/ladder.ts';
import { directionOfKind, liabilityMicros } from '../domain/odds.ts';
import type { JudgedTerms, OrderTerms, PlaceOrder } from '../domain/orders.ts';
import { kindOfIntent, type QuoteIntent } from '../domain/quote-intent.ts';
import { betTypeOf, selectionFrom, selectionId as selectionIdOf, splitBetType } from '../domain/selection.ts';
import { invariant } from '../lib/assert.ts';
import type { Circumstances, Targets } from './admission.ts';
import type { RiskDeps } from './api.ts';
import type { CheckContext, StrategyContext } from './checks/context.ts';
import { referenceProbability } from './checks/prices.ts';
import type { ExposureBook } from './exposure/book.ts';
import { OwnExposure } from './exposure/own-exposure.ts';
import type { Bet } from './exposure/payoffs.ts';
import { TargetBets } from './exposure/target-bets.ts';
import type { OrderTracker } from './exposure/tracker.ts';
import type { Reference } from './facts.ts';
import type { GivingWay } from './giving-way.ts';
import { DriftWatch } from './guards/drift-watch.ts';
import type { Guards } from './guards/index.ts';
import type { Latches } from './latches.ts';
import { Throttles, Turnover } from './limits/rates.ts';
import { type TakenMicros, TakeUse } from './limits/take-use.ts';
import type { LimitsOfStrategies } from './limits/strategy-limits.ts';
import { containing, type Scope, scopeOfSelection, selectionScope } from './states/trading-states.ts';

interface Parts {
  readonly deps: RiskDeps;
  readonly book: ExposureBook;
  readonly tracker: OrderTracker;
  readonly latches: Latches;
  readonly guards: Guards;
  readonly givingWay: GivingWay;
}

/** What takes may lose, for an order that is none. */
const NOTHING: TakenMicros = { event: 0, hour: 0 };

/** Reads, once per order, everything that the checks judge by; keeps the counters that only they need. */
export class ContextBuilder {
  readonly throttles: Throttles;
  readonly turnover: Turnover;
  readonly takes: TakeUse;
  balanceMicros: Micros | null = null;
  strategyLimits: LimitsOfStrategies;
  readonly #parts: Parts;
  readonly #drift: DriftWatch;

  constructor(parts: Parts) {
    const { collar, throttle } = parts.deps.limits;
    this.#parts = parts;
    this.strategyLimits = parts.deps.strategyLimits ?? new Map();
    this.throttles = new Throttles(throttle);
    this.turnover = new Turnover(parts.deps.tradingDays);
    this.takes = new TakeUse(throttle.approvalTtlS * 1_000);
    this.#drift = new DriftWatch(collar.driftWindowS * 1_000);
  }

  build(order: PlaceOrder): CheckContext {
    const bet = betOf(order);
    const { deps, book, tracker } = this.#parts;
    const nowMs = deps.now();
    const wallMs = deps.wallNow();
    const reference = deps.reference(bet.selectionId);
    const openOrders = tracker.open();
    const openCounts = { selection: 0, event: 0, account: openOrders.length };
    for (const other of openOrders) {
      if (isSameEvent(other.bet, bet)) openCounts.event++;
      if (other.bet.selectionId === bet.selectionId) openCounts.selection++;
    }
    return {
      order,
      bet,
      reference,
      nowMs,
      wallMs,
      ...this.#gates(selectionScope(bet)),
      facts: deps.eventFacts(bet),
      liabilityMicros: liabilityMicros(bet.priceKind, bet.stakeMicros, bet.price),
      exposure: book.preview(bet, isOfHedge(order)),
      openOrders,
      openCounts,
      strategy: this.#strategyOf(bet, isOfHedge(order)),
      drift: this.#driftOf(bet, reference, nowMs),
      ordersLastMinute: this.throttles.ordersLastMinute(nowMs),
      takenMicros: order.take === undefined ? NOTHING : this.takes.of(bet, wallMs, order.requestUuid),
      matchedTodayMicros: this.turnover.today(wallMs, nowMs),
      openStakeMicros: tracker.openStakeMicros(),
      balanceMicros: this.balanceMicros,
    };
  }

  /**
   * Samples the consensus of every wanted selection. Orders alone would sample too rarely to show its drift, because they may
   * rest long between two checks. A side that vanishes and returns is no move.
   */
  follow(intents: readonly QuoteIntent[]): void {
    const { reference, now } = this.#parts.deps;
    for (const id of new Set(intents.map(({ selectionId }) => selectionId))) {
      const fair = reference(id)?.fair ?? null;
      if (fair !== null) this.#drift.observe(id, fair, now());
    }
  }

  /** The inputs that decide whether a quote may rest. */
  circumstances(intent: QuoteIntent): Circumstances {
    const { deps, givingWay } = this.#parts;
    const scope = scopeOfSelection(intent.selectionId);
    const isOn = 'eventId' in scope && givingWay.isOn(scope, deps.now());
    const isFirst = isOn && givingWay.isFor(intent, deps.now());
    return { ...this.#gates(scope), givesWay: isFirst ? 'to this' : isOn ? 'to another' : null };
  }

  /** What is at stake with the quotes that an admission lets through. */
  targets(): Targets {
    const { book, tracker } = this.#parts;
    const targets = new TargetBets(book, tracker);
    return {
      reduces(quote) {
        const bet = betOfIntent(quote);
        return bet !== null && targets.reduces(bet, quote.hedge !== undefined);
      },
      letThrough(quote) {
        const bet = betOfIntent(quote);
        if (bet !== null) targets.choose(bet);
      },
    };
  }

  /** A scope with those around it: its event, its strategy. */
  scopesAround(scope: Scope): readonly Scope[] {
    const strategy = scope.kind === 'selection' ? this.#parts.deps.strategyOf?.(scope.selectionId) : null;
    const around = containing(scope);
    return typeof strategy === 'string' ? [...around, { kind: 'strategy', strategy }] : around;
  }

  forget(event: EventName, selectionIds: readonly SelectionId[]): void {
    this.#drift.forgetEvent(event);
    this.throttles.forget(selectionIds);
  }

  #gates(scope: Scope): Pick<CheckContext, 'state' | 'alarms'> {
    const scopes = this.scopesAround(scope);
    return { state: this.#parts.latches.effective(scopes), alarms: this.#parts.guards.of(scopes) };
  }

  /** The limits of the order's strategy, and what it holds already; null if it has none of its own. */
  #strategyOf(bet: Bet, isHedge: boolean): StrategyContext | null {
    const { deps, book, tracker } = this.#parts;
    const { strategyOf } = deps;
    const name = strategyOf?.(bet.selectionId) ?? null;
    const limits = name === null ? undefined : this.strategyLimits.get(name);
    if (name === null || limits === undefined) return null;
    if ([limits.eventUsdt, limits.totalUsdt, limits.openOrders].every((limit) => limit === null)) return null;
    const isOwn = (selectionId: SelectionId): boolean => strategyOf?.(selectionId) === name;
    return { name, limits, own: new OwnExposure({ bet, isHedge }, book, tracker, isOwn) };
  }

  #driftOf({ selectionId }: Bet, reference: Reference | null, nowMs: number): number {
    const probability = reference === null ? null : referenceProbability(reference);
    if (probability !== null) this.#drift.observe(selectionId, probability, nowMs);
    return this.#drift.driftOf(selectionId, nowMs);
  }
}

/** Whether an order is a bet of a hedge. */
export const isOfHedge = ({ take }: Pick<JudgedTerms, 'take'>): boolean => take?.hedge !== undefined;

/** The bet that a well-formed order would become. */
export function betOf({ sport, eventId, betType, priceKind, price, stakeMicros }: OrderTerms): Bet {
  const parts = splitBetType(betType);
  invariant(parts !== null, 'an order without a direction cannot be judged', { betType });
  const selectionId = selectionIdOf(sport, eventId, parts.outcome);
  const direction = directionOfKind(priceKind);
  return { selectionId, sport, eventId, betType, direction, priceKind, price, stakeMicros };
}

/** The bet that the order of an intent would become; null if its selection names no event. */
function betOfIntent(intent: QuoteIntent): Bet | null {
  const { selectionId, direction, tick, stakeMicros } = intent;
  const selection = selectionFrom(selectionId);
  if (selection === null) return null;
  const { sport, eventId, outcome } = selection;
  const betType = betTypeOf(direction, outcome);
  const priceKind = kindOfIntent(intent);
  return { selectionId, sport, eventId, betType, direction, priceKind, price: priceOf(tick), stakeMicros };
}
