import { eventKey, type EventName } from '../../domain/events.ts';
import { marketOfOrder } from '../../domain/exchange-prices.ts';
import type { EventKey } from '../../domain/ids.ts';
import { type Fill, isUnintendedTake, unfilledMicros } from '../../domain/live-order.ts';
import { type IntentKey, kindOfIntent, type QuoteIntent } from '../../domain/quote-intent.ts';
import { invariant } from '../../lib/assert.ts';
import type { BetslipWish } from '../betslips/desk.ts';
import type { OrderOptions } from '../options.ts';
import type { Closing } from '../outcomes/closing.ts';
import { isBetslipCode, type Obstacle, REASONS } from '../send-gate.ts';
import { lapsesInMs, type OrderContext } from '../state/context.ts';
import type { TrackedOrder } from '../state/own-orders.ts';
import type { QuotePath } from './path.ts';
import {
  type HeldOrder,
  type Placing,
  type PlanBasis,
  reconcile,
  type ReconcilePolicy,
} from './reconcile.ts';

/** What a quote, or its order, wants of betslips. */
interface QuoteWish extends BetslipWish {
  /** The quote that waits to be placed; null while its order is there. */
  readonly placing: Placing | null;
}

/** Turns targets into closes, betslips and orders. */
export class Quoting {
  readonly #context: OrderContext;
  readonly #path: QuotePath;
  readonly #closing: Closing;
  readonly #dirty = new Set<EventKey>();
  /** What each event's targets and orders want of betslips. */
  readonly #wishes = new Map<EventKey, QuoteWish[]>();
  /** Time alone may have changed the plan of betslips. */
  #isPlanDue = false;

  constructor(context: OrderContext, path: QuotePath, closing: Closing) {
    [this.#context, this.#path, this.#closing] = [context, path, closing];
  }

  setTargets(event: EventName, owner: string | null, intents: readonly QuoteIntent[]): void {
    const key = eventKey(event);
    this.#path.targets.set(event, intents);
    if (intents.length > 0) {
      invariant(owner !== null, 'quotes are wanted on an event without an owner', { event: key });
      this.#context.owners.own(event, owner);
      this.#path.turns.enter(owner);
    }
    this.#dirty.add(key);
  }

  /** Marks a changed event, to be reconciled at the end of the turn. */
  touch(event: EventName): void {
    if (this.#path.targets.knows(event)) this.#dirty.add(eventKey(event));
  }

  touchAll(): void {
    for (const key of this.#path.targets.events()) this.#dirty.add(key);
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

  sweep(): void {
    this.#path.pauses.sweep();
    this.touchAll();
    this.#isPlanDue = true;
  }

  /** Retries waiting quotes at each sweep, unless all of them can only wait for time or for another order. */
  get dueMs(): number {
    for (const { code } of this.#path.targets.waiting()) if (!REASONS[code].isPatient) return -Infinity;
    return Infinity;
  }

  /** Reconciles the changed events at the end of a turn, then plans the betslips of all events. */
  pump(): void {
    if (this.#dirty.size === 0 && !this.#isPlanDue) return;
    this.#isPlanDue = false;
    const placings: Placing[] = [];
    const events = [...this.#dirty];
    this.#dirty.clear();
    for (const key of events) placings.push(...this.#reconcile(key));
    placings.sort((a, b) => (b.intent.valueMicrosPerS ?? 0) - (a.intent.valueMicrosPerS ?? 0));
    for (const placing of placings) this.#place(placing);
    this.#serveBetslips();
  }

  /** Places a quote if its betslip is there. If it needs one first, the plan of betslips decides. */
  #place(placing: Placing): void {
    const { judge, betslips, placer, targets } = this.#path;
    const early = judge.early(placing);
    if ('code' in early) return this.#waits(placing, early);
    const answer = betslips.pool.answerOf(early.market);
    const obstacle = answer === null ? null : placer.place(early, answer);
    const isPlaced = answer !== null && obstacle === null;
    this.#wish(early.market, {
      market: early.market,
      placing: isPlaced ? null : placing,
      value: placing.intent.valueMicrosPerS ?? 0,
      need: isPlaced ? 'placing' : 'order',
      reduces: !isPlaced && judge.reduces(early),
      foresee: (isPinned) => judge.foresee(early, isPinned),
    });
    if (isPlaced) targets.served(placing.key);
    else if (obstacle !== null) this.#waits(placing, obstacle);
  }

  #serveBetslips(): void {
    const wishes = [...this.#wishes.values()].flat();
    for (const [{ placing, market }, obstacle] of this.#path.betslips.desk.serve(wishes)) {
      if (placing === null) continue;
      this.#waits(placing, obstacle);
      if (!isBetslipCode(obstacle.code)) this.#forgetWish(market, placing);
    }
  }

  #waits({ key, intent }: Placing, obstacle: Obstacle): void {
    const { pauses, targets } = this.#path;
    if (obstacle.code === 'risk') pauses.refusedByRisk(key, this.#context.options.retryMs);
    targets.waits({ key, intent, ...obstacle });
  }

  #wish(event: EventName, wish: QuoteWish): void {
    const key = eventKey(event);
    const wishes = this.#wishes.get(key);
    if (wishes === undefined) this.#wishes.set(key, [wish]);
    else wishes.push(wish);
  }

  #forgetWish(event: EventName, placing: Placing): void {
    const key = eventKey(event);
    const left = this.#wishes.get(key)?.filter((wish) => wish.placing !== placing) ?? [];
    this.#wishes.set(key, left);
  }

  #reconcile(key: EventKey): readonly Placing[] {
    const { targets } = this.#path;
    const wanted = targets.of(key);
    if (wanted === undefined) return [];
    const { event, intents } = wanted;
    const active = this.#context.book.activeOf(event);
    this.#wishes.delete(key);
    // Memory must not grow for weeks. Until recovery is done, orders of an earlier run may still appear.
    if (intents.size === 0 && active.length === 0 && this.#context.halts.recovered) targets.delete(key);
    const { held, policy } = this.#basisOf(active);
    const plan = reconcile(intents, held, policy);
    for (const intentKey of intents.keys()) targets.served(intentKey);
    for (const item of plan.waiting) targets.waits(item);
    for (const uuid of plan.close) this.#close(uuid);
    for (const tracked of active) this.#wishOfOrder(tracked, intents);
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
    if (tracked !== undefined) this.#closing.want(tracked, 'not wanted');
  }

  /** The next order of a quote uses the betslip of the last one, and an unanswered order needs its own. */
  #wishOfOrder({ key, order }: TrackedOrder, intents: ReadonlyMap<IntentKey, QuoteIntent>): void {
    const intent = key === null ? undefined : intents.get(key);
    const isPlacing = order.state === 'prepared' || order.state === 'sending';
    // A quote whose prices are of another kind by now places its next order on another betslip.
    const isNext = intent !== undefined && kindOfIntent(intent) === order.priceKind;
    if (intent === undefined || !(isNext || isPlacing)) return;
    this.#wish(order, {
      market: marketOfOrder(order),
      placing: null,
      value: intent.valueMicrosPerS ?? 0,
      need: isPlacing ? 'placing' : 'next',
      reduces: false,
      foresee: () => null,
    });
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
