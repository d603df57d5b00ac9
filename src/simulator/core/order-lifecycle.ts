/** Owns the orders: their states and their reserved liability. */
import type { Micros } from '../../domain/money.ts';
import { priceOf, type Tick } from '../../domain/ladder.ts';
import { invariant } from '../../lib/assert.ts';
import { integerBetween, type Random, seededRandom } from '../../lib/random.ts';
import type { Resting } from '../../fills/fill-model.ts';
import {
  type BetRecord,
  type ClosedBy,
  type EventRecord,
  isWorking,
  type Notices,
  type OrderRecord,
} from './model.ts';
import type { BetDelay } from './api.ts';
import { liabilityMicros } from './payoff-grids.ts';
import type { Scheduler } from './scheduler.ts';
import type { ExchangeSettings, SpanMs } from './settings.ts';
import { remainingMicros } from './taker.ts';

type DelaySettings = Pick<ExchangeSettings, 'placementDelayMs' | 'inPlayDelayMs' | 'confirmationMs'>;

/** The exchange's delays for each order, drawn from a random stream of its own. */
export class Delays {
  readonly #random: Random;
  readonly #settings: DelaySettings;

  constructor(random: Random, settings: DelaySettings) {
    this.#random = seededRandom(Math.floor(random.next() * 2 ** 32), 'delays');
    this.#settings = settings;
  }

  /** The delays from an accepted create to the book. */
  placement(order: OrderRecord): PlacementDelay {
    const { placementDelayMs, inPlayDelayMs } = this.#settings;
    const { delayMs, isPassive } = recordedDelay(order);
    const isDrawn = delayMs === 0 && order.events.some(({ inRunning }) => inRunning);
    const placementMs = this.#draw(placementDelayMs);
    const furtherMs = isDrawn ? this.#draw(inPlayDelayMs) : delayMs;
    if (isPassive) return { allMs: placementMs, takersMs: furtherMs };
    return { allMs: placementMs + furtherMs, takersMs: 0 };
  }

  /** The delay from the last fill of an order to `done`. */
  confirmationMs(): number {
    return this.#draw(this.#settings.confirmationMs);
  }

  #draw([least, most]: SpanMs): number {
    return integerBetween(this.#random, least, most);
  }
}

/** The longest recorded delay of the order's markets. */
function recordedDelay({ market, legs }: OrderRecord): BetDelay {
  let longest: BetDelay = { delayMs: 0, isPassive: false };
  for (const { event, outcome } of market === null ? legs.map((leg) => leg.market) : [market]) {
    const delay = event.betDelays.get(outcome);
    if (delay !== undefined && delay.delayMs > longest.delayMs) longest = delay;
  }
  return longest;
}

interface PlacementDelay {
  /** What every order waits. */
  readonly allMs: number;
  /** What an order that would match at once waits after that. */
  readonly takersMs: number;
}

/** What becomes of an order after its delay. */
interface Arrival {
  /** Whether it would match something now. */
  readonly takesNow: () => boolean;
  readonly arrive: () => void;
}

export class OrderLifecycle {
  readonly #scheduler: Scheduler;
  readonly #notices: Notices;
  readonly #delays: Delays;
  readonly #settings: Pick<ExchangeSettings, 'pendingMs' | 'closeLatencyMs'>;
  readonly #orders = new Map<number, OrderRecord>();
  #onEnd: (order: OrderRecord, by: ClosedBy) => void = () => undefined;

  constructor(
    scheduler: Scheduler,
    notices: Notices,
    delays: Delays,
    settings: Pick<ExchangeSettings, 'pendingMs' | 'closeLatencyMs'>,
  ) {
    [this.#scheduler, this.#notices] = [scheduler, notices];
    [this.#delays, this.#settings] = [delays, settings];
  }

  /** `onEnd` learns of each order that leaves its book for good. */
  listen(onEnd: (order: OrderRecord, by: ClosedBy) => void): void {
    this.#onEnd = onEnd;
  }

  /**
   * Opens an accepted order and reserves its liability. The order expires at `expiryMs`. After the placement delay it arrives at
   * its book.
   */
  open(order: OrderRecord, { takesNow, arrive }: Arrival): void {
    this.#orders.set(order.orderId, order);
    order.account.openOrders.add(order);
    changeEventStakes(order, order.stakeMicros);
    this.#reserve(order);
    this.#notices.orderChanged(order);
    order.timers.push(this.#scheduler.at(order.expiryMs, () => this.finish(order, 'duration')));
    const { allMs, takersMs } = this.#delays.placement(order);
    this.later(order, allMs, () => {
      if (takersMs > 0 && takesNow()) this.later(order, takersMs, arrive);
      else arrive();
    });
  }

  /** Plans a step of an order that works. The end of the order cancels it. */
  later(order: OrderRecord, delayMs: number, run: () => void): void {
    order.timers.push(this.#scheduler.after(delayMs, run));
  }

  /** Requests that an order closes. The order can still be filled until the close latency has passed. */
  requestClose(order: OrderRecord, by: ClosedBy): void {
    if (!isWorking(order) || order.closing) return;
    order.closing = true;
    const { closeLatencyMs } = this.#settings;
    if (closeLatencyMs <= 0) this.finish(order, by);
    else this.later(order, closeLatencyMs, () => this.finish(order, by));
  }

  /** Removes an order from its book for good: `pending` now, `done` or `failed` after the pending time. */
  finish(order: OrderRecord, by: ClosedBy): void {
    if (!isWorking(order)) return;
    this.#withdraw(order);
    for (const timer of order.timers.splice(0)) timer.cancel();
    order.status = 'pending';
    order.closedBy = by;
    this.#onEnd(order, by);
    changeEventStakes(order, 0 - remainingMicros(order));
    this.#reserve(order);
    this.#touch(order);
    const pendingMs = this.#pendingMs(by);
    if (pendingMs <= 0) this.#conclude(order);
    else this.#scheduler.after(pendingMs, () => this.concludeNow(order));
  }

  /** The pending time. Only a full fill adds a confirmation delay. */
  #pendingMs(by: ClosedBy): number {
    return this.#settings.pendingMs + (by === 'filled' ? this.#delays.confirmationMs() : 0);
  }

  /** Takes an order that works from its book and changes its price. */
  moveTo(order: OrderRecord, tick: Tick): void {
    const { market, resting } = order;
    if (market !== null && resting !== null) {
      market.book.remove(resting);
      this.#notices.bookChanged(market);
    }
    order.resting = null;
    order.tick = tick;
    this.#reserve(order);
    this.#touch(order);
  }

  /** Ends the pending time at once. A settled event does not wait for it. */
  concludeNow(order: OrderRecord): void {
    if (order.status === 'pending') this.#conclude(order);
  }

  /** Takes a closed order over from an earlier exchange, with its bets. */
  putBack(order: OrderRecord): void {
    this.#orders.set(order.orderId, order);
    changeEventStakes(order, order.filledMicros);
    if (order.bets.length > 0) order.status = finalStatus(order.bets);
  }

  /** Drops an order that customers can no longer look up. */
  forget(order: OrderRecord): void {
    this.#orders.delete(order.orderId);
  }

  all(): Iterable<OrderRecord> {
    return this.#orders.values();
  }

  /** The order that a resting entry belongs to. */
  orderOf(resting: Resting): OrderRecord {
    const order = resting.orderId === null ? undefined : this.#orders.get(resting.orderId);
    invariant(order !== undefined, 'a resting entry belongs to no known order', { orderId: resting.orderId });
    return order;
  }

  /** Counts a fill of the order. */
  addFill(order: OrderRecord, stakeMicros: Micros): void {
    order.filledMicros += stakeMicros;
    this.#reserve(order);
  }

  /** Updates an order after its fills, and finishes the order when it is completely filled. */
  afterFills(order: OrderRecord): void {
    if (order.filledMicros >= order.stakeMicros) this.finish(order, 'filled');
    else this.#touch(order);
  }

  /** Closes every working order on the event. Bets stay. */
  closeAllOf(event: EventRecord): void {
    for (const order of event.orders) {
      this.finish(order, 'event');
      this.concludeNow(order);
    }
  }

  /** Updates the status of a closed order from its bets, and reports the order. */
  afterResult(order: OrderRecord): void {
    if (order.bets.length === 0) return;
    if (order.closed) order.status = finalStatus(order.bets);
    this.#touch(order);
  }

  #withdraw(order: OrderRecord): void {
    const { market, resting } = order;
    if (market === null) return;
    const waitingAt = market.waiting.indexOf(order);
    if (waitingAt !== -1) market.waiting.splice(waitingAt, 1);
    if (resting !== null && resting.remainingMicros > 0) {
      market.book.remove(resting);
      this.#notices.bookChanged(market);
    }
    order.resting = null;
  }

  #conclude(order: OrderRecord): void {
    order.status = order.bets.length > 0 ? finalStatus(order.bets) : 'failed';
    order.closed = true;
    order.closedMs = this.#scheduler.nowMs;
    order.account.openOrders.delete(order);
    this.#touch(order);
  }

  /** Sets the account's reservation to the possible loss of the order's unfilled stake. */
  #reserve(order: OrderRecord): void {
    const wanted = isWorking(order)
      ? liabilityMicros(order.priceKind, remainingMicros(order), priceOf(order.tick))
      : 0;
    order.account.reservedMicros += wanted - order.reservedMicros;
    order.reservedMicros = wanted;
    this.#notices.balanceChanged(order.account);
  }

  #touch(order: OrderRecord): void {
    order.updatedMs = this.#scheduler.nowMs;
    this.#notices.orderChanged(order);
  }
}

/** The status that the bets of a closed order add up to: final once all of them are settled or void. */
function finalStatus(bets: readonly BetRecord[]): OrderRecord['status'] {
  if (bets.some(({ settled }) => !settled)) return 'done';
  const voids = bets.filter(({ status }) => status === 'void').length;
  if (voids === bets.length) return 'full_void';
  return voids === 0 ? 'reconciled' : 'partial_void';
}

/** Changes the account's stake on the order's events, for the stake limit. */
function changeEventStakes({ account, events }: OrderRecord, byMicros: Micros): void {
  for (const { key } of events) account.eventStakes.set(key, (account.eventStakes.get(key) ?? 0) + byMicros);
}
