import { isNotFound, outcomeOf, VenueRejection } from '../../domain/errors.ts';
import { reportedTerms } from '../../domain/exchange-prices.ts';
import type { BetslipId } from '../../domain/ids.ts';
import type { Betslip, BetslipRequest } from '../../domain/orders.ts';
import { type PriceList, selectionList } from '../../domain/price-list.ts';
import type { Quote } from '../../domain/stream.ts';
import type { BetslipCode } from '../send-gate.ts';
import type { OrderContext } from '../state/context.ts';
import {
  type BetslipAges,
  type BetslipAnswer,
  BetslipBudgets,
  type BetslipPurpose,
  type Budget,
  noBetslip,
  worthOf,
} from './budgets.ts';
import { BetslipCap } from './cap.ts';
import { BetslipPauses, isCapRefusal } from './pauses.ts';
import { BetslipClaims, boundedLifetimeS, passingPlaces, PinnedMarkets, rotatingDurationS } from './plan.ts';
import {
  attemptOf,
  BetslipCreate,
  BetslipLife,
  boreFruit,
  isIdle,
  keyOf,
  LONGEST_LIFE,
  longestIdleMs,
  longestUnused,
  newSlot,
  noteWanted,
  rankOf,
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
/** `lay` betslips that stay known after they closed: the stream may still bring a quote of theirs. */
const KEPT_LAY_IDS = 2_000;
/** Part of the day's betslips that renewals of rotating markets may use. */
const ROTATING_SHARE = 0.75;

/**
 * The pool of betslips. A betslip is requested when an order needs one, refreshed while its market is wanted,
 * and reused for the next order. It is deleted when idle, or when a better one needs its place.
 *
 * The account's cap of open betslips is learned. Every create request counts against the day, a refused one
 * too.
 */
export class BetslipPool {
  readonly life: BetslipLife;
  readonly #context: OrderContext;
  readonly #slots = new Map<string, Slot>();
  readonly #byId = new Map<BetslipId, Slot>();
  /** Ids of `lay` betslips, oldest first. */
  readonly #layIds = new Set<BetslipId>();
  readonly #pauses: BetslipPauses;
  readonly #cap: BetslipCap;
  readonly #plan: PinnedMarkets;
  readonly #onReady: (market: BetslipRequest) => void;
  readonly #claims: BetslipClaims;
  readonly #budgets: BetslipBudgets;
  readonly #stallDetector = new StallDetector();
  #ending = false;
  /** Monotonic instant at which the last failed deletion is to be repeated. */
  #lastDeleteMs = -Infinity;
  /** Monotonic instant since which the stream delivers quotes. Older quotes are stale. */
  #hearsSinceMs = -Infinity;

  constructor(context: OrderContext, onReady: (market: BetslipRequest) => void) {
    this.#context = context;
    this.life = new BetslipLife(context);
    this.#onReady = onReady;
    const now = (): number => this.#now();
    this.#pauses = new BetslipPauses(now, () => context.options.betslips.refusedBackoffMs);
    this.#plan = new PinnedMarkets(now);
    this.#claims = new BetslipClaims(now);
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

  /**
   * Returns a usable betslip for an order, or why there is none yet. Later, `onReady` is called when it is
   * worth asking again.
   */
  want(market: BetslipRequest, purpose: BetslipPurpose): BetslipAnswer {
    const key = keyOf(market);
    this.#plan.note(key, purpose.value);
    const slot = this.#slots.get(key);
    if (slot === undefined) return this.#open(market, purpose);
    noteWanted(slot, purpose.value, this.#now());
    // The next call requests it again, with priority over requests that do not reduce risk.
    if (slot.create.waitsAsNormal && purpose.reduces()) slot.create.withdraw();
    return this.#answerOf(slot);
  }

  /**
   * Notes a quote on this market. A pinned market keeps its betslip for the next order; any market keeps it for an
   * order that is not placed yet.
   */
  keep(market: BetslipRequest, value: number, isPlacing: boolean): void {
    const key = keyOf(market);
    this.#plan.note(key, value);
    const slot = this.#slots.get(key);
    if (slot === undefined || !(isPlacing || this.#plan.isPinned(key))) return;
    noteWanted(slot, value, this.#now());
    slot.readyMs = this.#now();
    slot.isUsed ||= isPlacing;
  }

  /**
   * Life to request for an order on this market, in seconds: as wanted (default: as configured), but longer if each next order
   * costs a betslip.
   */
  durationS(market: BetslipRequest, lifetimeS?: number): number {
    const { options } = this.#context;
    const { betslips } = options;
    const longestS = betslips.longestDurationS;
    const durationS =
      lifetimeS === undefined
        ? options.durationS
        : boundedLifetimeS(lifetimeS, options.renewLeadMs, longestS);
    // Places that an earlier run still takes will soon be free, while a long life, once requested, stays.
    if (this.#cap.isCrowded) return durationS;
    // Where betslips expire, as while refreshes fail, each order costs a betslip on pinned markets, too. Judging
    // by spending covers every cause. It leaves the configured life to pinned markets when only rotating ones have
    // used up the pace.
    const areAllRotating = this.#budgets.isPinnedSpending;
    if (this.#plan.isPinned(keyOf(market)) && !areAllRotating) return durationS;
    const renewed = areAllRotating ? this.#plan.wantedCount : this.#plan.rotatingCount;
    const forRotating = (betslips.perDay - betslips.dailyReserve) * ROTATING_SHARE;
    return rotatingDurationS(renewed, forRotating, durationS, longestS);
  }

  onQuote(quote: Quote): void {
    const slot = this.#byId.get(quote.betslipId);
    if (slot === undefined) return;
    const first = slot.quote === null;
    if (!first) slot.quotelessMs = this.#now();
    slot.quote = quote.statusCode === 'success' ? quote.priceList : null;
    slot.quoteMs = this.#now();
    if (slot.quote === null) return;
    this.#pauses.quoted();
    if (first) this.#ready(slot);
  }

  #ready(slot: Slot): void {
    slot.readyMs = this.#now();
    this.#onReady(slot.market);
  }

  /** The stream is back. Quotes may have been missed, so none from before counts as fresh. */
  onStreamBack(): void {
    this.#hearsSinceMs = this.#now();
  }

  onExpiry(id: BetslipId, expiryMs: number | null): void {
    const slot = this.#byId.get(id);
    if (slot !== undefined) slot.expiresMs = this.#now() + this.life.leftMs(expiryMs);
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
    // While the loop hung, no quote could ask for its betslip, so all would look idle. Quotes ask before the
    // next sweep.
    if (this.#stallDetector.isLate(this.#now())) return;
    this.#pauses.sweep();
    this.#claims.sweep();
    this.#plan.sweep(this.#cap, (key) => this.#slots.has(key));
    for (const slot of [...this.#slots.values()]) this.#sweepOne(slot);
    this.#context.metrics.betslipsOpen.set(this.open);
    this.#context.metrics.betslipCap.set(this.#cap.value);
  }

  /**
   * Deletes every betslip, without waiting for the answers. A betslip that is still being created is deleted
   * once it is open.
   */
  deleteAll(): void {
    this.#ending = true;
    for (const slot of [...this.#slots.values()]) this.#delete(slot);
  }

  #open(market: BetslipRequest, purpose: BetslipPurpose): BetslipAnswer {
    const key = keyOf(market);
    const creating = this.#count(({ state }) => state === 'creating');
    const quoteless = this.#count(({ quote }) => quote === null);
    if (this.#pauses.forbids(key, creating, quoteless) || this.#isFruitless(key))
      return noBetslip('betslip_refused');
    const budget = this.#budgetFor(key, purpose);
    if (typeof budget === 'string') return noBetslip(budget);
    const code = this.#cap.resting ? 'betslip_cap' : this.#place(market, purpose, budget.left);
    if (code !== null) return noBetslip(code);
    if (purpose.precheck?.isRefused(this.#plan.opensPinned(key)) === true)
      return noBetslip('betslip_refused');
    this.#create(market, purpose, budget);
    return noBetslip('betslip_creating');
  }

  /** Betslips of the market, or of the account, end at once: the next one waits. */
  #isFruitless(key: string): boolean {
    const unproven = (): number => this.#count((slot) => !boreFruit(slot, this.#now()));
    return this.#now() < this.#context.fruitless.untilMs('betslip', key, unproven);
  }

  #budgetFor(key: string, purpose: BetslipPurpose): Budget | BetslipCode {
    const isPinned = this.#plan.opensPinned(key);
    const budget = this.#budgets.next(isPinned, purpose);
    // The market still waits, and its claim gains worth with time.
    if (typeof budget === 'string' && !isPinned) this.#claims.ask(key, worthOf(purpose), 0);
    return budget;
  }

  /** Returns why there is no place under the cap; null when there is one. */
  #place(market: BetslipRequest, purpose: BetslipPurpose, left: number): BetslipCode | null {
    if (!this.#plan.opensPinned(keyOf(market))) return this.#rotatingPlace(market, purpose, left);
    if (this.#slots.size < this.#cap.value) return null;
    // No betslip gives up its place for an order that could not be sent.
    if (purpose.precheck?.isRefused(true) === true) return 'betslip_refused';
    this.#makeRoom(true, purpose.value);
    return 'betslip_cap';
  }

  /** Rotating markets take turns: all of them wait, and the most valuable are served, those that reduce risk first. */
  #rotatingPlace(market: BetslipRequest, purpose: BetslipPurpose, left: number): BetslipCode | null {
    const rotating = this.#count((slot) => !this.#plan.isPinned(slot.key));
    const passing = passingPlaces(this.#cap.value) - rotating;
    const free = this.#cap.value - this.#slots.size;
    const available = Math.max(0, Math.min(left, passing, free));
    if (this.#claims.ask(keyOf(market), worthOf(purpose), available)) return null;
    if (passing < 1) this.#takeTurns(purpose);
    else if (free < 1) this.#makeRoom(false, purpose.value);
    return available < 1 ? 'betslip_cap' : 'betslip_turn';
  }

  #count(isOne: (slot: Slot) => boolean): number {
    return [...this.#slots.values()].filter(isOne).length;
  }

  #answerOf(slot: Slot): BetslipAnswer {
    if (slot.state !== 'open' || slot.id === null) return noBetslip('betslip_creating');
    if (this.#now() >= slot.expiresMs) return noBetslip('betslip_creating');
    if (slot.quote === null) return noBetslip('quote_pending');
    const ageMs = this.#now() - slot.quoteMs;
    if (ageMs > this.#context.options.betslips.quoteMaxAgeMs || slot.quoteMs < this.#hearsSinceMs)
      return noBetslip('quote_stale');
    return { ok: true, betslip: { id: slot.id, quote: this.#inSelectionPrices(slot.market, slot.quote) } };
  }

  /** A quote as prices of the selection. What the betslip's prices are may become known while it is open. */
  #inSelectionPrices({ betType, betslipType }: BetslipRequest, quote: PriceList): PriceList {
    const terms = reportedTerms(betType, betslipType ?? 'normal', this.#context.exchangePrices());
    return terms === null ? quote : selectionList(terms.priceKind, quote);
  }

  /** Deletes the least valuable betslip for a better one. Its place is free once the exchange has answered. */
  #makeRoom(isPinned: boolean, value: number): void {
    // Markets that wait for a place ask many times a second, while failed deletions wait for their turn.
    if (this.#now() < this.#lastDeleteMs) return;
    let least: Slot | null = null;
    for (const slot of this.#slots.values()) {
      if (slot.state === 'deleting') return;
      if (slot.state === 'open' && (least === null || this.#rank(slot) < this.#rank(least))) least = slot;
    }
    if (least !== null && this.#rank(least) < (isPinned ? value : 0)) this.#delete(least);
  }

  /** Gives the place of a rotating market whose order has been held up for long to one that can use it. */
  #takeTurns({ precheck }: BetslipPurpose): void {
    if (this.#now() < this.#lastDeleteMs) return;
    const slot = longestUnused(this.#slots.values(), (key) => this.#plan.isPinned(key), this.#now());
    if (slot === null || precheck?.isRefused(false) === true) return;
    this.#pauses.unused(slot.key);
    this.#delete(slot);
  }

  #rank(slot: Slot): number {
    return rankOf(slot, this.#plan.isPinned(slot.key), this.#now());
  }

  #create(market: BetslipRequest, purpose: BetslipPurpose, budget: Budget): void {
    const create = new BetslipCreate(budget, purpose.reduces() ? 'reducing' : 'normal', this.#now());
    const slot = newSlot({ key: keyOf(market), market, create, value: purpose.value }, this.#now());
    this.#slots.set(slot.key, slot);
    this.#claims.over(slot.key);
    const { priority, signal } = create;
    const options = { value: slot.value, priority, signal, beforeSend: () => this.#leaves(slot), once: true };
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
    if (slot.market.betslipType === 'lay') this.#noteLay(slot.id);
    this.#pauses.created();
    this.#cap.fits(this.#count(({ state }) => state !== 'creating'));
    if (this.#ending) return this.#delete(slot);
    if (betslip.priceList !== null && betslip.priceList.length > 0) {
      slot.quote = betslip.priceList;
      slot.quoteMs = this.#now();
    }
    if (slot.quote !== null) this.#ready(slot);
  }

  #noteLay(id: BetslipId): void {
    this.#layIds.add(id);
    const [oldest] = this.#layIds;
    if (this.#layIds.size > KEPT_LAY_IDS && oldest !== undefined) this.#layIds.delete(oldest);
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
    const { refreshLeadMs } = this.#context.options.betslips;
    if (slot.create.isOverdue(now)) slot.create.withdraw();
    if (slot.state !== 'open') return;
    if (boreFruit(slot, now)) this.#context.fruitless.lasted('betslip', attemptOf(slot));
    if (now < slot.restsUntilMs) return;
    // It may live longer than reported, and a refresh in flight may extend its life.
    if (now >= slot.expiresMs && !slot.refreshing) return this.#delete(slot);
    const idleMs = longestIdleMs(slot, this.#plan.isPinned(slot.key), this.#context.options);
    if (this.#ending || isIdle(slot, now, idleMs)) return this.#delete(slot);
    if (this.#isUseless(slot)) {
      this.#pauses.unquoted(slot.key, this.#quotelessSinceMs(slot));
      return this.#delete(slot);
    }
    if (slot.expiresMs - now <= refreshLeadMs && !slot.refreshing) this.#refresh(slot);
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

  /**
   * Monotonic instant since which it has no usable quote although the stream could deliver one. A quote that is
   * too old is not usable.
   */
  #quotelessSinceMs({ quote, quotelessMs, quoteMs }: Slot): number {
    const sinceMs = quote === null ? quotelessMs : quoteMs + this.#context.options.betslips.quoteMaxAgeMs;
    return Math.max(sinceMs, this.#context.halts.has('stream') ? this.#now() : this.#hearsSinceMs);
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
    this.#lastDeleteMs = Math.max(this.#now() + REST_MS, this.#lastDeleteMs + DELETE_TURN_MS);
    slot.restsUntilMs = this.#lastDeleteMs;
    slot.wantedMs = Math.min(slot.wantedMs, this.#now() - 2_000);
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
  }

  #now(): number {
    return this.#context.deps.clock.monotonicMs();
  }
}
