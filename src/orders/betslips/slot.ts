import { TransportError } from '../../domain/errors.ts';
import type { BetslipId } from '../../domain/ids.ts';
import type { PriceList } from '../../domain/price-list.ts';
import { ClockLead } from '../../lib/clock-lead.ts';
import type { Priority } from '../../ports/venue.ts';
import type { MarketName } from '../api.ts';
import type { OrderOptions } from '../options.ts';
import type { OrderContext } from '../state/context.ts';
import type { Budget } from './budgets.ts';

/** Others may overtake a request in the client's line, and use up what it waits for: for hours then. */
const LONGEST_IN_LINE_MS = 10_000;

/** The create request of one betslip, which can be taken back for as long as it waits in the client's line. */
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

  /** Ends its wait. */
  get signal(): AbortSignal {
    return this.#aborter.signal;
  }

  /** Nothing has left, and nothing will. */
  get isWithdrawn(): boolean {
    return this.#state === 'withdrawn';
  }

  /** It waits behind those that reduce risk. */
  get waitsAsNormal(): boolean {
    return this.#state === 'waiting' && this.priority === 'normal';
  }

  isOverdue(nowMs: number): boolean {
    return this.#state === 'waiting' && nowMs - this.#sinceMs > LONGEST_IN_LINE_MS;
  }

  /** It leaves now. Throws TransportError `not-sent` when it was withdrawn. */
  leave(): void {
    if (this.isWithdrawn) throw this.#unsent();
    this.#state = 'sent';
  }

  /** Takes it back, and what it was to cost. Does nothing once it has left. */
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

/** The exchange's word on a betslip's life is believed up to this multiple of the usual one, and from this part of it on. */
export const LONGEST_LIFE = 4;
const SHORTEST_LIFE = 1 / 3;

/**
 * How long a betslip lives by the instant at which it expires. That is told by the exchange's clock, and ours may be
 * wrong: what time it is there, its frames tell.
 */
export class BetslipLife {
  readonly #context: OrderContext;
  readonly #lead = new ClockLead();

  constructor(context: OrderContext) {
    this.#context = context;
  }

  /** A frame that the exchange has sent at that instant of its clock. */
  heard(sentMs: number, receivedMonotonicMs: number): void {
    this.#lead.see(sentMs, receivedMonotonicMs);
  }

  /** Milliseconds from now until then, as far as it can be believed; as usual where nothing is told. */
  leftMs(expiryMs: number | null): number {
    const { clock } = this.#context.deps;
    const { lifeMs } = this.#context.options.betslips;
    if (expiryMs === null) return lifeMs;
    const leftMs = expiryMs - (this.#lead.exchangeMs(clock.monotonicMs()) ?? clock.wallMs());
    return Math.min(Math.max(leftMs, lifeMs * SHORTEST_LIFE), lifeMs * LONGEST_LIFE);
  }
}

/** A refresh or deletion that failed is repeated this much later. */
export const REST_MS = 1_000;
/** A cold market's betslip is deleted this soon after its order went out. */
const COLD_IDLE_MS = 1_000;
/** Whoever could send an order on a betslip for so long, and has not, may let others try. */
const UNUSED_MS = 10_000;

/** One betslip of ours, from the request on. */
export interface Slot {
  /** Names the market: asked for at each sweep. */
  readonly key: string;
  readonly market: MarketName;
  readonly create: BetslipCreate;
  id: BetslipId | null;
  state: 'creating' | 'open' | 'deleting';
  expiresMs: number;
  /** Set while a refresh is out. */
  refreshing: boolean;
  quote: PriceList | null;
  quoteMs: number;
  /** Since when it has none that can be used; of no meaning while it has one. */
  quotelessMs: number;
  wantedMs: number;
  /** Since when an order could have been sent on it: it has been quoted since, or another order was sent, or stood on it while hot. */
  readyMs: number;
  /** An order was sent on it, or was to be. */
  isUsed: boolean;
  value: number;
  /** It is left alone until then: a call about it has failed. */
  restsUntilMs: number;
}

/** Names a market. */
export const keyOf = ({ eventId, sport, betType }: MarketName): string => `${eventId}|${sport}|${betType}`;

/** One that is asked for now. */
export const newSlot = (of: Pick<Slot, 'key' | 'market' | 'create' | 'value'>, nowMs: number): Slot => ({
  ...{ ...of, id: null, state: 'creating', expiresMs: Infinity, refreshing: false },
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

/** Its market is wanted: what was to be deleted in its turn may have to be refreshed before. */
export function noteWanted(slot: Slot, value: number, nowMs: number): void {
  [slot.wantedMs, slot.value] = [nowMs, value];
  slot.restsUntilMs = Math.min(slot.restsUntilMs, nowMs + REST_MS);
}

/** Whether nobody has wanted it for so long. */
export const isIdle = ({ wantedMs }: Slot, nowMs: number, ms: number): boolean => nowMs - wantedMs > ms;

/** For how long nobody need want it: who is refused asks again, and on a cold market the next order is far when one has gone out. */
export function longestIdleMs({ isUsed }: Slot, isPinned: boolean, options: OrderOptions): number {
  if (isPinned) return options.betslips.idleMs;
  return isUsed ? COLD_IDLE_MS : options.retryMs + COLD_IDLE_MS;
}

/** What it is worth: nothing once it is idle, next to nothing when its market is cold. */
export const rankOf = (slot: Slot, isPinned: boolean, nowMs: number): number =>
  isIdle(slot, nowMs, 1_000) ? -1 : isPinned ? slot.value : -0.5;

/**
 * Of the cold ones that could be used and were not for a while, since something else keeps their orders from being sent, the one
 * that waits longest; null also while one is deleted.
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

/** When it wants a refresh; -Infinity while one is asked for, refreshed, deleted or without a quote. */
export function refreshDueMs({ state, quote, refreshing, expiresMs }: Slot, refreshLeadMs: number): number {
  const rests = state === 'open' && quote !== null && !refreshing;
  return rests ? expiresMs - refreshLeadMs : -Infinity;
}
