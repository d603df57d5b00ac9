import { eventKey, type EventName } from '../../domain/events.ts';
import { marketOfOrder } from '../../domain/exchange-prices.ts';
import type { EventKey } from '../../domain/ids.ts';
import { type Fill, isUnintendedTake, unfilledMicros } from '../../domain/live-order.ts';
import { modeOf } from '../../domain/orders.ts';
import { type IntentKey, kindOfIntent, type QuoteIntent } from '../../domain/quote-intent.ts';
import { selectionFrom } from '../../domain/selection.ts';
import { invariant } from '../../lib/assert.ts';
import type { BetslipPool } from '../betslips/pool.ts';
import type { OrderOptions } from '../options.ts';
import type { Closing } from '../outcomes/closing.ts';
import { REASONS } from '../send-gate.ts';
import { lapsesInMs, type OrderContext } from '../state/context.ts';
import type { TrackedOrder } from '../state/own-orders.ts';
import type { Placer } from './placer.ts';
import {
  byKey,
  type HeldOrder,
  type Placing,
  type PlanBasis,
  reconcile,
  type ReconcilePolicy,
  type WaitingQuote,
} from './reconcile.ts';

export interface QuotingParts {
  readonly placer: Placer;
  readonly closing: Closing;
  readonly betslips: BetslipPool;
}

/** The quotes that are wanted on an event. */
interface Targets {
  readonly event: EventName;
  readonly intents: ReadonlyMap<IntentKey, QuoteIntent>;
}

/** A quote with one of these codes could be created now if others did not come first. */
const TURN_CODES: ReadonlySet<WaitingQuote['code']> = new Set<WaitingQuote['code']>([
  'in_flight_limit',
  'strategy_turn',
]);

/** Turns targets into closes and placements, event by event, most valuable first. */
export class Quoting {
  readonly #context: OrderContext;
  readonly #parts: QuotingParts;
  readonly #targets = new Map<EventKey, Targets>();
  readonly #dirty = new Set<EventKey>();
  readonly #waiting = new Map<IntentKey, WaitingQuote>();
  /** As of the last pump; null until they are asked for. */
  #contenders: ReadonlySet<string> | null = null;

  constructor(context: OrderContext, parts: QuotingParts) {
    this.#context = context;
    this.#parts = parts;
  }

  setTargets(event: EventName, owner: string | null, intents: readonly QuoteIntent[]): void {
    const key = eventKey(event);
    this.#forgetWaiting(key);
    // Keep an empty set while orders are open: it means that nothing is wanted, not that the targets are
    // unknown.
    this.#targets.set(key, { event, intents: byKey(intents) });
    if (intents.length > 0) {
      invariant(owner !== null, 'quotes are wanted on an event without an owner', { event: key });
      this.#context.owners.own(event, owner);
    }
    this.#dirty.add(key);
  }

  /** Marks a changed event, to be reconciled at the end of the turn. */
  touch(event: EventName): void {
    const key = eventKey(event);
    if (this.#targets.has(key)) this.#dirty.add(key);
  }

  touchAll(): void {
    for (const key of this.#targets.keys()) this.#dirty.add(key);
  }

  /** Pauses the quote of an order that took although it was meant to rest. */
  filled(tracked: TrackedOrder, fill: Fill): void {
    if (!isUnintendedTake(fill)) return;
    const { metrics, log, options } = this.#context;
    metrics.unintendedTakes.inc();
    log.warn('an order that was meant to rest has filled as a taker', {
      orderId: fill.orderId,
      price: fill.price,
    });
    if (tracked.key !== null) this.#parts.placer.pause(tracked.key, options.takenBackoffMs);
  }

  stillWanted(key: IntentKey, intent: QuoteIntent): boolean {
    for (const { intents } of this.#targets.values()) {
      const now = intents.get(key);
      if (now !== undefined) return isSame(now, intent);
    }
    return false;
  }

  knows(event: EventName): boolean {
    return this.#targets.has(eventKey(event));
  }

  /** The strategies with quotes that wait for their turn to be created. */
  contenders(): ReadonlySet<string> {
    this.#contenders ??= this.#findContenders();
    return this.#contenders;
  }

  #findContenders(): ReadonlySet<string> {
    const waiting = [...this.#waiting.values()].filter(({ code }) => TURN_CODES.has(code));
    const events = waiting.flatMap(({ intent }) => selectionFrom(intent.selectionId) ?? []);
    return new Set(events.map((event) => this.#context.owners.of(event)));
  }

  waiting(): readonly WaitingQuote[] {
    return [...this.#waiting.values()];
  }

  sweep(): void {
    this.touchAll();
  }

  /** Retries waiting quotes at each sweep, unless all of them can only wait for time or for another order. */
  get dueMs(): number {
    for (const { code } of this.#waiting.values()) if (!REASONS[code].isPatient) return -Infinity;
    return Infinity;
  }

  /** Reconciles the changed events at the end of a turn. */
  pump(): void {
    if (this.#dirty.size === 0) return;
    this.#contenders = null;
    const placings: Placing[] = [];
    const events = [...this.#dirty];
    this.#dirty.clear();
    for (const key of events) placings.push(...this.#reconcile(key));
    placings.sort((a, b) => (b.intent.valueMicrosPerS ?? 0) - (a.intent.valueMicrosPerS ?? 0));
    for (const placing of placings) this.#place(placing);
  }

  #place(placing: Placing): void {
    const { key, intent } = placing;
    const obstacle = this.#parts.placer.place(placing);
    if (obstacle === null) this.#waiting.delete(key);
    else this.#waiting.set(key, { key, intent, ...obstacle });
  }

  #reconcile(key: EventKey): readonly Placing[] {
    const targets = this.#targets.get(key);
    if (targets === undefined) return [];
    const { event, intents } = targets;
    const active = this.#context.book.activeOf(event);
    // Memory must not grow for weeks. Until recovery is done, orders of an earlier run may still appear.
    if (intents.size === 0 && active.length === 0 && this.#context.halts.recovered) this.#targets.delete(key);
    const { held, policy } = this.#basisOf(active);
    const plan = reconcile(intents, held, policy);
    this.#forgetWaiting(key);
    for (const item of plan.waiting) this.#waiting.set(item.key, item);
    for (const uuid of plan.close) this.#close(uuid);
    for (const tracked of active) this.#keepBetslip(tracked, intents);
    return plan.place;
  }

  /** The open orders of an event, and the policy that judges them. */
  planBasis(event: EventName): PlanBasis {
    return this.#basisOf(this.#context.book.activeOf(event));
  }

  #basisOf(active: readonly TrackedOrder[]): PlanBasis {
    const nowMs = this.#context.deps.clock.monotonicMs();
    return { held: active.map((tracked) => heldOf(tracked, nowMs)), policy: policyOf(this.#context.options) };
  }

  #close(uuid: HeldOrder['uuid']): void {
    const tracked = this.#context.book.byUuid(uuid);
    if (tracked !== undefined) this.#parts.closing.want(tracked, 'not wanted');
  }

  /**
   * Keeps betslips: the next order of a quote reuses the betslip of the last one, and an unanswered order
   * needs its own.
   */
  #keepBetslip({ key, order }: TrackedOrder, intents: ReadonlyMap<IntentKey, QuoteIntent>): void {
    const intent = key === null ? undefined : intents.get(key);
    const isPlacing = order.state === 'prepared' || order.state === 'sending';
    // A quote whose prices are of another kind by now places its next order on another betslip.
    const isNext = intent !== undefined && kindOfIntent(intent) === order.priceKind;
    if (intent === undefined || !(isNext || isPlacing)) return;
    this.#parts.betslips.keep(marketOfOrder(order), intent.valueMicrosPerS ?? 0, isPlacing);
  }

  #forgetWaiting(event: EventKey): void {
    for (const key of this.#targets.get(event)?.intents.keys() ?? []) this.#waiting.delete(key);
  }
}

const policyOf = (options: OrderOptions): ReconcilePolicy => ({
  replacement: options.replacement,
  renewLeadMs: options.renewLeadMs,
  toleranceAwayTicks: options.toleranceAwayTicks,
  toleranceTowardTicks: options.toleranceTowardTicks,
  minStakeRatio: options.minStakeRatio,
  maxStakeRatio: options.maxStakeRatio,
});

/** Returns whether an order for one intent serves the other without change. */
const isSame = (a: QuoteIntent, b: QuoteIntent): boolean =>
  kindOfIntent(a) === kindOfIntent(b) &&
  a.tick === b.tick &&
  a.stakeMicros === b.stakeMicros &&
  modeOf(a) === modeOf(b);

function heldOf(tracked: TrackedOrder, nowMonotonicMs: number): HeldOrder {
  const { order, key, closeWanted } = tracked;
  return {
    uuid: order.requestUuid,
    key,
    state: order.state,
    priceKind: order.priceKind,
    tick: order.tick,
    mode: order.mode,
    unfilledMicros: unfilledMicros(order),
    lapsesInMs: lapsesInMs(tracked, nowMonotonicMs),
    closeWanted,
  };
}
