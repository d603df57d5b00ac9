/** The trading desk: brings orders to their books, books the trades, and takes orders off again. */
import { invariant } from '../../lib/assert.ts';
import { priceOf } from '../../domain/odds.ts';
import type { Micros } from '../../domain/money.ts';
import { opposite, type Direction } from '../../domain/selection.ts';
import type { ExposedBet } from './exposure.ts';
import type { Match, Resting } from './book.ts';
import { type BetRecord, type ClosedBy, isWorking, type MarketBook, type OrderRecord } from './model.ts';
import type { Notices } from './notices.ts';
import { HOUSE_SOURCE, parlayFill } from './parlays.ts';
import type { PayoffGrids } from './payoff-grids.ts';
import type { Scheduler } from './scheduler.ts';
import type { Sequence } from './sequence.ts';
import type { ExchangeSettings } from './settings.ts';
import { sourceOf, takerOf, remainingMicros } from './taker.ts';
import { liabilityMicros } from './stakes.ts';
import type { DangerList } from './danger.ts';

export interface DeskParts {
  readonly scheduler: Scheduler;
  readonly sequence: Sequence;
  readonly notices: Notices;
  readonly grids: PayoffGrids;
  readonly danger: DangerList;
  readonly settings: Pick<
    ExchangeSettings,
    'pendingMs' | 'closeLatencyMs' | 'placementLatencyMs' | 'quoteIntervalMs'
  >;
}

/** One trade, as its two sides will be told of it. */
interface Trade {
  readonly tradeId: number;
  readonly price: number;
  readonly stakeMicros: Micros;
}

export class Desk {
  readonly #parts: DeskParts;
  readonly #orders = new Map<number, OrderRecord>();

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  /** Takes an accepted order: reserves its liability now, brings it to the book after the placement latency. */
  accept(order: OrderRecord): void {
    const { scheduler, settings, notices } = this.#parts;
    this.#orders.set(order.orderId, order);
    order.account.openOrders.add(order);
    changeEventStakes(order, order.stakeMicros);
    this.#reserve(order);
    notices.orderChanged(order);
    order.timers.push(
      scheduler.after(settings.placementLatencyMs, () => this.#arrive(order)),
      scheduler.at(order.expiryMs, () => this.finish(order, 'duration')),
    );
  }

  /** Asks for an order's end; it can be matched until the close latency has passed. */
  requestClose(order: OrderRecord, by: ClosedBy): void {
    if (!isWorking(order) || order.closing) return;
    order.closing = true;
    const { scheduler, settings } = this.#parts;
    if (settings.closeLatencyMs <= 0) this.finish(order, by);
    else order.timers.push(scheduler.after(settings.closeLatencyMs, () => this.finish(order, by)));
  }

  /** Takes an order off its book for good: `pending` now, `done` or `failed` after the pending time. */
  finish(order: OrderRecord, by: ClosedBy): void {
    if (!isWorking(order)) return;
    const { scheduler, settings } = this.#parts;
    this.#withdraw(order);
    for (const timer of order.timers.splice(0)) timer.cancel();
    order.status = 'pending';
    order.closedBy = by;
    changeEventStakes(order, 0 - remainingMicros(order));
    this.#reserve(order);
    this.#touch(order);
    if (settings.pendingMs <= 0) this.#conclude(order);
    else scheduler.after(settings.pendingMs, () => this.#conclude(order));
  }

  /** Ends the pending time early: an event that is settled waits for nobody. */
  concludeNow(order: OrderRecord): void {
    if (order.status === 'pending') this.#conclude(order);
  }

  /** Stake of a background participant joins the queue, after trading with the orders of accounts that it crosses. */
  addBackground(market: MarketBook, resting: Resting): void {
    const crossing = market.event.suspended ? [] : this.#crossAccounts(market, resting);
    const traded = crossing.reduce((sum, match) => sum + match.stakeMicros, 0);
    const restMicros = resting.remainingMicros - traded;
    if (restMicros > 0) {
      market.book.rest({ ...resting, remainingMicros: restMicros });
      this.#offerToWaiting(market, resting.direction);
    }
    this.#parts.notices.bookChanged(market);
  }

  /** A background taker; answers what it got. */
  takeBackground(market: MarketBook, direction: Direction, limitTick: number, stakeMicros: Micros): Micros {
    if (market.event.suspended) return 0;
    const taker = {
      owner: 'feed:taker',
      direction,
      limitTick,
      stakeMicros,
      wantStakeMicros: stakeMicros,
    };
    return this.#fillMakers(market, market.book.match(taker), 'taker');
  }

  /** A recorded trade at exactly one price; answers what accounts got of it. */
  tradeThrough(market: MarketBook, resting: Direction, tick: number, stakeMicros: Micros): Micros {
    if (market.event.suspended) return 0;
    const matches: Match[] = [];
    let leftMicros = stakeMicros;
    for (const entry of [...(market.book.levelAt(resting, tick)?.queue ?? [])]) {
      if (leftMicros <= 0) break;
      const taken = Math.min(leftMicros, entry.remainingMicros);
      leftMicros -= taken;
      matches.push({ resting: entry, tick, stakeMicros: taken });
      market.book.reduce(entry, taken);
    }
    this.#fillMakers(market, matches, 'taker');
    return accountStake(matches);
  }

  /** After a suspension: orders that meanwhile came to cross are matched, the oldest first. */
  resume(market: MarketBook): void {
    const resting = market.book.find((entry) => entry.orderId !== null).map((entry) => this.#order(entry));
    const orders = [...resting, ...market.waiting].sort((a, b) => a.orderId - b.orderId);
    for (const order of orders) if (isWorking(order)) this.#matchAsTaker(order, market);
  }

  /** Drops an order that nobody can ask for any more. */
  forget(order: OrderRecord): void {
    this.#orders.delete(order.orderId);
  }

  find(orderId: number): OrderRecord | null {
    return this.#orders.get(orderId) ?? null;
  }

  all(): Iterable<OrderRecord> {
    return this.#orders.values();
  }

  /** A fill: the bet is booked with its order and its account. */
  #fill(order: OrderRecord, trade: Trade, role: BetRecord['role'], source: string): BetRecord {
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
    this.#parts.notices.betMade(bet);
    return bet;
  }

  #newTrade(price: number, stakeMicros: Micros): Trade {
    return { tradeId: this.#parts.sequence.nextTradeId(), price, stakeMicros };
  }

  /** An order after its fills: done when it is full. */
  #settleFills(order: OrderRecord): void {
    if (order.filledMicros >= order.stakeMicros) this.finish(order, 'filled');
    else this.#touch(order);
  }

  exposedBet(bet: BetRecord): ExposedBet {
    const { order } = bet;
    const parsed = order.market?.parsed(order.direction) ?? null;
    return {
      eventKey: order.event.key,
      outcome: order.market?.outcome ?? `parlay ${order.orderId}`,
      direction: order.direction,
      price: bet.price,
      stakeMicros: bet.stakeMicros,
      grid: parsed === null ? null : this.#parts.grids.of(order.event.info.sport, parsed),
    };
  }

  #arrive(order: OrderRecord): void {
    const { market } = order;
    if (!isWorking(order)) return;
    if (market === null) return this.#tryParlay(order);
    if (!market.event.suspended) this.#matchAsTaker(order, market);
    if (!isWorking(order)) return;
    if (order.terms.mode === 'take_only' || !order.terms.acceptPartialFill) market.waiting.push(order);
    else this.#rest(order, market);
  }

  /** A parlay is filled at one go; until its price is there it is tried again at every quote. */
  #tryParlay(order: OrderRecord): void {
    const offered = parlayFill(order);
    if (offered === null) {
      const { scheduler, settings } = this.#parts;
      order.timers.push(scheduler.after(settings.quoteIntervalMs, () => this.#tryParlay(order)));
      return;
    }
    this.#fill(order, this.#newTrade(offered.price, offered.stakeMicros), 'taker', HOUSE_SOURCE);
    this.#settleFills(order);
  }

  #rest(order: OrderRecord, market: MarketBook): void {
    const { account, orderId, direction, tick, terms } = order;
    order.resting = {
      owner: account.owner,
      orderId,
      direction,
      tick,
      hidden: terms.mode === 'dark',
      minTakerMicros: terms.minTakerMicros,
      remainingMicros: remainingMicros(order),
    };
    market.book.rest(order.resting);
    if (!market.event.suspended) this.#offerToWaiting(market, direction);
    this.#parts.notices.bookChanged(market);
  }

  /** Takes what the book has for the order, at the resting price unless the order insists on its own. */
  #matchAsTaker(order: OrderRecord, market: MarketBook): void {
    const taker = takerOf(order, market.book, this.#parts.danger);
    if (taker === null) return;
    const matches = market.book.match(taker);
    if (matches.length === 0) return;
    if (order.resting !== null) market.book.reduce(order.resting, stakeOf(matches));
    for (const match of matches) {
      const price = priceOf(order.terms.forceWantPrice ? order.tick : match.tick);
      const trade = this.#newTrade(price, match.stakeMicros);
      this.#fillMaker(match, trade, 'exchange');
      this.#fill(order, trade, 'taker', sourceOf(match.resting));
    }
    this.#afterFills(market, matches);
    this.#settleFills(order);
  }

  #crossAccounts(market: MarketBook, resting: Resting): Match[] {
    const { owner, direction, tick, remainingMicros: stakeMicros } = resting;
    if (!market.book.hasOrders(opposite(direction))) return [];
    const accepts = (entry: Resting): boolean => entry.orderId !== null;
    const taker = { owner, direction, limitTick: tick, stakeMicros, wantStakeMicros: stakeMicros, accepts };
    const matches = market.book.match(taker);
    this.#fillMakers(market, matches, sourceOf(resting));
    return matches;
  }

  /** The account side of trades with the background; answers the stake of all of them. */
  #fillMakers(market: MarketBook, matches: readonly Match[], source: string): Micros {
    for (const match of matches) {
      this.#fillMaker(match, this.#newTrade(priceOf(match.tick), match.stakeMicros), source);
    }
    if (matches.length > 0) this.#afterFills(market, matches);
    return stakeOf(matches);
  }

  #fillMaker(match: Match, trade: Trade, source: string): void {
    if (match.resting.orderId !== null) this.#fill(this.#order(match.resting), trade, 'maker', source);
  }

  #afterFills(market: MarketBook, matches: readonly Match[]): void {
    this.#parts.notices.bookChanged(market);
    const makers = new Set(
      matches.filter(({ resting }) => resting.orderId !== null).map(({ resting }) => this.#order(resting)),
    );
    for (const maker of makers) this.#settleFills(maker);
  }

  /** New resting stake is there for the orders that wait for it, the oldest first. */
  #offerToWaiting(market: MarketBook, resting: Direction): void {
    if (market.waiting.length === 0) return;
    for (const order of [...market.waiting]) {
      if (order.direction !== resting && isWorking(order)) this.#matchAsTaker(order, market);
    }
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
    order.status = order.filledMicros > 0 ? 'done' : 'failed';
    order.closed = true;
    order.closedMs = this.#parts.scheduler.nowMs;
    order.account.openOrders.delete(order);
    this.#touch(order);
  }

  /** Brings the account's reservation to what the order can still lose beyond its bets. */
  #reserve(order: OrderRecord): void {
    const wanted = isWorking(order)
      ? liabilityMicros(order.direction, remainingMicros(order), priceOf(order.tick))
      : 0;
    order.account.reservedMicros += wanted - order.reservedMicros;
    order.reservedMicros = wanted;
    this.#parts.notices.balanceChanged(order.account);
  }

  #touch(order: OrderRecord): void {
    order.updatedMs = this.#parts.scheduler.nowMs;
    this.#parts.notices.orderChanged(order);
  }

  #order(resting: Resting): OrderRecord {
    const order = resting.orderId === null ? undefined : this.#orders.get(resting.orderId);
    invariant(order !== undefined, 'a resting entry without its order', { orderId: resting.orderId });
    return order;
  }
}

/** The stake that the account has on the order's events, for the stake limit. */
function changeEventStakes({ account, event, legs }: OrderRecord, byMicros: Micros): void {
  const events = legs.length > 0 ? legs.map((leg) => leg.event) : [event];
  for (const { key } of events) account.eventStakes.set(key, (account.eventStakes.get(key) ?? 0) + byMicros);
}

const stakeOf = (matches: readonly Match[]): Micros =>
  matches.reduce((sum, match) => sum + match.stakeMicros, 0);

const accountStake = (matches: readonly Match[]): Micros =>
  stakeOf(matches.filter(({ resting }) => resting.orderId !== null));
