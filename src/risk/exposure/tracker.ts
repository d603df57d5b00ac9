import type { AccountChange } from '../../account/changes.ts';
import { type BetState, isAtStake, isSettledBet } from '../../domain/bet-lifecycle.ts';
import { eventKey, type EventName, isSameEvent } from '../../domain/events.ts';
import type { BetId, BetType, EventKey } from '../../domain/ids.ts';
import {
  type BetTerms,
  betslipTypeOf,
  type ExchangePrices,
  possibleTerms,
} from '../../domain/exchange-prices.ts';
import type { Fill } from '../../domain/live-order.ts';
import type { Micros } from '../../domain/money.ts';
import { liabilityMicros } from '../../domain/odds.ts';
import { type Direction, directionOf } from '../../domain/selection.ts';
import type { ExposureBook } from './book.ts';
import { doubtfulKey, doubtfulKeys } from './entry-keys.ts';
import { type ExposedOrder, foreignKey } from './exposed-order.ts';
import type { Bet } from './payoffs.ts';

interface Booked {
  order: ExposedOrder | null;
  bookedMicros: Micros;
  /** The event is over: the order no longer counts, whatever later messages say. */
  settled: boolean;
  /** Fills received before their order, whose terms are unknown. */
  unread: readonly BetId[];
}

/** A bet that may win or lose. */
interface BetAtStake {
  readonly fill: Fill;
  /** It counts only where it loses: its stake may be matched again, and its former match wins nothing. */
  readonly isDoubtful: boolean;
}

/**
 * Keeps the exposure book in step with orders and fills, in whichever sequence they arrive. Each matched stake counts once:
 * at the price of its fill when the fill is known. Until then it counts at the order's own price, which can only be worse.
 */
export class OrderTracker {
  readonly #book: ExposureBook;
  readonly #exchangePrices: () => ExchangePrices;
  readonly #isDisputed: (fill: Fill) => boolean;
  /** By which the bets of others were counted last; null before the first. */
  #convention: ExchangePrices['convention'] | null = null;
  /** Keys of bets and orders that are in the book with each direction that they may have. */
  readonly #doubtful = new Set<string>();
  readonly #orders = new Map<string, Booked>();
  readonly #keyOfOrderId = new Map<number, string>();
  /** Orders that may still be matched. */
  readonly #open = new Map<string, ExposedOrder>();
  /** Bets that may win or lose. */
  readonly #atStake = new Map<BetId, BetAtStake>();
  /** Settled bets by event. */
  readonly #settledIn = new Map<EventKey, Set<BetId>>();

  /** `isDisputed`: whether a bet may be void because the score by which it was matched may not have stood. */
  constructor(
    book: ExposureBook,
    exchangePrices: () => ExchangePrices,
    isDisputed: (fill: Fill) => boolean = () => false,
  ) {
    [this.#book, this.#exchangePrices, this.#isDisputed] = [book, exchangePrices, isDisputed];
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
      orderType: null,
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

  /** Counts a bet as the account does. Results of orders change nothing here: their bets move. */
  onChange(change: AccountChange): void {
    if (change.kind === 'booked') this.#onBooked(change.fill, change.state);
    else if (change.kind === 'moved') this.#count(change.fill, change.to);
  }

  #onBooked(fill: Fill, state: BetState): void {
    const key = this.#keyOfFill(fill);
    const booked = this.#booked(key);
    this.#count(fill, state);
    booked.bookedMicros += fill.stakeMicros;
    this.#sync(key, booked);
  }

  #count(fill: Fill, state: BetState): void {
    this.#noteSettled(fill, isSettledBet(state));
    if (isAtStake(state)) this.#putBet({ fill, isDoubtful: state === 'doubtful' });
    else this.#removeBet(fill);
  }

  /** The event is over: what was at stake on it can lose nothing more, whatever the account knows of its results. */
  onEventOver(event: EventName): void {
    for (const { fill } of Array.from(this.#atStake.values())) {
      if (!isSameEvent(fill, event)) continue;
      this.#removeBet(fill);
      this.#noteSettled(fill, true);
    }
    this.#settleEnded(event);
  }

  /** Counts the bets of others anew once it is known what the exchange's prices are. Call it regularly. */
  onPrices(): void {
    const { convention } = this.#exchangePrices();
    if (this.#convention === null || convention === this.#convention) return;
    this.#convention = convention;
    for (const [key, booked] of this.#orders) if (booked.order?.origin === 'foreign') this.#sync(key, booked);
    for (const bet of this.#atStake.values()) if (bet.fill.requestUuid === null) this.#putBet(bet);
  }

  /** A dispute about the score of an event has begun or ended: bets that it concerns may be void. */
  onDispute(key: EventKey): void {
    for (const bet of Array.from(this.#atStake.values())) if (eventKey(bet.fill) === key) this.#putBet(bet);
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
    const fill = betId === undefined ? undefined : this.#atStake.get(Number(betId) as BetId)?.fill;
    const key = fill === undefined ? entry.slice(entry.indexOf(':') + 1) : this.#keyOfFill(fill);
    return !key.startsWith('#');
  }

  /** Whether an entry of the exposure book is an order of ours that may still be matched. */
  isOurOpenOrder(entry: string): boolean {
    return entry.startsWith('open:') && this.isOurEntry(entry);
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
    this.#recountUnread(booked);
    this.#sync(order.key, booked);
  }

  #noteSettled(fill: Fill, isSettled: boolean): void {
    const key = eventKey(fill);
    const settled = this.#settledIn.get(key) ?? new Set();
    if (isSettled) this.#settledIn.set(key, settled.add(fill.betId));
    else settled.delete(fill.betId);
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
    const booked = this.#booked(key);
    booked.bookedMicros += foreign.bookedMicros;
    booked.unread = [...booked.unread, ...foreign.unread];
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
    const terms = this.#termsOfOrder(order);
    this.#put(`open:${key}`, open, { matched: false, held: false }, terms);
    this.#put(`filled:${key}`, filled, { matched: true, held: true }, terms);
    if (!order.ended || matched !== 0) return;
    this.#orders.delete(key);
    if (order.orderId !== null) this.#keyOfOrderId.delete(order.orderId);
  }

  #clear(key: string, order: ExposedOrder | null): void {
    if (order === null) return;
    this.#remove(`open:${key}`, order.bet);
    this.#remove(`filled:${key}`, order.bet);
  }

  #putBet(bet: BetAtStake): void {
    const { fill, isDoubtful: isInDoubt } = bet;
    this.#atStake.set(fill.betId, bet);
    const booked = this.#booked(this.#keyOfFill(fill));
    const terms = this.#termsOfFill(fill, booked.order);
    const isCertain = !isInDoubt && !this.#isDisputed(fill);
    this.#put(betKey(fill.betId), fill, { matched: isCertain, held: true }, terms);
    if (booked.order === null && isDoubtful(fill, terms)) booked.unread = [...booked.unread, fill.betId];
  }

  #removeBet(fill: Fill): void {
    if (this.#atStake.delete(fill.betId)) this.#remove(betKey(fill.betId), fill);
  }

  /** Once its order is known, a fill counts with the terms of the order. */
  #recountUnread(booked: Booked): void {
    const { unread } = booked;
    booked.unread = [];
    for (const betId of unread) {
      const bet = this.#atStake.get(betId);
      if (bet !== undefined) this.#putBet(bet);
    }
  }

  #termsOfOrder({ bet, orderType }: ExposedOrder): readonly BetTerms[] {
    return orderType === null ? [bet] : this.#termsOfOthers(bet.betType, orderType);
  }

  /** The terms of our own fills are certain. The order of others decides what its bets are. */
  #termsOfFill(fill: Fill, order: ExposedOrder | null): readonly BetTerms[] {
    if (fill.requestUuid !== null) return [fill];
    return order === null ? this.#termsOfOthers(fill.betType, orderTypeOf(fill)) : this.#termsOfOrder(order);
  }

  #termsOfOthers(betType: BetType, orderType: string | null): readonly BetTerms[] {
    const prices = this.#exchangePrices();
    this.#convention ??= prices.convention;
    return possibleTerms(betType, orderType, prices);
  }

  /**
   * A bet of unknown terms counts in every direction that it may have, but only where it loses. Otherwise the gain of one
   * direction would cancel the loss of the other.
   */
  #put(
    key: string,
    bet: Bet,
    { matched, held }: { readonly matched: boolean; readonly held: boolean },
    terms: readonly BetTerms[],
  ): void {
    const [certain] = terms;
    this.#book.change(bet, () => {
      if (certain === undefined || isDoubtful(bet, terms)) this.#putDoubtful(key, bet, held, terms);
      else {
        if (this.#doubtful.has(key)) this.#remove(key, bet);
        this.#book.put(key, { ...bet, ...termsOf(certain) }, matched, held);
      }
    });
  }

  #putDoubtful(key: string, bet: Bet, held: boolean, terms: readonly BetTerms[]): void {
    this.#remove(key, bet);
    this.#doubtful.add(key);
    for (const entry of gravestOf(bet, terms))
      this.#book.put(doubtfulKey(key, entry.direction), entry, false, held);
  }

  #remove(key: string, bet: EventName): void {
    const keys = this.#doubtful.delete(key) ? doubtfulKeys(key) : [key];
    for (const each of keys) this.#book.remove(bet, each);
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

/** The type of the order of another's fill, as far as the fill itself tells; null if not. */
function orderTypeOf({ isParlay, betType, priceKind }: Fill): string | null {
  if (isParlay === undefined) return null;
  return isParlay ? 'parlay' : betslipTypeOf(betType, priceKind);
}

/** Whether it is unknown what a bet is: it has several terms, or a bet type of which nothing is known. */
const isDoubtful = ({ betType }: Pick<Bet, 'betType'>, terms: readonly BetTerms[]): boolean =>
  terms.length > 1 || directionOf(betType) === null;

const termsOf = ({ direction, priceKind }: BetTerms): BetTerms => ({ direction, priceKind });

/** A bet with the terms that lose most in each direction which it may have. */
function gravestOf(bet: Bet, terms: readonly BetTerms[]): readonly Bet[] {
  const lossOf = ({ priceKind, stakeMicros, price }: Bet): Micros =>
    liabilityMicros(priceKind, stakeMicros, price);
  const gravest = new Map<Direction, Bet>();
  for (const each of terms) {
    const entry = { ...bet, ...termsOf(each) };
    const known = gravest.get(entry.direction);
    if (known === undefined || lossOf(entry) > lossOf(known)) gravest.set(entry.direction, entry);
  }
  return [...gravest.values()];
}

const betKey = (id: BetId): string => `bet:${id}`;
