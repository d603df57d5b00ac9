/** Owns the orders: their states, their reserved liability and their bets. */
import type { Micros } from '../../domain/money.ts';
import { priceOf } from '../../domain/ladder.ts';
import { invariant } from '../../lib/assert.ts';
import { integerBetween, type Random, seededRandom } from '../../lib/random.ts';
import type { ExposedBet } from './exposure.ts';
import type { Resting } from '../../fills/fill-model.ts';
import { type BetRecord, type ClosedBy, isWorking, type Notices, type OrderRecord } from './model.ts';
import { liabilityMicros, type PayoffGrids } from './payoff-grids.ts';
import type { Scheduler } from './scheduler.ts';
import type { Sequence } from './sequence.ts';
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

  /** The delay from an accepted create to the book. */
  placementMs({ events }: OrderRecord): number {
    const { placementDelayMs, inPlayDelayMs } = this.#settings;
    const recordedMs = Math.max(...events.map(({ betDelayMs }) => betDelayMs));
    const isDrawn = recordedMs === 0 && events.some(({ inRunning }) => inRunning);
    return this.#draw(placementDelayMs) + (isDrawn ? this.#draw(inPlayDelayMs) : recordedMs);
  }

  /** The delay from the last fill of an order to `done`. */
  confirmationMs(): number {
    return this.#draw(this.#settings.confirmationMs);
  }

  #draw([least, most]: SpanMs): number {
    return integerBetween(this.#random, least, most);
  }
}

export interface OrderLifecycleParts {
  readonly scheduler: Scheduler;
  readonly sequence: Sequence;
  readonly notices: Notices;
  readonly grids: PayoffGrids;
  readonly delays: Delays;
  readonly settings: Pick<ExchangeSettings, 'pendingMs' | 'closeLatencyMs'>;
  /** Runs when a bet is made, before the exchange reports it to customers. */
  readonly onBet: (bet: BetRecord) => void;
}

/** One side of a trade, in the terms of that side. */
interface OwnTrade {
  /** Both sides share this number. */
  readonly tradeId: number;
  readonly price: number;
  readonly stakeMicros: Micros;
}

export class OrderLifecycle {
  readonly #parts: OrderLifecycleParts;
  readonly #orders = new Map<number, OrderRecord>();

  constructor(parts: OrderLifecycleParts) {
    this.#parts = parts;
  }

  /** Opens an accepted order and reserves its liability. The order expires at `expiryMs`. */
  open(order: OrderRecord): void {
    this.#orders.set(order.orderId, order);
    order.account.openOrders.add(order);
    changeEventStakes(order, order.stakeMicros);
    this.#reserve(order);
    this.#parts.notices.orderChanged(order);
    order.timers.push(this.#parts.scheduler.at(order.expiryMs, () => this.finish(order, 'duration')));
  }

  /** Requests that an order closes. The order can still be filled until the close latency has passed. */
  requestClose(order: OrderRecord, by: ClosedBy): void {
    if (!isWorking(order) || order.closing) return;
    order.closing = true;
    const { scheduler, settings } = this.#parts;
    if (settings.closeLatencyMs <= 0) this.finish(order, by);
    else order.timers.push(scheduler.after(settings.closeLatencyMs, () => this.finish(order, by)));
  }

  /** Removes an order from its book for good: `pending` now, `done` or `failed` after the pending time. */
  finish(order: OrderRecord, by: ClosedBy): void {
    if (!isWorking(order)) return;
    const { scheduler } = this.#parts;
    this.#withdraw(order);
    for (const timer of order.timers.splice(0)) timer.cancel();
    order.status = 'pending';
    order.closedBy = by;
    changeEventStakes(order, 0 - remainingMicros(order));
    this.#reserve(order);
    this.#touch(order);
    const pendingMs = this.#pendingMs(by);
    if (pendingMs <= 0) this.#conclude(order);
    else scheduler.after(pendingMs, () => this.concludeNow(order));
  }

  /** The pending time. Only a full fill adds a confirmation delay. */
  #pendingMs(by: ClosedBy): number {
    const { settings, delays } = this.#parts;
    return settings.pendingMs + (by === 'filled' ? delays.confirmationMs() : 0);
  }

  /** Ends the pending time at once. A settled event does not wait for it. */
  concludeNow(order: OrderRecord): void {
    if (order.status === 'pending') this.#conclude(order);
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

  /** Books a fill as a bet, with its order and its account. */
  fill(order: OrderRecord, trade: OwnTrade, role: BetRecord['role'], source: string): BetRecord {
    const bet: BetRecord = {
      ...trade,
      betId: this.#parts.sequence.nextBetId(),
      order,
      atMs: this.#parts.scheduler.nowMs,
      role,
      source,
      status: 'success',
      voided: false,
      profitMicros: 0,
      settled: false,
    };
    order.bets.push(bet);
    order.filledMicros += trade.stakeMicros;
    this.#reserve(order);
    order.account.exposure.add(this.exposedBet(bet));
    this.#parts.onBet(bet);
    this.#parts.notices.betMade(bet);
    return bet;
  }

  newTradeId(): number {
    return this.#parts.sequence.nextTradeId();
  }

  /** Updates an order after its fills, and finishes the order when it is completely filled. */
  afterFills(order: OrderRecord): void {
    if (order.filledMicros >= order.stakeMicros) this.finish(order, 'filled');
    else this.#touch(order);
  }

  exposedBet(bet: BetRecord): ExposedBet {
    const { price, stakeMicros, order } = bet;
    const { market, direction, priceKind, orderId } = order;
    const terms = { priceKind, price, stakeMicros };
    // No other bet offsets a parlay.
    if (market === null) return { ...terms, eventKey: `parlay ${orderId}`, outcome: 'parlay', grid: null };
    const { event, outcome } = market;
    const grid = this.#parts.grids.of(event.info.sport, market.parsed(direction));
    return { ...terms, eventKey: event.key, outcome, grid };
  }

  #withdraw(order: OrderRecord): void {
    const { market, resting } = order;
    if (market === null) return;
    const waitingAt = market.waiting.indexOf(order);
    if (waitingAt !== -1) market.waiting.splice(waitingAt, 1);
    if (resting !== null && resting.remainingMicros > 0) {
      market.book.remove(resting);
      this.#parts.notices.bookChanged(market);
    }
    order.resting = null;
  }

  #conclude(order: OrderRecord): void {
    order.status = order.bets.length > 0 ? finalStatus(order.bets) : 'failed';
    order.closed = true;
    order.closedMs = this.#parts.scheduler.nowMs;
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
    this.#parts.notices.balanceChanged(order.account);
  }

  #touch(order: OrderRecord): void {
    order.updatedMs = this.#parts.scheduler.nowMs;
    this.#parts.notices.orderChanged(order);
  }
}

/** The status that the bets of a closed order add up to: final once all of them are settled or void. */
export function finalStatus(bets: readonly BetRecord[]): OrderRecord['status'] {
  if (bets.some(({ settled }) => !settled)) return 'done';
  const voids = bets.filter(({ status }) => status === 'void').length;
  if (voids === bets.length) return 'full_void';
  return voids === 0 ? 'reconciled' : 'partial_void';
}

/** Changes the account's stake on the order's events, for the stake limit. */
function changeEventStakes({ account, events }: OrderRecord, byMicros: Micros): void {
  for (const { key } of events) account.eventStakes.set(key, (account.eventStakes.get(key) ?? 0) + byMicros);
}
