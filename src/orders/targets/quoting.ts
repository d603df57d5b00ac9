import type { TrackedOrder } from '../../account/orders.ts';
import { eventKey, type EventName, type Score } from '../../domain/events.ts';
import { marketOfOrder, marketKey } from '../../domain/exchange-prices.ts';
import type { EventKey } from '../../domain/ids.ts';
import { type Fill, isUnintendedTake, unfilledMicros } from '../../domain/live-order.ts';
import { asksForMore, type BetslipRequest, matchingTermsOf } from '../../domain/orders.ts';
import { type IntentKey, kindOfIntent, type QuoteIntent } from '../../domain/quote-intent.ts';
import { invariant } from '../../lib/assert.ts';
import type { OrderOptions } from '../options.ts';
import type { Closing } from '../outcomes/closing.ts';
import { isBetslipCode, type Obstacle } from '../send-gate.ts';
import { lapsesInMs, type OrderContext } from '../state/context.ts';
import { WakeAudit } from './audit.ts';
import type { BlockedQuote } from './blocked.ts';
import type { QuotePath } from './path.ts';
import {
  type HeldOrder,
  type Placing,
  type PlanBasis,
  reconcile,
  type ReconcilePolicy,
} from './reconcile.ts';
import { isSame } from './targets.ts';

/** How often all blocked quotes are judged, to find those that should have been woken. */
const AUDIT_EVERY_MS = 5_000;

/** What a decision had seen. */
export interface Deciding {
  /** The score of its view; null if none was known. */
  readonly score: Score | null;
  /** How many takes had ended. */
  readonly takesEnded: number;
}

/** Turns targets into closes, betslips and orders. */
export class Quoting {
  readonly #context: OrderContext;
  readonly #path: QuotePath;
  readonly #closing: Closing;
  readonly #dirty = new Set<EventKey>();
  readonly #renewals = new Renewals();
  readonly #audit: WakeAudit;
  /** The betslips, or time, may have changed the plan of betslips. */
  #isPlanDue = false;
  #missedWakes = 0;

  constructor(context: OrderContext, path: QuotePath, closing: Closing) {
    [this.#context, this.#path, this.#closing] = [context, path, closing];
    this.#audit = new WakeAudit(context.deps.auditEveryMs ?? AUDIT_EVERY_MS);
  }

  /**
   * Equal targets change nothing. Their prices may have changed: quotes that wait for prices are judged again.
   */
  setTargets(
    event: EventName,
    owner: string | null,
    intents: readonly QuoteIntent[],
    { score, takesEnded }: Deciding = { score: null, takesEnded: this.#context.takes.ended },
  ): void {
    const { targets, turns, blocked, wishes } = this.#path;
    const key = eventKey(event);
    this.#context.takes.decided(key, takesEnded);
    if (intents.length > 0) {
      invariant(owner !== null, 'quotes are wanted on an event without an owner', { event: key });
      this.#context.owners.own(event, owner);
      turns.enter(owner);
    }
    const before = targets.of(key)?.intents ?? new Map<IntentKey, QuoteIntent>();
    if (targets.set(event, intents, score)) {
      this.#dirty.add(key);
      wishes.forgetRisk(key);
    }
    const now = targets.of(key)?.intents;
    for (const each of before.keys()) if (now?.has(each) !== true) this.#forget(each);
    blocked.decided(key);
  }

  /** Places, renews and closes nothing on the event until its next targets. */
  leave(event: EventName): void {
    const { targets, blocked } = this.#path;
    const key = eventKey(event);
    if (targets.of(key)?.isLeft === true) return;
    for (const each of targets.leave(event)) this.#forget(each);
    this.#dirty.add(key);
    blocked.decided(key);
  }

  /** An order on the event has changed: the event is reconciled at the end of the turn. */
  touch(event: EventName): void {
    const { targets, blocked, wishes } = this.#path;
    const key = eventKey(event);
    if (!targets.knows(event)) return;
    this.#dirty.add(key);
    blocked.orderChanged(event);
    wishes.forgetRisk(key);
  }

  /** Everything may have changed. */
  touchAll(): void {
    for (const key of this.#path.targets.events()) this.#dirty.add(key);
    this.#path.blocked.wakeAll();
  }

  /** The betslip of a market has changed. `keepsPlan`: only the quotes that use it are to be judged again. */
  betslipChanged(market: string, keepsPlan: boolean): void {
    this.#path.blocked.betslipChanged(market);
    this.#isPlanDue ||= !keepsPlan;
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
    if (tracked.key !== null) this.#path.pauses.took(tracked.key, options.takenBackoffMs);
  }

  /** Keeps the betslips of these markets open. */
  standBy(markets: readonly BetslipRequest[]): void {
    this.#path.wishes.standBy(markets);
  }

  sweep(): void {
    this.#path.pauses.sweep();
    this.#isPlanDue = true;
  }

  /** Monotonic instant at which the first renewal is due, or time alone wakes a quote. */
  get dueMs(): number {
    return Math.min(this.#path.blocked.nextMs, this.#renewals.nextMs);
  }

  /** How many quotes could have been placed, and nothing woke them. */
  get missedWakes(): number {
    return this.#missedWakes;
  }

  /** At the end of a turn: reconciles the changed events, judges the quotes that were woken, and plans the betslips of all events. */
  pump(): void {
    const woken = new Set(this.#path.blocked.take());
    for (const event of this.#renewals.due(this.#now())) this.#dirty.add(event);
    const events = [...this.#dirty];
    this.#dirty.clear();
    const placings = events.flatMap((event) => this.#reconcile(event, woken));
    for (const key of woken) {
      // As it is wanted now, if it still waits.
      const waiting = this.#path.blocked.get(key);
      const intent = waiting && this.#path.targets.of(waiting.event)?.intents.get(key);
      if (intent !== undefined) placings.push({ key, intent });
    }
    placings.sort((a, b) => (b.intent.valueMicrosPerS ?? 0) - (a.intent.valueMicrosPerS ?? 0));
    for (const placing of placings) this.#place(placing);
    if (this.#isPlanDue || this.#path.wishes.isChanged) this.#serveBetslips();
    if (this.#audit.isDue(this.#now())) this.#auditWakes();
  }

  /** Places a quote if its betslip is there. If it needs one first, the plan of betslips decides. */
  #place(placing: Placing): void {
    const { judge, betslips, placer, blocked, wishes, turns } = this.#path;
    const isFull = turns.inFlight >= this.#context.options.maxInFlight;
    if (isFull && blocked.get(placing.key)?.code === 'in_flight_limit') return;
    const early = judge.early(placing);
    if ('code' in early) return this.#blocks(placing, early, null);
    const answer = betslips.pool.answerOf(marketKey(early.market));
    const obstacle = answer === null ? null : placer.place(early, answer);
    if (obstacle !== null) this.#blocks(placing, obstacle, early.market);
    else if (answer !== null) blocked.delete(placing.key);
    wishes.want(early, answer !== null && obstacle === null ? 'placing' : 'order');
  }

  #serveBetslips(): void {
    const { betslips, blocked, wishes } = this.#path;
    this.#isPlanDue = false;
    for (const [{ placing, market }, obstacle] of betslips.desk.serve(wishes.take())) {
      const isNews = placing !== null && blocked.get(placing.key)?.code !== obstacle.code;
      if (placing !== null && (isNews || !isBetslipCode(obstacle.code)))
        this.#blocks(placing, obstacle, market);
    }
  }

  /** A quote that is blocked before it needs a betslip wants none. */
  #blocks(placing: Placing, obstacle: Obstacle, market: BetslipRequest | null): void {
    const { pauses, blocked, judge, wishes, betslips } = this.#path;
    const { key } = placing;
    if (obstacle.code === 'risk') pauses.refusedByRisk(key, this.#context.options.retryMs);
    const keepsWish =
      market !== null && (isBetslipCode(obstacle.code) || betslips.pool.answerOf(marketKey(market)) !== null);
    if (!keepsWish) wishes.delete(key);
    blocked.add(placing, obstacle, market, judge.mayEndMs(obstacle.code, key, market));
  }

  /** The quote is not wanted any more, or an order serves it, or stands in its way until it ends. */
  #forget(key: IntentKey): void {
    this.#path.blocked.delete(key);
    this.#path.wishes.delete(key);
  }

  /** Returns the quotes of the event that are to be judged. Those that wait, and were not woken, go on waiting. */
  #reconcile(key: EventKey, woken: Set<IntentKey>): readonly Placing[] {
    const { targets, blocked } = this.#path;
    const wanted = targets.of(key);
    if (wanted === undefined) return [];
    const { event, intents, isLeft } = wanted;
    const active = this.#context.book.activeOf(event);
    if (isLeft) return this.#leaveOrders(key);
    this.#wishesOfOrders(key, active, intents);
    this.#renewals.set(key, active, this.#context.options.renewLeadMs, this.#now());
    // Memory must not grow for weeks. Until recovery is done, orders of an earlier run may still appear.
    if (intents.size === 0 && active.length === 0 && this.#context.halts.recovered) targets.delete(key);
    const { held, policy } = this.#basisOf(active);
    const plan = reconcile(intents, held, policy);
    const unserved = new Set(plan.place.map((each) => each.key));
    for (const intentKey of intents.keys()) if (!unserved.has(intentKey)) this.#forget(intentKey);
    for (const item of plan.waiting) targets.waits(item);
    for (const uuid of plan.close) {
      const tracked = this.#context.book.byUuid(uuid);
      if (tracked !== undefined) this.#closing.want(tracked, 'not wanted');
    }
    return plan.place.filter(({ key: each, intent }) => {
      const waiting = blocked.get(each);
      const isDue = woken.delete(each) || waiting === undefined;
      return isDue || !isSame(waiting.intent, intent);
    });
  }

  /** What rests lapses by itself, and needs no betslip. */
  #leaveOrders(key: EventKey): readonly Placing[] {
    this.#renewals.set(key, [], 0, this.#now());
    this.#path.wishes.serve(key, []);
    return [];
  }

  /** The next order of a quote uses the betslip of the last one, and an unanswered order needs its own. */
  #wishesOfOrders(
    event: EventKey,
    active: readonly TrackedOrder[],
    intents: ReadonlyMap<IntentKey, QuoteIntent>,
  ): void {
    const orders = active.flatMap(({ key, order }) => {
      const intent = key === null ? undefined : intents.get(key);
      if (key === null || intent === undefined) return [];
      const isPlacing = order.state === 'prepared' || order.state === 'sending';
      // A quote whose prices are of another kind by now places its next order on another betslip, and a take has no next order.
      const isNext = intent.take === undefined && kindOfIntent(intent) === order.priceKind;
      const need = isPlacing ? ('placing' as const) : ('next' as const);
      return isNext || isPlacing
        ? [{ key, selection: order.selectionId, market: marketOfOrder(order), need }]
        : [];
    });
    this.#path.wishes.serve(event, orders);
  }

  #auditWakes(): void {
    const { blocked, judge, betslips, wishes, targets } = this.#path;
    for (const event of targets.events()) wishes.forgetRisk(event);
    const opens = betslips.desk.wouldOpen(wishes.all());
    const review = ({ key, intent, code }: BlockedQuote): Obstacle | null =>
      judge.review({ key, intent }, code, opens);
    for (const quote of this.#audit.missed(blocked.all(), review, this.#now())) {
      this.#missedWakes++;
      this.#context.metrics.missedWakes.inc({ code: quote.code });
      this.#context.log.warn('a blocked quote could be placed and nothing woke it', {
        quote: quote.key,
        code: quote.code,
      });
      blocked.wake(quote);
    }
  }

  /** The open orders of an event, and the policy that judges them. */
  planBasis(event: EventName): PlanBasis {
    return this.#basisOf(this.#context.book.activeOf(event));
  }

  #basisOf(active: readonly TrackedOrder[]): PlanBasis {
    return {
      held: active.map((tracked) => heldOf(tracked, this.#now())),
      policy: policyOf(this.#context.options),
    };
  }

  #now(): number {
    return this.#context.deps.clock.monotonicMs();
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

function heldOf(tracked: TrackedOrder, nowMonotonicMs: number): HeldOrder {
  const { order, key, place, closeWanted } = tracked;
  return {
    uuid: order.requestUuid,
    key,
    state: order.state,
    priceKind: order.priceKind,
    tick: order.tick,
    mode: order.mode,
    ...(asksForMore(place) && { matching: matchingTermsOf(place) }),
    unfilledMicros: unfilledMicros(order),
    lapsesInMs: lapsesInMs(tracked, nowMonotonicMs),
    closeWanted,
  };
}

/** When the next order of each event is to be renewed. */
export class Renewals {
  readonly #dueMs = new Map<EventKey, number>();
  #nextMs = Infinity;

  /** Notes the orders of an event. An order is renewed `leadMs` before it lapses. */
  set(event: EventKey, active: readonly TrackedOrder[], leadMs: number, nowMs: number): void {
    let dueMs = Infinity;
    for (const { lapsesMonotonicMs } of active) {
      const renewMs = (lapsesMonotonicMs ?? Infinity) - leadMs;
      if (renewMs > nowMs) dueMs = Math.min(dueMs, renewMs);
    }
    if (dueMs === Infinity) this.#dueMs.delete(event);
    else this.#dueMs.set(event, dueMs);
    this.#nextMs = Math.min(this.#nextMs, dueMs);
  }

  /** Takes the events with an order to be renewed. */
  due(nowMs: number): readonly EventKey[] {
    if (nowMs < this.#nextMs) return [];
    const due = [...this.#dueMs].filter(([, atMs]) => atMs <= nowMs).map(([event]) => event);
    for (const event of due) this.#dueMs.delete(event);
    this.#nextMs = Math.min(Infinity, ...this.#dueMs.values());
    return due;
  }

  /** Monotonic instant before which no order is to be renewed. */
  get nextMs(): number {
    return this.#nextMs;
  }
}
