import { TransportError } from '../../domain/errors.ts';
import type { BetslipId } from '../../domain/ids.ts';
import type { BetslipRequest } from '../../domain/orders.ts';
import type { PriceList } from '../../domain/price-list.ts';
import { ClockLead } from '../../lib/clock-lead.ts';
import type { Priority } from '../../ports/venue.ts';
import type { OrderContext } from '../state/context.ts';
import { type Attempt, SOON_MS } from '../state/fruitless.ts';
import type { HeldBetslip, KeptBetslip } from '../plan/betslips.ts';
import type { PacedBudget } from './budgets.ts';

/** Longest wait of a create request in the client's queue. Others may overtake it and use up its budget, for hours. */
const LONGEST_IN_LINE_MS = 10_000;

/** The create request of one betslip. It can be withdrawn while it waits in the client's queue. */
export class BetslipCreate {
  readonly priority: Priority;
  readonly isFromReserve: boolean;
  readonly #budget: PacedBudget;
  readonly #sinceMs: number;
  readonly #aborter = new AbortController();
  #state: 'waiting' | 'sent' | 'withdrawn' = 'waiting';

  constructor(budget: PacedBudget, priority: Priority, isFromReserve: boolean, nowMs: number) {
    this.#budget = budget;
    this.priority = priority;
    this.isFromReserve = isFromReserve;
    this.#sinceMs = nowMs;
    budget.spend();
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
    this.#budget.giveBack();
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
  /** Monotonic instant since which no target wants it; Infinity while one does. */
  unwantedMs: number;
  /** Monotonic instant since which an order could have been sent on it; Infinity before its first quote. */
  readyMs: number;
  /** An order that names it is on its way, or rests while the market is pinned. */
  servesOrder: boolean;
  /** An order was sent on it, or was to be sent. */
  isUsed: boolean;
  value: number;
  /** Monotonic instant before which no request about it is sent, after one has failed. */
  restsUntilMs: number;
}

/** A slot whose create request is made now. */
export const newSlot = (of: Pick<Slot, 'key' | 'market' | 'create' | 'value'>, nowMs: number): Slot => ({
  ...of,
  beganMs: nowMs,
  id: null,
  state: 'creating',
  openedMs: Infinity,
  expiresMs: Infinity,
  refreshing: false,
  quote: null,
  quoteMs: -Infinity,
  quotelessMs: nowMs,
  unwantedMs: Infinity,
  readyMs: Infinity,
  servesOrder: false,
  isUsed: false,
  restsUntilMs: -Infinity,
});

/** Notes what the targets want of the betslip now; `kept` is undefined if they want nothing. */
export function noteTargets(slot: Slot, kept: KeptBetslip | undefined, nowMs: number): void {
  const serves = kept?.servesOrder === true;
  if (slot.servesOrder && !serves) slot.readyMs = nowMs;
  slot.servesOrder = serves;
  if (kept === undefined) {
    slot.unwantedMs = Math.min(slot.unwantedMs, nowMs);
    return;
  }
  slot.unwantedMs = Infinity;
  slot.value = kept.value;
  slot.isUsed ||= kept.isPlacing;
  // A failed deletion may wait long for its turn, but a refresh may be due before.
  slot.restsUntilMs = Math.min(slot.restsUntilMs, nowMs + REST_MS);
}

/** The slot as the plan sees it. */
export const heldOf = (slot: Slot, nowMs: number): HeldBetslip => ({
  key: slot.key,
  state: slot.state,
  value: slot.value,
  hasQuote: slot.quote !== null,
  isUsed: slot.isUsed,
  boreFruit: boreFruit(slot, nowMs),
  waitsAsNormal: slot.create.waitsAsNormal,
  readyMs: slot.servesOrder ? Infinity : slot.readyMs,
  unwantedMs: slot.unwantedMs,
  restsUntilMs: slot.restsUntilMs,
});

/** The betslip was used, or has been open for some time. */
export const boreFruit = ({ isUsed, openedMs }: Slot, nowMs: number): boolean =>
  isUsed || nowMs - openedMs >= SOON_MS;

/** Monotonic instant since which it has no usable quote. One that is too old is not usable. */
export const quotelessSinceMs = ({ quote, quotelessMs, quoteMs }: Slot, maxAgeMs: number): number =>
  quote === null ? quotelessMs : quoteMs + maxAgeMs;

/** The betslip as an attempt. */
export const attemptOf = ({ key, beganMs }: Slot): Attempt => ({ market: key, beganMs });

/**
 * Monotonic instant of the next refresh; -Infinity while the betslip is being created, refreshed or deleted, or
 * has no quote.
 */
export function refreshDueMs({ state, quote, refreshing, expiresMs }: Slot, refreshLeadMs: number): number {
  const rests = state === 'open' && quote !== null && !refreshing;
  return rests ? expiresMs - refreshLeadMs : -Infinity;
}
