import { eventKey, type EventName, isSameEvent } from '../../domain/events.ts';
import type { BetId, EventKey } from '../../domain/ids.ts';
import { isTerminal } from '../../domain/lifecycle.ts';
import type { Fill, LiveOrder } from '../../domain/live-order.ts';
import type { Micros } from '../../domain/money.ts';
import { isParlay, isUnmatched, type VenueBet, type VenueOrder } from '../../domain/orders.ts';
import { SELECTION_KINDS } from '../../domain/odds.ts';
import { type Direction, directionOf, DIRECTIONS, selectionIdOf } from '../../domain/selection.ts';
import type { ExposureBook } from './book.ts';
import type { Bet } from './payoffs.ts';

/** An order as far as exposure is concerned: ours, someone else's on the account, or one just approved. */
export interface ExposedOrder {
  /** The request_uuid of our order; `#` and the order id of any other. */
  readonly key: string;
  readonly orderId: number | null;
  readonly bet: Bet;
  readonly filledMicros: Micros;
  readonly ended: boolean;
  /** `approved`: not yet reported as an order. */
  readonly origin: 'approved' | 'own' | 'foreign';
  /** Monotonic instant of the approval or of the create request, or 0. */
  readonly createdMs: number;
  readonly closing: boolean;
  /** A combination is only ever bought: its stake is all that it can lose. */
  readonly isParlay: boolean;
}

interface Booked {
  order: ExposedOrder | null;
  bookedMicros: Micros;
  /** The event is over: the order no longer counts, whatever later messages say. */
  settled: boolean;
  /** Fills received before their order, whose direction is unknown. */
  unread: readonly Fill[];
}

/**
 * Keeps the exposure book in step with orders and fills, in whichever sequence they arrive. Each matched stake counts once:
 * at the price of its fill when the fill is known. Until then it counts at the order's own price, which can only be worse.
 */
export class OrderTracker {
  readonly #book: ExposureBook;
  readonly #orders = new Map<string, Booked>();
  readonly #keyOfOrderId = new Map<number, string>();
  /** Orders that may still be matched. */
  readonly #open = new Map<string, ExposedOrder>();
  readonly #bets = new Map<BetId, Fill>();
  /** Bets settled by id. Their fills may still be missing: after a restart, results can arrive before fills. */
  readonly #settledBets = new Set<BetId>();
  /** Bets that were voided individually. Their fills may still be missing. */
  readonly #voided = new Set<BetId>();
  /** Void bets of orders that may still be open. */
  readonly #inDoubt = new Set<BetId>();
  /** Settled bets with a known fill, by event. */
  readonly #settledIn = new Map<EventKey, Set<BetId>>();

  constructor(book: ExposureBook) {
    this.#book = book;
  }

  onOrder(order: ExposedOrder): void {
    if (order.origin === 'foreign' && this.#isOurs(order.orderId)) return;
    this.#book.change(order.bet, () => this.#take(order));
  }

  /** Counts an order from its approval on. */
  reserve(key: string, bet: Bet, nowMs: number): void {
    this.onOrder({
      key,
      bet,
      orderId: null,
      filledMicros: 0,
      ended: false,
      closing: false,
      isParlay: false,
      origin: 'approved',
      createdMs: nowMs,
    });
  }

  /** Forgets an approval that will not be sent. Does nothing once the order was reported. */
  release(key: string): void {
    const booked = this.#orders.get(key);
    if (booked?.order?.origin !== 'approved') return;
    this.onOrder({ ...booked.order, ended: true });
  }

  /** Forgets approvals older than an instant (monotonic ms) that never became orders. */
  lapse(beforeMs: number): void {
    for (const { key, createdMs } of this.open()) {
      if (createdMs < beforeMs) this.release(key);
    }
  }

  /** Returns whether the bet is new. Each bet counts once. */
  onFill(fill: Fill): boolean {
    if (this.#bets.has(fill.betId)) return false;
    this.#bets.set(fill.betId, fill);
    const key = this.#keyOfFill(fill);
    const booked = this.#booked(key);
    if (this.#settledBets.has(fill.betId)) this.#noteSettled(fill);
    else if (!this.#voided.has(fill.betId)) this.#putFill(fill, booked);
    booked.bookedMicros += fill.stakeMicros;
    this.#sync(key, booked);
    return true;
  }

  /** The event's matched bets (or those named) are settled or void: they can lose nothing more. */
  onSettled(event: EventName, betIds?: readonly BetId[]): void {
    for (const betId of betIds ?? []) this.#settledBets.add(betId);
    for (const betId of betIds ?? this.#bets.keys()) this.#settle(event, betId);
    if (betIds === undefined) this.#settleEnded(event);
  }

  /** Settled bets are open again. */
  onReopened(betIds: readonly BetId[]): void {
    for (const betId of betIds) {
      const fill = this.#bets.get(betId);
      const wasSettled = this.#settledBets.delete(betId);
      if (!wasSettled || fill === undefined) continue;
      this.#settledIn.get(eventKey(fill))?.delete(betId);
      if (!this.#voided.has(betId)) this.#putFill(fill, this.#booked(this.#keyOfFill(fill)));
    }
  }

  /** `isValid`: the bet is valid; otherwise the exchange voided it and it no longer counts. */
  onBetValidity(betId: BetId, isValid: boolean): void {
    const fill = this.#bets.get(betId);
    if (!isValid) {
      this.#voided.add(betId);
      if (fill !== undefined) this.#remove(betKey(betId), fill);
      return;
    }
    const isBack = this.#voided.delete(betId) && !this.#settledBets.has(betId);
    if (isBack && fill !== undefined) this.#putFill(fill, this.#booked(this.#keyOfFill(fill)));
  }

  /**
   * Whether the latest message on an order that may still be open shows the bet as void. While it is void, the bet counts only
   * where it loses: its stake may be matched again, and its former match wins nothing.
   */
  onDoubt(betId: BetId, isVoid: boolean): void {
    if (this.#inDoubt.has(betId) === isVoid) return;
    if (isVoid) this.#inDoubt.add(betId);
    else this.#inDoubt.delete(betId);
    const fill = this.#bets.get(betId);
    const counts = !this.#settledBets.has(betId) && !this.#voided.has(betId);
    if (counts && fill !== undefined) this.#putFill(fill, this.#booked(this.#keyOfFill(fill)));
  }

  /** Whether any bet on an event is settled. */
  hasSettled(event: EventName): boolean {
    return (this.#settledIn.get(eventKey(event))?.size ?? 0) > 0;
  }

  /** Orders that may still be matched. */
  open(): readonly ExposedOrder[] {
    return [...this.#open.values()];
  }

  /** How many orders may still be matched. */
  get openCount(): number {
    return this.#open.size;
  }

  /** Stake of all orders that may still be matched. */
  openStakeMicros(): Micros {
    let total = 0;
    for (const [key, order] of this.#open) total += openMicros(order, this.#booked(key).bookedMicros);
    return total;
  }

  /** Runs `judge` while the unmatched stake of an order does not count, and returns its result. */
  without<T>(key: string, judge: () => T): T {
    const order = this.#open.get(key);
    if (order === undefined) return judge();
    return this.#book.change(order.bet, () => {
      this.#remove(`open:${key}`, order.bet);
      try {
        return judge();
      } finally {
        this.#sync(key, this.#booked(key));
      }
    });
  }

  /** Whether an entry of the exposure book is a bet or an order of ours, and not of others on the account. */
  isOurEntry(entry: string): boolean {
    const betId = /^bet:(\d+)/.exec(entry)?.[1];
    const fill = betId === undefined ? undefined : this.#bets.get(Number(betId) as BetId);
    const key = fill === undefined ? entry.slice(entry.indexOf(':') + 1) : this.#keyOfFill(fill);
    return !key.startsWith('#');
  }

  /** Whether an order, or its approval, may still be matched. */
  isOpen(key: string): boolean {
    return this.#open.has(key);
  }

  #take(order: ExposedOrder): void {
    if (order.orderId !== null) this.#adopt(order.orderId, order.key);
    const booked = this.#booked(order.key);
    // An order that moved to another event is open only there.
    if (booked.order !== null && !isSameEvent(booked.order.bet, order.bet))
      this.#clear(order.key, booked.order);
    booked.order = order;
    if (order.ended) this.#open.delete(order.key);
    else this.#open.set(order.key, order);
    if (order.isParlay) this.#recountUnread(booked);
    this.#sync(order.key, booked);
  }

  #settle(event: EventName, betId: BetId): void {
    const fill = this.#bets.get(betId);
    if (fill === undefined || !isSameEvent(fill, event)) return;
    this.#remove(betKey(betId), fill);
    this.#noteSettled(fill);
  }

  #noteSettled(fill: Fill): void {
    const key = eventKey(fill);
    const settled = this.#settledIn.get(key) ?? new Set();
    this.#settledIn.set(key, settled.add(fill.betId));
  }

  /** Whether this order id already belongs to one of our own orders. */
  #isOurs(orderId: number | null): boolean {
    const key = orderId === null ? undefined : this.#keyOfOrderId.get(orderId);
    return key !== undefined && !key.startsWith('#');
  }

  #booked(key: string): Booked {
    const booked = this.#orders.get(key) ?? { order: null, bookedMicros: 0, settled: false, unread: [] };
    this.#orders.set(key, booked);
    return booked;
  }

  #keyOfFill(fill: Fill): string {
    return fill.requestUuid ?? this.#keyOfOrderId.get(fill.orderId) ?? foreignKey(fill.orderId);
  }

  /** Moves stakes booked under the order id to our order, once the id is known to be ours. */
  #adopt(orderId: number, key: string): void {
    this.#keyOfOrderId.set(orderId, key);
    const foreign = this.#orders.get(foreignKey(orderId));
    if (foreign === undefined || key === foreignKey(orderId)) return;
    this.#orders.delete(foreignKey(orderId));
    this.#open.delete(foreignKey(orderId));
    this.#clear(foreignKey(orderId), foreign.order);
    this.#booked(key).bookedMicros += foreign.bookedMicros;
  }

  #sync(key: string, booked: Booked): void {
    const { order, bookedMicros } = booked;
    if (order === null) return;
    if (order.ended && booked.settled) {
      this.#clear(key, order);
      return;
    }
    const matched = Math.max(order.filledMicros, bookedMicros);
    const open = { ...order.bet, stakeMicros: openMicros(order, bookedMicros) };
    const filled = { ...order.bet, stakeMicros: matched - bookedMicros };
    this.#put(`open:${key}`, open, { matched: false, held: false }, sidesOf(order));
    this.#put(`filled:${key}`, filled, { matched: true, held: true }, sidesOf(order));
    if (order.ended && matched === 0) this.#forget(key, order);
  }

  #clear(key: string, order: ExposedOrder | null): void {
    if (order === null) return;
    this.#remove(`open:${key}`, order.bet);
    this.#remove(`filled:${key}`, order.bet);
  }

  #putFill(fill: Fill, booked: Booked): void {
    const standing = { matched: !this.#inDoubt.has(fill.betId), held: true };
    this.#put(betKey(fill.betId), fill, standing, sidesOf(booked.order ?? fill));
    const isUnread = booked.order === null && fill.isParlay !== true && directionOf(fill.betType) === null;
    if (isUnread) booked.unread = [...booked.unread, fill];
  }

  /** Once an order proves to be a parlay, its fills stop counting as `against` bets. */
  #recountUnread(booked: Booked): void {
    for (const fill of booked.unread) this.#book.remove(fill, `${betKey(fill.betId)} against`);
    booked.unread = [];
  }

  /**
   * A bet of unknown direction counts in every direction that it may have, but only where it loses. Otherwise the gain of
   * one direction would cancel the loss of the other.
   */
  #put(
    key: string,
    bet: Bet,
    { matched, held }: { readonly matched: boolean; readonly held: boolean },
    sides: readonly Direction[],
  ): void {
    if (directionOf(bet.betType) !== null) this.#book.put(key, bet, matched, held);
    else
      for (const direction of sides)
        this.#book.put(
          `${key} ${direction}`,
          { ...bet, direction, priceKind: SELECTION_KINDS[direction] },
          false,
          held,
        );
  }

  #remove(key: string, bet: EventName & Pick<Bet, 'betType'>): void {
    const keys = directionOf(bet.betType) === null ? DIRECTIONS.map((each) => `${key} ${each}`) : [key];
    for (const each of keys) this.#book.remove(bet, each);
  }

  #forget(key: string, order: ExposedOrder): void {
    this.#orders.delete(key);
    if (order.orderId !== null) this.#keyOfOrderId.delete(order.orderId);
  }

  #settleEnded(event: EventName): void {
    for (const [key, booked] of this.#orders) {
      if (booked.order === null || !isSameEvent(booked.order.bet, event)) continue;
      booked.settled = true;
      this.#sync(key, booked);
    }
  }
}

function openMicros(order: ExposedOrder, bookedMicros: Micros): Micros {
  if (order.ended) return 0;
  return Math.max(0, order.bet.stakeMicros - Math.max(order.filledMicros, bookedMicros));
}

/** The possible directions of an order whose bet type names none, or of a fill whose order is not known (yet). */
const sidesOf = (bet: Pick<Fill, 'isParlay'>): readonly Direction[] =>
  bet.isParlay === true ? ['for'] : DIRECTIONS;

const betKey = (id: BetId): string => `bet:${id}`;

const foreignKey = (id: number): string => `#${id}`;

/** Our own order, in the tracker's form. */
export function exposedOf(order: LiveOrder, price: number): ExposedOrder {
  const { selectionId, sport, eventId, betType, direction, priceKind, stakeMicros } = order;
  return {
    key: order.requestUuid,
    orderId: order.orderId,
    bet: { selectionId, sport, eventId, betType, direction, priceKind, stakeMicros, price },
    filledMicros: order.filledMicros,
    ended: isTerminal(order.state),
    origin: 'own',
    createdMs: order.createdMonotonicMs,
    closing: order.state === 'closing',
    isParlay: false,
  };
}

/**
 * An order that we did not place, at its limit price. A settled order can lose nothing more. A bet type without a known
 * direction is given as `for`; the tracker counts a parlay as `for` and an unreadable type in both directions.
 */
export function foreignOrder(order: VenueOrder, settled: boolean): ExposedOrder {
  const { sport, eventId, betType, wantPrice: price, wantStakeMicros: stakeMicros } = order;
  const selectionId = selectionIdOf(order);
  const direction = directionOf(betType) ?? 'for';
  return {
    key: foreignKey(order.orderId),
    orderId: order.orderId,
    bet: {
      selectionId,
      sport,
      eventId,
      betType,
      direction,
      priceKind: SELECTION_KINDS[direction],
      price,
      stakeMicros,
    },
    filledMicros: settled ? 0 : filledOf(order),
    ended: order.closed,
    origin: 'foreign',
    createdMs: 0,
    closing: false,
    isParlay: isParlay(order),
  };
}

/**
 * Stake that counts as matched. The exchange's total may include voided bets. While the order is open, their stake may be
 * matched again, so it counts as open.
 */
function filledOf({ bets, stakeMicros }: VenueOrder): Micros {
  const unmatched = bets.filter(isUnmatched);
  const valid = bets.filter((bet) => !isUnmatched(bet));
  return Math.max(gotMicros(valid), (stakeMicros ?? 0) - gotMicros(unmatched));
}

const gotMicros = (bets: readonly VenueBet[]): Micros =>
  bets.reduce((total, { gotStakeMicros }) => total + (gotStakeMicros ?? 0), 0);
