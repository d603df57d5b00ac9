import { TransportError } from '../../domain/errors.ts';
import type { BetslipId } from '../../domain/ids.ts';
import type { BetslipRequest } from '../../domain/orders.ts';
import type { PriceList } from '../../domain/price-list.ts';
import { ClockLead } from '../../lib/clock-lead.ts';
import type { Priority } from '../../ports/venue.ts';
import type { OrderOptions } from '../options.ts';
import type { OrderContext } from '../state/context.ts';
import { type Attempt, SOON_MS } from '../state/fruitless.ts';
import type { Budget } from './budgets.ts';

/** Longest wait of a create request in the client's queue. Others may overtake it and use up its budget, for hours. */
const LONGEST_IN_LINE_MS = 10_000;

/** The create request of one betslip. It can be withdrawn while it waits in the client's queue. */
export class BetslipCreate {
  readonly priority: Priority;
  readonly isFromReserve: boolean;
  readonly #budget: Budget;
  readonly #sinceMs: number;
  readonly #aborter = new AbortController();
  #state: 'waiting' | 'sent' | 'withdrawn' = 'waiting';

  constructor(budget: Budget, priority: Priority, nowMs: number) {
    this.#budget = budget;
    this.isFromReserve = budget.isReserve;
    this.priority = priority;
    this.#sinceMs = nowMs;
    budget.from.spend();
  }

  /** Aborted when the request is withdrawn. */
  get signal(): AbortSignal {
    return this.#aborter.signal;
  }

  /** The request was withdrawn before it was sent. */
  get isWithdrawn(): boolean {
    return this.#state === 'withdrawn';
  }

  /** The request waits behind those that reduce risk. */
  get waitsAsNormal(): boolean {
    return this.#state === 'waiting' && this.priority === 'normal';
  }

  isOverdue(nowMs: number): boolean {
    return this.#state === 'waiting' && nowMs - this.#sinceMs > LONGEST_IN_LINE_MS;
  }

  /** Marks the request as sent. Throws TransportError `not-sent` when it was withdrawn. */
  leave(): void {
    if (this.isWithdrawn) throw this.#unsent();
    this.#state = 'sent';
  }

  /** Withdraws the request and returns its budget. Does nothing once it was sent. */
  withdraw(): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'withdrawn';
    this.#budget.from.giveBack();
    this.#aborter.abort(this.#unsent());
  }

  #unsent(): TransportError {
    return new TransportError('not-sent', 'the betslip was withdrawn while it waited for its budget');
  }
}

/**
 * A reported life of a betslip is believed up to this multiple of the usual life, and from `SHORTEST_LIFE` of
 * it on.
 */
export const LONGEST_LIFE = 4;
const SHORTEST_LIFE = 1 / 3;

/**
 * Converts the expiry of a betslip to its remaining life. The expiry is in the exchange's time, and our clock
 * may be wrong: frames of the stream show the exchange's time.
 */
export class BetslipLife {
  readonly #context: OrderContext;
  readonly #lead = new ClockLead();

  constructor(context: OrderContext) {
    this.#context = context;
  }

  /** Notes the exchange's time in a frame, and the monotonic instant of its arrival. */
  onExchangeTime(sentMs: number, receivedMonotonicMs: number): void {
    this.#lead.see(sentMs, receivedMonotonicMs);
  }

  /** Milliseconds until the expiry, limited to believable values; the usual life when no expiry is reported. */
  leftMs(expiryMs: number | null): number {
    const { clock, venue } = this.#context.deps;
    const { lifeMs } = this.#context.options.betslips;
    if (expiryMs === null) return lifeMs;
    const exchangeMs = this.#lead.exchangeMs(clock.monotonicMs());
    const toldMs = expiryMs - (exchangeMs ?? clock.wallMs());
    // Our own clock may be wrong, so a life by it is no word of the exchange.
    const leftMs = exchangeMs === null ? toldMs : venue.bounded('betslip.life', toldMs / 1_000) * 1_000;
    return Math.min(Math.max(leftMs, lifeMs * SHORTEST_LIFE), lifeMs * LONGEST_LIFE);
  }
}

/** A failed refresh or deletion is retried after this long. */
export const REST_MS = 1_000;
/** A rotating market's betslip is deleted this long after its order was sent. */
const ROTATING_IDLE_MS = 1_000;
/** A betslip that was ready for this long without an order may give its place to another. */
const UNUSED_MS = 10_000;

/** A betslip of ours, from its create request on. */
export interface Slot {
  /** Names the market. Stored, since every sweep uses it. */
  readonly key: string;
  readonly market: BetslipRequest;
  readonly create: BetslipCreate;
  /** Monotonic instant at which it was begun. */
  readonly beganMs: number;
  id: BetslipId | null;
  state: 'creating' | 'open' | 'deleting';
  /** Monotonic instant at which the exchange has shown it open; Infinity before. */
  openedMs: number;
  expiresMs: number;
  /** A refresh is in flight. */
  refreshing: boolean;
  /** As the exchange sent it, in the prices of the betslip. */
  quote: PriceList | null;
  quoteMs: number;
  /** Monotonic instant since which it has no usable quote; meaningless while it has one. */
  quotelessMs: number;
  wantedMs: number;
  /**
   * Monotonic instant since which an order could have been sent on it: the latest of its first quote, the last
   * order sent on it, and, while pinned, the last open order.
   */
  readyMs: number;
  /** An order was sent on it, or was to be sent. */
  isUsed: boolean;
  value: number;
  /** Monotonic instant before which no request about it is sent, after one has failed. */
  restsUntilMs: number;
}

/** Names a market. A `lay` betslip has other prices than a normal one on the same bet type. */
export const keyOf = ({ eventId, sport, betType, betslipType }: BetslipRequest): string =>
  `${eventId}|${sport}|${betType}${betslipType === 'lay' ? '|lay' : ''}`;

/** A slot whose create request is made now. */
export const newSlot = (of: Pick<Slot, 'key' | 'market' | 'create' | 'value'>, nowMs: number): Slot => ({
  ...{ ...of, beganMs: nowMs, id: null, state: 'creating', openedMs: Infinity },
  ...{ expiresMs: Infinity, refreshing: false },
  ...{
    quote: null,
    quoteMs: -Infinity,
    quotelessMs: nowMs,
    wantedMs: nowMs,
    readyMs: Infinity,
    isUsed: false,
    restsUntilMs: -Infinity,
  },
});

/** Notes that the market is wanted. A failed deletion may wait long for its turn, but a refresh may be due before. */
export function noteWanted(slot: Slot, value: number, nowMs: number): void {
  [slot.wantedMs, slot.value] = [nowMs, value];
  slot.restsUntilMs = Math.min(slot.restsUntilMs, nowMs + REST_MS);
}

/** The betslip was used, or has been open for some time. */
export const boreFruit = ({ isUsed, openedMs }: Slot, nowMs: number): boolean =>
  isUsed || nowMs - openedMs >= SOON_MS;

/** The betslip as an attempt. */
export const attemptOf = ({ key, beganMs }: Slot): Attempt => ({ market: key, beganMs });

/** Returns whether no quote has wanted the betslip for `ms` milliseconds. */
export const isIdle = ({ wantedMs }: Slot, nowMs: number, ms: number): boolean => nowMs - wantedMs > ms;

/**
 * Longest idle time in ms. A refused order asks again within the retry time; on a rotating market, the next order
 * is far off once one was sent.
 */
export function longestIdleMs({ isUsed }: Slot, isPinned: boolean, options: OrderOptions): number {
  if (isPinned) return options.betslips.idleMs;
  return isUsed ? ROTATING_IDLE_MS : options.retryMs + ROTATING_IDLE_MS;
}

/** The rank of a betslip for keeping its place: pinned ones by value, rotating ones below all of them, idle ones last. */
export const rankOf = (slot: Slot, isPinned: boolean, nowMs: number): number =>
  isIdle(slot, nowMs, 1_000) ? -1 : isPinned ? slot.value : -0.5;

/**
 * Returns the rotating betslip that has been ready without an order for longest, because something else keeps the
 * order from being sent. Null also while any betslip is being deleted.
 */
export function longestUnused(
  slots: Iterable<Slot>,
  isPinned: (key: string) => boolean,
  nowMs: number,
): Slot | null {
  let longest: Slot | null = null;
  for (const slot of slots) {
    if (slot.state === 'deleting') return null;
    const isUnused = slot.state === 'open' && !isPinned(slot.key) && nowMs - slot.readyMs > UNUSED_MS;
    if (isUnused && slot.readyMs < (longest?.readyMs ?? Infinity)) longest = slot;
  }
  return longest;
}

/**
 * Monotonic instant of the next refresh; -Infinity while the betslip is being created, refreshed or deleted, or
 * has no quote.
 */
export function refreshDueMs({ state, quote, refreshing, expiresMs }: Slot, refreshLeadMs: number): number {
  const rests = state === 'open' && quote !== null && !refreshing;
  return rests ? expiresMs - refreshLeadMs : -Infinity;
}
