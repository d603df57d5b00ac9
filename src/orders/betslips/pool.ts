import { marketKey } from '../../domain/exchange-prices.ts';
import { isNotFound, outcomeOf, VenueRejection } from '../../domain/errors.ts';
import type { BetslipId } from '../../domain/ids.ts';
import type { Betslip, BetslipRequest } from '../../domain/orders.ts';
import type { Quote } from '../../domain/stream.ts';
import type { BetslipFacts, DoubtfulBetslips, KeptBetslip, Opening } from '../plan/betslips.ts';
import type { BudgetLevels } from '../plan/budget.ts';
import type { OrderContext } from '../state/context.ts';
import { answerOf, type BetslipAnswer } from './answer.ts';
import { type BetslipAges, BetslipBudgets } from './budgets.ts';
import { BetslipCap } from './cap.ts';
import { BetslipPauses, isCapRefusal } from './pauses.ts';
import { RecentIds } from './recent-ids.ts';
import {
  attemptOf,
  BetslipCreate,
  BetslipLife,
  boreFruit,
  heldOf,
  LONGEST_LIFE,
  newSlot,
  noteTargets,
  quotelessSinceMs,
  refreshDueMs,
  REST_MS,
  type Slot,
} from './slot.ts';
import { StallDetector } from './stall-detector.ts';

/**
 * Pause between two repeated deletions, whatever the betslip. Deletions go before refreshes, which could
 * otherwise wait for hours.
 */
const DELETE_TURN_MS = 300;
/** A rotating market's betslip is deleted this long after its order was sent. */
const USED_IDLE_MS = 1_000;

/**
 * Our betslips. The pool carries out what the plan decides: it requests betslips, refreshes those that are wanted and deletes the
 * others. It follows what the exchange answers, and learns when another request makes sense.
 *
 * The account's cap of open betslips is learned. Every create request counts against the day, a refused one
 * too.
 */
export class BetslipPool {
  readonly life: BetslipLife;
  readonly #context: OrderContext;
  readonly #slots = new Map<string, Slot>();
  readonly #byId = new Map<BetslipId, Slot>();
  readonly #layIds = new RecentIds();
  readonly #pauses: BetslipPauses;
  readonly #cap: BetslipCap;
  readonly #onChange: (key: string, keepsPlan: boolean) => void;
  readonly #budgets: BetslipBudgets;
  readonly #stallDetector = new StallDetector();
  #ending = false;
  /** Monotonic instant at which the last failed deletion is to be repeated. */
  #lastDeleteMs = -Infinity;
  /** Monotonic instant since which the stream delivers quotes. Older quotes are stale. */
  #hearsSinceMs = -Infinity;

  /** `onChange` is called when the betslip of a market changes. `keepsPlan`: only the quotes that use it are to be judged again. */
  constructor(context: OrderContext, onChange: (key: string, keepsPlan: boolean) => void) {
    this.#context = context;
    this.life = new BetslipLife(context);
    this.#onChange = onChange;
    const now = (): number => this.#now();
    this.#pauses = new BetslipPauses(now, () => context.options.betslips.refusedBackoffMs);
    this.#budgets = new BetslipBudgets(context);
    const { openCap: initial, capProbeMs: probeEveryMs } = context.options.betslips;
    this.#cap = new BetslipCap({ initial, learned: context.deps.learnedBetslipCap, probeEveryMs, now });
  }

  /** Whether a betslip, open or closed lately, is a `lay` one. */
  isLay(id: BetslipId): boolean {
    return this.#layIds.has(id);
  }

  get open(): number {
    return this.#slots.size;
  }

  /** As learned or assumed. */
  get cap(): number {
    return this.#cap.known;
  }

  get capLearned(): boolean {
    return this.#cap.learned;
  }

  /** Takes over betslips of earlier runs: they count against the day, and the youngest may still be open. */
  remember(ages: BetslipAges): void {
    const { lifeMs } = this.#context.options.betslips;
    this.#cap.crowdedFor(LONGEST_LIFE * lifeMs - Math.min(...ages.pacedMs, ...ages.reserveMs));
    this.#budgets.remember(ages);
    this.#context.deps.venue.recallBetslips([...ages.pacedMs, ...ages.reserveMs]);
  }

  /** A usable betslip of the market with this key, or why the one that is there is not usable; null when there is none. */
  answerOf(key: string): BetslipAnswer | null {
    const slot = this.#slots.get(key);
    if (slot === undefined) return null;
    const { deps, options } = this.#context;
    const nowMs = deps.clock.monotonicMs();
    const freshFromMs = Math.max(nowMs - options.betslips.quoteMaxAgeMs, this.#hearsSinceMs);
    return answerOf(slot, { nowMs, freshFromMs, exchangePrices: this.#context.exchangePrices() });
  }

  /** What a plan starts from. */
  facts(): Omit<BetslipFacts, 'pins' | 'claims'> {
    const nowMs = this.#now();
    const { betslips, retryMs } = this.#context.options;
    const { value, isRising, resting } = this.#cap;
    return {
      nowMs,
      held: Array.from(this.#slots.values(), (slot) => heldOf(slot, nowMs)),
      cap: { value, isRising, resting },
      budget: this.budget,
      refuses: (key, doubtful) => this.#refuses(key, doubtful, nowMs),
      deletesFromMs: this.#lastDeleteMs,
      idleMs: { pinned: betslips.idleMs, used: USED_IDLE_MS, unused: retryMs + USED_IDLE_MS },
    };
  }

  /** What is left of the day's betslips now. */
  get budget(): BudgetLevels {
    return this.#budgets.levels();
  }

  /** Places that betslips of an earlier run still take will soon be free. */
  get isCrowded(): boolean {
    return this.#cap.isCrowded;
  }

  /** Notes what the targets want of the betslips that exist. */
  noteTargets(kept: ReadonlyMap<string, KeptBetslip>): void {
    for (const slot of this.#slots.values()) noteTargets(slot, kept.get(slot.key), this.#now());
  }

  /** Requests a betslip for the market. Does nothing and returns false if the client would not send the request soon. */
  request(market: BetslipRequest, { value, reduces, isReserve }: Opening): boolean {
    const priority = reduces ? 'reducing' : 'normal';
    if (!this.#budgets.goesSoon(priority)) return false;
    const create = new BetslipCreate(this.#budgets.of({ isReserve }), priority, isReserve, this.#now());
    this.#create(newSlot({ key: marketKey(market), market, create, value }, this.#now()));
    return true;
  }

  /** Withdraws the request for a betslip while it waits in the client's queue. */
  withdraw(key: string): void {
    this.#slots.get(key)?.create.withdraw();
  }

  /** Deletes the betslip of a market. `isUnused`: the market could not use it, and pauses. */
  delete(key: string, isUnused: boolean): void {
    const slot = this.#slots.get(key);
    if (slot === undefined) return;
    if (isUnused) this.#pauses.unused(key);
    this.#delete(slot);
  }

  onQuote(quote: Quote): void {
    const slot = this.#byId.get(quote.betslipId);
    if (slot === undefined) return;
    const isFirst = slot.quote === null;
    if (!isFirst) slot.quotelessMs = this.#now();
    slot.quote = quote.statusCode === 'success' ? quote.priceList : null;
    slot.quoteMs = this.#now();
    this.#onChange(slot.key, !isFirst && slot.quote !== null);
    if (slot.quote === null) return;
    this.#pauses.quoted();
    if (isFirst) slot.readyMs = this.#now();
  }

  /** The stream is back. Quotes may have been missed, so none from before counts as fresh. */
  onStreamBack(): void {
    this.#hearsSinceMs = this.#now();
  }

  onExpiry(id: BetslipId, expiryMs: number | null): void {
    const slot = this.#byId.get(id);
    if (slot === undefined) return;
    slot.expiresMs = this.#now() + this.life.leftMs(expiryMs);
    this.#onChange(slot.key, true);
  }

  /** Forgets a betslip that the exchange closed. */
  drop(id: BetslipId): void {
    const slot = this.#byId.get(id);
    if (slot !== undefined) this.#gone(slot, 'closed');
  }

  /** Deletes a betslip for which an order was refused: it is useless, but takes a place while it is open. */
  discard(id: BetslipId): void {
    const slot = this.#byId.get(id);
    if (slot !== undefined) this.#delete(slot);
  }

  /**
   * Monotonic instant of the first refresh; -Infinity while any betslip is being created, refreshed or deleted,
   * or has no quote.
   */
  get dueMs(): number {
    const { refreshLeadMs } = this.#context.options.betslips;
    const dueMs = Array.from(this.#slots.values(), (slot) => refreshDueMs(slot, refreshLeadMs));
    return Math.min(Infinity, ...dueMs);
  }

  sweep(): void {
    // What the exchange sent while the loop hung is still to be read: quotes would look old, and betslips useless.
    if (this.#stallDetector.isLate(this.#now())) return;
    this.#pauses.sweep();
    for (const slot of Array.from(this.#slots.values())) this.#sweepOne(slot);
    this.#context.metrics.betslipsOpen.set(this.open);
    this.#context.metrics.betslipCap.set(this.#cap.value);
  }

  /**
   * Deletes every betslip, without waiting for the answers. A betslip that is still being created is deleted
   * once it is open.
   */
  deleteAll(): void {
    this.#ending = true;
    for (const slot of Array.from(this.#slots.values())) this.#delete(slot);
  }

  /** Whether no betslip of the market may be tried now: others of it were useless, or those of the account are. */
  #refuses(key: string, { creating, quoteless, unproven }: DoubtfulBetslips, nowMs: number): boolean {
    const { fruitless } = this.#context;
    return (
      this.#ending ||
      this.#pauses.forbids(key, creating, quoteless) ||
      nowMs < fruitless.untilMs('betslip', key, () => unproven)
    );
  }

  #count(isOne: (slot: Slot) => boolean): number {
    return [...this.#slots.values()].filter(isOne).length;
  }

  #create(slot: Slot): void {
    const { market, create, value } = slot;
    this.#slots.set(slot.key, slot);
    const { priority, signal } = create;
    const options = { value, priority, signal, beforeSend: () => this.#leaves(slot), once: true };
    this.#context.queue.call(
      // `once`: each request counts against the day, and the pace would not know of the client's own repeats.
      () => this.#context.deps.venue.createBetslip(market, options),
      (betslip) => this.#created(slot, betslip),
      (error) => this.#createFailed(slot, error),
    );
  }

  /** Makes the request durable before it leaves, so that the day's budget is known after a restart. */
  #leaves({ create, market: { betType, eventId } }: Slot): void {
    create.leave();
    this.#context.journalWriter.commit({
      kind: 'betslip_requested',
      betType,
      eventId,
      reserve: create.isFromReserve,
    });
  }

  #created(slot: Slot, betslip: Betslip): void {
    slot.id = betslip.betslipId;
    slot.state = 'open';
    slot.openedMs = this.#now();
    // Quotes can come only from now on, however long the request has waited.
    slot.quotelessMs = this.#now();
    slot.expiresMs = this.#now() + this.life.leftMs(betslip.expiryMs);
    this.#byId.set(slot.id, slot);
    if (slot.market.betslipType === 'lay') this.#layIds.add(slot.id);
    this.#pauses.created();
    this.#cap.fits(this.#count(({ state }) => state !== 'creating'));
    if (this.#ending) return this.#delete(slot);
    if (betslip.priceList !== null && betslip.priceList.length > 0) {
      slot.quote = betslip.priceList;
      slot.quoteMs = this.#now();
    }
    if (slot.quote !== null) slot.readyMs = this.#now();
    this.#onChange(slot.key, false);
  }

  #createFailed(slot: Slot, error: unknown): void {
    this.#forget(slot);
    if (slot.create.isWithdrawn) return;
    if (outcomeOf(error) === 'unknown') this.#mayBeOpen();
    this.#context.log.warn('betslip could not be created', { betType: slot.market.betType, error });
    if (isCapRefusal(error)) this.#cap.refusedAt(this.#slots.size);
    this.#pauses.createFailed(slot.key, error);
  }

  /** Allows for a betslip that an unanswered request may have opened, or may yet open. */
  #mayBeOpen(): void {
    const { betslips, latestLandingMs } = this.#context.options;
    this.#cap.crowdedFor(latestLandingMs + LONGEST_LIFE * betslips.lifeMs, this.#slots.size);
  }

  #sweepOne(slot: Slot): void {
    const now = this.#now();
    const { refreshLeadMs, idleMs } = this.#context.options.betslips;
    if (slot.create.isOverdue(now)) slot.create.withdraw();
    if (slot.state !== 'open') return;
    if (boreFruit(slot, now)) this.#context.fruitless.lasted('betslip', attemptOf(slot));
    if (now < slot.restsUntilMs) return;
    // It may live longer than reported, and a refresh in flight may extend its life.
    if (now >= slot.expiresMs && !slot.refreshing) return this.#delete(slot);
    if (this.#ending) return this.#delete(slot);
    if (this.#isUseless(slot)) {
      this.#pauses.unquoted(slot.key, this.#quotelessSinceMs(slot));
      return this.#delete(slot);
    }
    // One that could not be deleted is left to expire.
    const isIdle = now - slot.unwantedMs > idleMs;
    if (!isIdle && slot.expiresMs - now <= refreshLeadMs && !slot.refreshing) this.#refresh(slot);
  }

  /**
   * Returns whether a betslip has had no usable quote for too long. A betslip that once had quotes is replaced
   * only while others have quotes, or as the first to try.
   */
  #isUseless(slot: Slot): boolean {
    const sinceMs = this.#quotelessSinceMs(slot);
    if (this.#now() - sinceMs <= this.#context.options.betslips.quoteTimeoutMs) return false;
    return slot.quote === null || this.#pauses.isReplaceable(sinceMs);
  }

  /** Monotonic instant since which it has no usable quote although the stream could deliver one. */
  #quotelessSinceMs(slot: Slot): number {
    const hearsSinceMs = this.#context.halts.has('stream') ? this.#now() : this.#hearsSinceMs;
    return Math.max(hearsSinceMs, quotelessSinceMs(slot, this.#context.options.betslips.quoteMaxAgeMs));
  }

  #refresh(slot: Slot): void {
    const sentMs = this.#now();
    slot.refreshing = true;
    this.#context.queue.call(
      () => this.#context.deps.venue.refreshBetslip(slot.id as BetslipId, { value: slot.value }),
      () => this.#refreshed(slot, sentMs),
      (error) => this.#refreshFailed(slot, error),
    );
  }

  #refreshed(slot: Slot, sentMs: number): void {
    slot.refreshing = false;
    slot.expiresMs = Math.max(slot.expiresMs, sentMs + this.#context.options.betslips.lifeMs);
    this.#onChange(slot.key, true);
  }

  #refreshFailed(slot: Slot, error: unknown): void {
    slot.refreshing = false;
    slot.restsUntilMs = this.#now() + REST_MS;
    if (isNotFound(error)) return this.#gone(slot, 'not found');
    if (error instanceof VenueRejection && error.status < 500 && error.status !== 429) this.#delete(slot);
  }

  #delete(slot: Slot): void {
    if (slot.id === null || slot.state === 'deleting') return;
    const id = slot.id;
    slot.state = 'deleting';
    this.#context.queue.call(
      () => this.#context.deps.venue.deleteBetslip(id, { priority: 'reducing', once: true }),
      () => this.#forget(slot),
      (error) => this.#deleteFailed(slot, error),
    );
  }

  /** A betslip whose deletion failed counts against the cap until it expires or is deleted. */
  #deleteFailed(slot: Slot, error: unknown): void {
    if (isNotFound(error) || this.#now() >= slot.expiresMs) return this.#forget(slot);
    slot.state = 'open';
    this.#onChange(slot.key, false);
    this.#lastDeleteMs = Math.max(this.#now() + REST_MS, this.#lastDeleteMs + DELETE_TURN_MS);
    slot.restsUntilMs = this.#lastDeleteMs;
    slot.unwantedMs = Math.min(slot.unwantedMs, this.#now() - 2_000);
  }

  /** The exchange does not have it any more, although we have not deleted it. */
  #gone(slot: Slot, reason: string): void {
    const isOrdered = [...this.#context.book.active()].some(({ order }) => order.betslipId === slot.id);
    if (slot.state === 'open' && !isOrdered && !boreFruit(slot, this.#now()))
      this.#context.fruitless.failed('betslip', attemptOf(slot), reason);
    this.#forget(slot);
  }

  #forget(slot: Slot): void {
    if (slot.id !== null) this.#byId.delete(slot.id);
    if (this.#slots.get(slot.key) === slot) this.#slots.delete(slot.key);
    this.#onChange(slot.key, false);
  }

  #now(): number {
    return this.#context.deps.clock.monotonicMs();
  }
}
