import type { BetsRead } from '../../account/account.ts';
import { type FilledOrder, matchedBet, ownFill } from '../../account/fills.ts';
import { betslipTypeOf } from '../../domain/exchange-prices.ts';
import type { OrderId, RequestUuid } from '../../domain/ids.ts';
import { markOf } from '../../domain/installation.ts';
import { isTerminal } from '../../domain/lifecycle.ts';
import type { Fill } from '../../domain/live-order.ts';
import { type Micros, ROUNDING_MICROS } from '../../domain/money.ts';
import { priceOf } from '../../domain/ladder.ts';
import { isVoided, isUnmatched, modeOf, type VenueBet, type VenueOrder } from '../../domain/orders.ts';
import { settlementOf } from '../../domain/settlement.ts';
import type { ReportSource } from '../api.ts';
import { latch, type OrderContext } from '../state/context.ts';
import type { OrderPatch, TrackedOrder } from '../state/own-orders.ts';
import { FRESH_MS, type ForeignOrders } from './foreign-orders.ts';

/** Most orders whose bets are parked. */
const MOST_ORDERS = 1_000;

/** Bets whose orders are not known yet. When too many orders wait, the bets of the oldest are dropped. */
export class ParkedBets {
  readonly #bets = new Map<OrderId, VenueBet[]>();
  readonly #mostOrders: number;

  constructor(mostOrders = MOST_ORDERS) {
    this.#mostOrders = mostOrders;
  }

  park(bet: VenueBet): void {
    const waiting = this.#bets.get(bet.orderId);
    if (waiting !== undefined) return void waiting.push(bet);
    if (this.#bets.size >= this.#mostOrders) this.#bets.delete(this.#bets.keys().next().value as OrderId);
    this.#bets.set(bet.orderId, [bet]);
  }

  /** Removes and returns the bets of an order, in the order of their arrival. */
  take(orderId: OrderId): readonly VenueBet[] {
    const bets = this.#bets.get(orderId) ?? [];
    this.#bets.delete(orderId);
    return bets;
  }
}

const NEVER_EXISTED: readonly string[] = ['refused', 'absent'];

interface SourcedOrder {
  readonly order: VenueOrder;
  readonly source: ReportSource;
}

export interface ExecutionReportHooks {
  /** The exchange shows an order closed with matched stake, but we have not received all of its bets. */
  onIncomplete(tracked: TrackedOrder): void;
  /**
   * The exchange shows an order of ours that it had refused, that was proven absent, that is another than we asked
   * for, or that an unreadable journal may have recorded. No quote wants it.
   */
  onUntracked(order: VenueOrder): void;
  /** Returns whether this process may close an untracked order. */
  isOurs(order: VenueOrder): boolean;
  /** Called for a fill of our orders, after it was booked. */
  onFill(tracked: TrackedOrder, fill: Fill): void;
  /** Called for each report on an order of ours, or on a bet of it if `order` is null, after the account has applied it. */
  onReport(tracked: TrackedOrder, order: VenueOrder | null): void;
}

/**
 * Applies the exchange's reports about orders and bets, from every source. An order of ours is recognised by
 * its id, by the request that it answers, or by our mark in `user_data`. It is accepted only if market, kind
 * of price, price and stake equal the journal's.
 */
export class ExecutionReports {
  readonly #context: OrderContext;
  readonly #foreign: ForeignOrders;
  readonly #hooks: ExecutionReportHooks;
  readonly #parked = new ParkedBets();
  /** The latest report on each order that may be the result of a create request in flight. Bounded. */
  readonly #doubtful = new Map<OrderId, SourcedOrder>();

  constructor(context: OrderContext, foreign: ForeignOrders, hooks: ExecutionReportHooks) {
    this.#context = context;
    this.#foreign = foreign;
    this.#hooks = hooks;
  }

  /** Whether reports wait that are not counted yet. If the process ends now, they have to be read again. */
  get isInDoubt(): boolean {
    return this.#doubtful.size > 0;
  }

  /** Judges the waiting reports again, since their create request may now have its answer. */
  reconsider(): void {
    for (const { order, source } of [...this.#doubtful.values()]) this.order(order, source);
  }

  /**
   * Applies an order as the exchange shows it. Returns our order, or null when it is not ours (yet). `askedMs`: monotonic instant at which
   * the request began whose answer shows it, of a listing or a look-up.
   */
  order(
    order: VenueOrder,
    source: ReportSource,
    asked: RequestUuid | null = null,
    askedMs = -Infinity,
  ): TrackedOrder | null {
    const tracked = this.#find(order, asked);
    const earlier = this.#doubtful.get(order.orderId);
    this.#doubtful.delete(order.orderId);
    if (tracked === undefined) {
      this.#notOurs(order, source, askedMs);
      this.#reportStanding(order);
      return null;
    }
    if (!this.#believable(tracked, order, source)) {
      if (asked === tracked.order.requestUuid || isMarkedFor(tracked, order))
        this.#another(tracked, order, source, askedMs);
      return null;
    }
    // The earlier report may be newer than a slow answer, so both are applied.
    if (earlier !== undefined && earlier.order !== order) this.#take(tracked, earlier);
    this.#take(tracked, { order, source }, askedMs);
    return tracked;
  }

  #take(tracked: TrackedOrder, { order, source }: SourcedOrder, askedMs = -Infinity): void {
    this.#own(tracked, order, source, askedMs);
    this.#reportOwn(tracked.order, order);
    this.#reportStanding(order);
    this.#hooks.onReport(tracked, order);
  }

  #reportStanding(order: VenueOrder): void {
    this.#context.deps.account.apply({ kind: 'standings', order });
  }

  /** A bet entry of the stream. */
  bet(bet: VenueBet, source: ReportSource): void {
    const tracked = this.#context.book.byOrderId(bet.orderId);
    if (tracked !== undefined) this.#ownBet(tracked, bet, source);
    else if (this.#foreign.knows(bet.orderId)) this.#foreign.bet(bet);
    else this.#parked.park(bet);
  }

  /** The bet's own entry shows it unmatched, or matched again. The reports of its order may come later, or never. */
  #ownBet(tracked: TrackedOrder, bet: VenueBet, source: ReportSource): void {
    this.#fill(tracked, bet, source);
    const { account } = this.#context.deps;
    if (account.bets.fillOf(bet.betId) === null) return;
    account.apply({ kind: 'doubt', betId: bet.betId, isUnmatched: isUnmatched(bet) });
    this.#hooks.onReport(tracked, null);
  }

  #find(order: VenueOrder, asked: RequestUuid | null): TrackedOrder | undefined {
    const { book } = this.#context;
    const uuid = asked ?? uuidMarkedOn(order.userData);
    return book.byOrderId(order.orderId) ?? (uuid === null ? undefined : book.byUuid(uuid));
  }

  /**
   * Handles an order that is not tracked. While a create request is in flight, an unmarked order that matches
   * it may be its result and is judged later.
   */
  #notOurs(order: VenueOrder, source: ReportSource, askedMs: number): void {
    if (uuidMarkedOn(order.userData) === null && this.#mayBeAnswer(order)) return this.#doubt(order, source);
    const filled = this.#context.deps.account.bets.ownFillOf(order.orderId);
    if (filled !== null && order.closed)
      return this.#longOver({ ...filled, mode: modeOf(filled) }, order, source);
    this.#foreign.order(order, source, askedMs);
    for (const bet of this.#parked.take(order.orderId)) this.#foreign.bet(bet);
    if (this.#isLost(order)) this.#hooks.onUntracked(order);
  }

  #doubt(order: VenueOrder, source: ReportSource): void {
    if (this.#doubtful.size >= MAX_DOUBTFUL)
      this.#doubtful.delete(this.#doubtful.keys().next().value as OrderId);
    this.#doubtful.set(order.orderId, { order, source });
  }

  /** Returns whether this is an open order of an earlier run that an unreadable journal has lost. */
  #isLost(order: VenueOrder): boolean {
    return this.#context.journalWriter.unread && !order.closed && this.#hooks.isOurs(order);
  }

  #mayBeAnswer(order: VenueOrder): boolean {
    const isOut = ({ orderId, state }: TrackedOrder['order']): boolean =>
      orderId === null && state !== 'prepared';
    return [...this.#context.book.active()].some(
      (tracked) => isOut(tracked.order) && matches(tracked, order),
    );
  }

  /** Handles an order of ours that ended and was forgotten: its bets are settled hours later, and identify it. */
  #longOver(filled: FilledOrder, order: VenueOrder, source: ReportSource): void {
    for (const bet of [...this.#parked.take(order.orderId), ...order.bets])
      this.#bookFill(filled, bet, source);
    this.#reportOwn(filled, order);
  }

  /**
   * Reports the order under the event that it was placed on: its bets are settled there, even if the event
   * was moved since.
   */
  #reportOwn({ sport, eventId }: FilledOrder, order: VenueOrder): void {
    const { account, clock } = this.#context.deps;
    account.apply({ kind: 'report', order: { ...order, sport, eventId }, atMs: clock.wallMs() });
  }

  /**
   * Returns whether a report agrees with the journal; a difference latches quoting.
   *
   * The end of an order with our mark and known id is accepted even if it differs, as after a moved event:
   * otherwise the order would be closed and looked up forever. An order that has ended is not compared any
   * more.
   */
  #believable(tracked: TrackedOrder, order: VenueOrder, source: ReportSource): boolean {
    const { orderId, state } = tracked.order;
    const isItself = orderId === order.orderId && isMarkedFor(tracked, order);
    const isItsEnd = isItself && order.closed;
    if (isItsEnd && isTerminal(state)) return true;
    if ((orderId === null || orderId === order.orderId) && matches(tracked, order)) return true;
    if (this.#foreign.knows(order.orderId)) return false;
    this.#context.metrics.alarms.inc({ kind: 'mismatch' });
    latch(this.#context, 'an order differs from the journal', {
      source,
      uuid: tracked.order.requestUuid,
      orderId: order.orderId,
      wantPrice: order.wantPrice,
      wantStakeMicros: order.wantStakeMicros,
    });
    return isItsEnd;
  }

  /**
   * Our request made another order than it asked for. That one counts as the exchange shows it, and is closed. The order that was asked
   * for does not exist.
   */
  #another(tracked: TrackedOrder, order: VenueOrder, source: ReportSource, askedMs: number): void {
    const { orderId, state } = tracked.order;
    // It is tracked by its id already, and closed as such.
    if (orderId === order.orderId) return;
    if (state === 'sending') this.#context.book.apply(tracked, 'refused', {}, source);
    else if (state === 'unknown') this.#context.book.apply(tracked, 'proven_absent', {}, source);
    this.#likeForeign(order, source, askedMs);
    this.#reportStanding(order);
  }

  #own(tracked: TrackedOrder, order: VenueOrder, source: ReportSource, askedMs: number): void {
    const { book } = this.#context;
    if (NEVER_EXISTED.includes(tracked.order.state)) return this.#stray(tracked, order, source, askedMs);
    const patch: OrderPatch = {
      orderId: order.orderId,
      expiryMs: order.expiryTimeMs ?? tracked.order.expiryMs,
    };
    if (!isTerminal(tracked.order.state)) this.#checkDuration(tracked, order);
    if (tracked.order.orderId === null) book.apply(tracked, 'seen_open', patch, source);
    for (const bet of [...this.#parked.take(order.orderId), ...order.bets]) this.#fill(tracked, bet, source);
    // An answer to a request from before the report that closed the order may be older than this report.
    const isProvenOpen = askedMs >= (tracked.closedMs ?? Infinity) + FRESH_MS;
    if (order.closed) this.#closed(tracked, order, patch, source);
    else if (tracked.order.state === 'closed' && isProvenOpen) this.#openAgain(tracked, patch, source);
    else book.apply(tracked, 'seen_open', patch, source);
  }

  /** The order was reported closed and is open all the same. It counts again, and is closed. */
  #openAgain(tracked: TrackedOrder, patch: OrderPatch, source: ReportSource): void {
    const { orderId } = tracked.order;
    this.#context.metrics.alarms.inc({ kind: 'open_again' });
    this.#context.log.error('an order that was reported closed is open', { orderId, source });
    tracked.closeWanted = true;
    this.#context.book.apply(tracked, 'seen_open_again', { ...patch, closeReason: null }, source);
  }

  /** An order that has ended stays ended. It counts like a foreign order until it is closed. */
  #stray(tracked: TrackedOrder, order: VenueOrder, source: ReportSource, askedMs: number): void {
    this.#context.book.apply(tracked, order.closed ? 'seen_closed' : 'seen_open', {}, source);
    this.#likeForeign(order, source, askedMs);
  }

  #likeForeign(order: VenueOrder, source: ReportSource, askedMs: number): void {
    this.#foreign.order(order, source, askedMs);
    for (const bet of this.#parked.take(order.orderId)) this.#foreign.bet(bet);
    if (!order.closed) this.#hooks.onUntracked(order);
  }

  /** A closed order stays in exposure until its fills add up to the reported matched stake, and while a bet of it may be missing. */
  #closed(tracked: TrackedOrder, order: VenueOrder, patch: OrderPatch, source: ReportSource): void {
    const missing = missingStake(order, this.#context.deps.account.bets);
    if (mayLackBets(order, missing, source)) return this.#hooks.onIncomplete(tracked);
    if (missing < 0) this.#context.metrics.alarms.inc({ kind: 'overbooked' });
    this.#context.book.apply(tracked, 'seen_closed', { ...patch, closeReason: order.closeReason }, source);
  }

  #fill(tracked: TrackedOrder, bet: VenueBet, source: ReportSource): void {
    const fill = this.#bookFill(tracked.order, bet, source);
    if (fill === null) return;
    const filledMicros = this.#context.deps.account.bets.filledOf(bet.orderId);
    this.#context.book.apply(tracked, 'fill', { orderId: bet.orderId, filledMicros }, source);
    this.#hooks.onFill(tracked, fill);
  }

  /** Books a bet of our order as a fill; returns null when it is no fill or is known. */
  #bookFill(order: FilledOrder, bet: VenueBet, source: ReportSource): Fill | null {
    const matched = matchedBet(bet);
    if (matched === null) return null;
    const { deps, metrics, journalWriter } = this.#context;
    const booked = deps.account.bets.fillOf(bet.betId);
    if (booked !== null) {
      if (booked.stakeMicros !== matched.stakeMicros) metrics.alarms.inc({ kind: 'bet_changed' });
      return null;
    }
    const fill = ownFill(matched, order, deps.clock.wallMs());
    journalWriter.note({ kind: 'fill_booked', fill });
    if (source === 'updates') metrics.differences.inc({ kind: 'fill' });
    metrics.fills.inc({ role: fill.role });
    deps.account.apply({ kind: 'bet', fill });
    return fill;
  }

  /**
   * Latches when the life of an order is wrong. The specification defines `duration` in seconds, an old guide
   * in minutes.
   */
  #checkDuration(tracked: TrackedOrder, order: VenueOrder): void {
    if (order.placementTimeMs === null || order.expiryTimeMs === null) return;
    const livesMs = order.expiryTimeMs - order.placementTimeMs;
    const off = Math.abs(livesMs - tracked.place.durationS * 1000);
    if (off <= this.#context.options.durationToleranceMs) return;
    this.#context.metrics.alarms.inc({ kind: 'duration' });
    latch(this.#context, 'an order lives longer or shorter than asked', {
      orderId: order.orderId,
      askedS: tracked.place.durationS,
      livesMs,
    });
  }
}

const MAX_DOUBTFUL = 1_000;

/**
 * Returns whether an order of the exchange is what we requested: same market, price and stake, within rounding. On the same bet type,
 * a `lay` order is another bet.
 */
export function matches(tracked: TrackedOrder, order: VenueOrder): boolean {
  const { order: ours, place } = tracked;
  return (
    order.betType === ours.betType &&
    order.eventId === ours.eventId &&
    (order.orderType === 'lay') === (betslipTypeOf(ours.betType, ours.priceKind) === 'lay') &&
    Math.abs(order.wantPrice - priceOf(ours.tick)) < 1e-9 &&
    Math.abs(order.wantStakeMicros - place.stakeMicros) < ROUNDING_MICROS
  );
}

/**
 * Returns whether a look-up shows the order settled. Such a report is final even if the bets do not add up: a
 * bet may have been booked with a smaller stake, or be shown without a stake since it was taken back.
 */
const isToldWhole = (order: VenueOrder, source: ReportSource): boolean =>
  source === 'look-up' && settlementOf(order) !== null;

/**
 * Returns whether an order may have bets that we have not booked. A bet that cannot be read may have any stake; only the matched stake of the order
 * tells that it has none.
 */
function mayLackBets(order: VenueOrder, missingMicros: Micros, source: ReportSource): boolean {
  if ((order.unreadBets ?? 0) > 0) return missingMicros > 0 || order.stakeMicros === null;
  return missingMicros > 0 && !isToldWhole(order, source);
}

/**
 * Returns the reported matched stake minus booked fills and minus stake that was taken back before we
 * received its bet. Returns 0 when no matched stake is reported.
 *
 * A negative result means that too much is booked. Fills whose bets were taken back later do not count in
 * that, since the reported stake may leave them out. Each amount is rounded by itself, so one rounding unit
 * per bet is no difference.
 */
function missingStake({ orderId, stakeMicros, bets }: VenueOrder, booked: BetsRead): Micros {
  if (stakeMicros === null) return 0;
  const takenBack = bets.filter((bet) => isUnmatched(bet) && booked.fillOf(bet.betId) === null);
  const takenBackMicros = takenBack.reduce((sum, bet) => sum + (bet.gotStakeMicros ?? 0), 0);
  const unbookedMicros = stakeMicros - booked.filledOf(orderId);
  const voidMicros = bets
    .filter(isVoided)
    .reduce((sum, { betId }) => sum + (booked.fillOf(betId)?.stakeMicros ?? 0), 0);
  const missingMicros =
    unbookedMicros > 0
      ? Math.max(0, unbookedMicros - takenBackMicros)
      : Math.min(0, unbookedMicros + voidMicros);
  const rounded = bets.filter(({ gotStakeMicros }) => (gotStakeMicros ?? 0) > 0).length;
  return Math.abs(missingMicros) <= ROUNDING_MICROS * rounded ? 0 : missingMicros;
}

const isMarkedFor = ({ order: { requestUuid } }: TrackedOrder, { userData }: VenueOrder): boolean =>
  uuidMarkedOn(userData) === requestUuid;

const uuidMarkedOn = (userData: string | null): RequestUuid | null => markOf(userData)?.uuid ?? null;
