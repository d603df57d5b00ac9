/** Turns quotes into orders as the order manager does: an order is kept while it fits its quote, and replaced otherwise. */
import type { Micros } from '../../domain/money.ts';
import { modeOf } from '../../domain/orders.ts';
import { type IntentKey, intentKey, type QuoteIntent } from '../../domain/quote-intent.ts';

import { requestUuid, type SelectionId } from '../../domain/ids.ts';
import { isBetter } from '../../domain/odds.ts';
import { wouldCross, wouldTake } from '../../orders/send-gate.ts';
import { type HeldOrder, reconcile } from '../../orders/targets/reconcile.ts';
import type { EventTape } from '../tape.ts';
import type { EventExposure } from './exposure.ts';
import { type EventLimits, termsOf } from './limits.ts';
import type { OwnOrder } from './own-order.ts';
import type { RecordedExchange } from './recorded-exchange.ts';
import type { FastSettings } from './settings.ts';
import type { Showing } from './views.ts';

export interface TraderParts {
  readonly tape: EventTape;
  readonly exchange: RecordedExchange;
  readonly exposure: EventExposure;
  readonly limits: EventLimits;
  readonly settings: FastSettings;
  readonly balanceMicros: Micros;
  /** Draws the time that a request takes to the exchange. */
  readonly requestMs: () => number;
}

/** A quote that was refused or must wait is tried again after this long, as in the order manager. */
const RETRY_MS = 2_000;

export class Trader {
  orders = 0;
  refusals = 0;
  /** Markets, by direction, that ever needed a betslip. */
  readonly betslips = new Set<string>();
  /** Stake matched so far. */
  matchedMicros: Micros = 0;
  readonly #parts: TraderParts;
  readonly #positions: ReadonlyMap<SelectionId, number>;
  /** Orders that we hold for open, by selection. */
  readonly #held: OwnOrder[][];
  readonly #versions: number[];
  #heldCount = 0;
  #wanted: readonly QuoteIntent[] = [];
  readonly #paused = new Map<IntentKey, number>();
  #ids = 0;
  /** Whether a wanted quote has no order yet and is tried again. */
  isWaiting = false;

  constructor(parts: TraderParts) {
    this.#parts = parts;
    this.#positions = new Map(parts.tape.selections.map(({ selectionId }, at) => [selectionId, at]));
    this.#held = parts.tape.selections.map(() => []);
    this.#versions = parts.tape.selections.map(() => 0);
  }

  ordersOn(selection: number): readonly OwnOrder[] {
    return this.#held[selection] ?? [];
  }

  /** Changes with each change of the orders on a selection. */
  versionOf(selection: number): number {
    return this.#versions[selection] ?? 0;
  }

  /** When the next order has to be renewed, wall-clock milliseconds; Infinity without orders. */
  get renewMs(): number {
    if (this.#heldCount === 0) return Infinity;
    let earliest = Infinity;
    for (const orders of this.#held)
      for (const { expiryMs } of orders) if (expiryMs < earliest) earliest = expiryMs;
    return earliest - this.#parts.settings.renewLeadMs;
  }

  /** The strategy wants these quotes now. */
  want(intents: readonly QuoteIntent[], showing: Showing, nowMs: number): void {
    this.#wanted = intents;
    this.plan(showing, nowMs);
  }

  /** Places and closes what the wanted quotes need. */
  plan(showing: Showing, nowMs: number): void {
    this.isWaiting = false;
    if (this.#isServed(nowMs)) return;
    const wanted = new Map(this.#wanted.map((intent) => [intentKey(intent), intent]));
    const { close, place, waiting } = reconcile(wanted, this.#heldOrders(nowMs), this.#parts.settings);
    this.isWaiting = waiting.length > 0;
    if (close.length > 0) this.#closeAll(new Set(close), nowMs);
    for (const { intent, key } of place) {
      if (!this.#place(intent, key, showing, nowMs)) this.isWaiting = true;
    }
  }

  /** A fill of an order is known. */
  onFill(order: OwnOrder, price: number, stakeMicros: Micros): void {
    const { exposure } = this.#parts;
    const { selection, direction } = order;
    exposure.open(this.#openTerms(order), -1);
    order.knownFilledMicros += stakeMicros;
    this.#touch(selection);
    exposure.open(this.#openTerms(order), 1);
    exposure.matched({ selection, direction, price, stakeMicros });
    this.matchedMicros += stakeMicros;
  }

  /** The end of an order is known. All of its fills are known by now. */
  onClosed(order: OwnOrder, nowMs: number): void {
    if (order.refused) this.#pause(order.key, nowMs);
    const held = this.#held[order.selection] ?? [];
    const at = held.indexOf(order);
    if (at === -1) return;
    held.splice(at, 1);
    this.#touch(order.selection);
    this.#heldCount--;
    this.#parts.exposure.open(this.#openTerms(order), -1);
  }

  #pause(key: IntentKey, nowMs: number): void {
    this.refusals++;
    this.#paused.set(key, nowMs + RETRY_MS);
  }

  /** Whether each order fits a wanted quote, and each quote has an order: the usual case, without the objects of a plan. */
  #isServed(nowMs: number): boolean {
    if (this.#heldCount !== this.#wanted.length) return false;
    for (const intent of this.#wanted) {
      const held = this.#held[this.#positions.get(intent.selectionId) ?? -1] ?? [];
      if (!held.some((order) => this.#serves(order, intent, nowMs))) return false;
    }
    return true;
  }

  #serves(order: OwnOrder, intent: QuoteIntent, nowMs: number): boolean {
    if (order.direction !== intent.direction || order.level !== intent.level || order.closeWanted)
      return false;
    const { renewLeadMs, minStakeRatio, maxStakeRatio, toleranceAwayTicks, toleranceTowardTicks } =
      this.#parts.settings;
    if (order.expiryMs - nowMs <= renewLeadMs) return false;
    const unfilledMicros = order.stakeMicros - order.knownFilledMicros;
    if (unfilledMicros < intent.stakeMicros * minStakeRatio) return false;
    if (unfilledMicros > intent.stakeMicros * maxStakeRatio) return false;
    const away = isBetter(intent.direction, order.tick, intent.tick);
    return Math.abs(order.tick - intent.tick) <= (away ? toleranceAwayTicks : toleranceTowardTicks);
  }

  #heldOrders(nowMs: number): HeldOrder[] {
    return this.#held.flat().map((order) => ({
      uuid: requestUuid(String(order.id)),
      key: order.key,
      state: order.closeWanted ? 'closing' : nowMs < order.answeredMs ? 'sending' : 'live',
      tick: order.tick,
      mode: 'make_and_take',
      unfilledMicros: order.stakeMicros - order.knownFilledMicros,
      lapsesInMs: order.expiryMs - nowMs,
      closeWanted: order.closeWanted,
    }));
  }

  #closeAll(uuids: ReadonlySet<string>, nowMs: number): void {
    for (const order of this.#held.flat()) {
      if (!uuids.has(String(order.id)) || order.closeWanted) continue;
      order.closeWanted = true;
      // A request to close leaves once the exchange has answered the create request.
      const leavesMs = Math.max(nowMs, order.answeredMs);
      this.#parts.exchange.cancel(order, leavesMs + this.#parts.requestMs());
    }
  }

  /** Returns whether the order was sent. */
  #place(intent: QuoteIntent, key: IntentKey, showing: Showing, nowMs: number): boolean {
    const selection = this.#positions.get(intent.selectionId) ?? -1;
    if ((this.#paused.get(key) ?? -Infinity) > nowMs) return false;
    if (!this.#isClear(intent, selection, showing)) return false;
    if (this.#isRefused(intent, selection, showing, nowMs)) {
      this.#pause(key, nowMs);
      return false;
    }
    this.#send(intent, key, selection, nowMs);
    return true;
  }

  /** Whether the order is large enough, would rest, and would not meet an order of our own. */
  #isClear(intent: QuoteIntent, selection: number, showing: Showing): boolean {
    const { leastStakeMicros, postOnlyMarginTicks } = this.#parts.settings;
    if (intent.stakeMicros < leastStakeMicros || modeOf(intent) !== 'make_and_take') return false;
    const taken = showing.selections[selection]?.[intent.direction] ?? [];
    if (wouldTake(intent, postOnlyMarginTicks, taken)) return false;
    return !wouldCross(intent, this.#held[selection] ?? []);
  }

  #isRefused(intent: QuoteIntent, selection: number, showing: Showing, nowMs: number): boolean {
    const { tape, exposure, limits, balanceMicros } = this.#parts;
    const market = tape.selections[selection]?.market ?? -1;
    const openMicros = this.#held
      .flat()
      .reduce((sum, order) => sum + order.stakeMicros - order.knownFilledMicros, 0);
    const code = limits.refusal(termsOf(intent, selection), market, {
      ...{ exposure, balanceMicros, inPlay: showing.inPlay, startsInMs: tape.startMs - nowMs },
      openOnSelection: this.#held[selection]?.length ?? 0,
      openOnEvent: this.#heldCount,
      turnoverMicros: this.matchedMicros + openMicros,
    });
    return code !== null;
  }

  #send(intent: QuoteIntent, key: IntentKey, selection: number, nowMs: number): void {
    const { exchange, exposure, settings, requestMs } = this.#parts;
    const travelMs = requestMs();
    const { direction, tick, stakeMicros, level, lifetimeS } = intent;
    const order: OwnOrder = {
      ...{ id: ++this.#ids, selection, direction, tick, stakeMicros, key, level, sentMs: nowMs },
      answeredMs: nowMs + 2 * travelMs,
      expiryMs: nowMs + travelMs + (lifetimeS ?? settings.durationS) * 1_000,
      ...{ filledMicros: 0, restedFromMs: null, queueAheadMicros: 0, tradedMicros: 0, resting: null },
      ...{ closed: false, refused: false, knownFilledMicros: 0, closeWanted: false },
    };
    this.#held[selection]?.push(order);
    this.#touch(selection);
    this.#heldCount++;
    this.orders++;
    this.betslips.add(`${selection} ${direction}`);
    exposure.open(this.#openTerms(order), 1);
    exchange.place(order, nowMs + travelMs);
  }

  #touch(selection: number): void {
    this.#versions[selection] = this.versionOf(selection) + 1;
  }

  #openTerms(order: OwnOrder): ReturnType<typeof termsOf> {
    const { selection, direction, tick } = order;
    return termsOf({ direction, tick, stakeMicros: order.stakeMicros - order.knownFilledMicros }, selection);
  }
}
