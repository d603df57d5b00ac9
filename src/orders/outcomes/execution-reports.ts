import { type FilledOrder, foreignFill, matchedBet, ownFill } from '../../account/fills.ts';
import {
  eventShown,
  type ForeignOrder,
  type OrderPatch,
  type ReportSource,
  type SourcedOrder,
  type TrackedOrder,
} from '../../account/orders.ts';
import { matches, missingStake } from '../../account/reports.ts';
import type { OrderId, RequestUuid } from '../../domain/ids.ts';
import { markOf } from '../../domain/installation.ts';
import { isTerminal } from '../../domain/lifecycle.ts';
import type { Fill } from '../../domain/live-order.ts';
import type { Micros } from '../../domain/money.ts';
import { isUnmatched, modeOf, type VenueBet, type VenueOrder } from '../../domain/orders.ts';
import { settlementOf } from '../../domain/settlement.ts';
import { latch, type OrderContext } from '../state/context.ts';
import { reportGivenUp } from '../state/sweeps.ts';

const NEVER_EXISTED: readonly string[] = ['refused', 'absent'];

/** A report of an order, to be applied. */
interface Report extends SourcedOrder {
  /** Monotonic instant at which the request began whose answer it is; -Infinity for another source. */
  readonly askedMs: number;
  /** The bets of the order: those that arrived before the report, then its own. */
  readonly bets: readonly VenueBet[];
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
  /** Called for each report on an order of another, before the account has it. */
  onForeign(order: VenueOrder): void;
}

/**
 * Applies the exchange's reports about orders and bets, from every source. An order of ours is recognised by
 * its id, by the request that it answers, or by our mark in `user_data`. It is accepted only if market, kind
 * of price, price and stake equal the journal's.
 *
 * Any other order was placed by hand or by another program. It counts in exposure, and is not closed unless it
 * is ours after all: see `UntrackedOrders`.
 */
export class ExecutionReports {
  readonly #context: OrderContext;
  readonly #hooks: ExecutionReportHooks;

  constructor(context: OrderContext, hooks: ExecutionReportHooks) {
    [this.#context, this.#hooks] = [context, hooks];
  }

  /** Judges the waiting reports again, since their create request may now have its answer. */
  reconsider(): void {
    for (const { order, source } of this.#context.book.held()) this.order(order, source);
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
    const { book, deps } = this.#context;
    const earlier = book.take(order.orderId);
    const tracked = this.#find(order, asked);
    if (tracked === undefined && this.#mayBeAnswer(order)) return this.#hold(order, source);
    const bets = deps.account.bets.parkedOf(order.orderId);
    if (bets.length > 0) deps.account.apply({ kind: 'unparked', orderId: order.orderId });
    const report = { order, source, askedMs, bets: [...bets, ...order.bets] };
    if (tracked === undefined) return this.#notOurs(report);
    if (!this.#believable(tracked, order, source)) {
      if (asked === tracked.order.requestUuid || isMarkedFor(tracked, order)) this.#another(tracked, report);
      return null;
    }
    // The earlier report may be newer than a slow answer, so both are applied.
    if (earlier !== null && earlier.order !== order)
      this.#take(tracked, { ...earlier, askedMs: -Infinity, bets: [...bets, ...earlier.order.bets] });
    this.#take(tracked, report);
    return tracked;
  }

  #take(tracked: TrackedOrder, report: Report): void {
    this.#own(tracked, report);
    this.#reportOwn(tracked.order, report.order);
    this.#reportStanding(report.order);
    this.#hooks.onReport(tracked, report.order);
  }

  #reportStanding(order: VenueOrder): void {
    this.#context.deps.account.apply({ kind: 'standings', order });
  }

  /** A bet entry of the stream. */
  bet(bet: VenueBet, source: ReportSource): void {
    const known = this.#context.book.byId(bet.orderId);
    if (known === undefined) this.#context.deps.account.apply({ kind: 'parked', bet });
    else if (known.owner === 'own') this.#ownBet(known, bet, source);
    else this.#book(bet, known, source);
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
    const known = book.byId(order.orderId);
    if (known?.owner === 'own') return known;
    const uuid = asked ?? uuidMarkedOn(order.userData);
    return uuid === null ? undefined : book.byUuid(uuid);
  }

  /** Keeps a report that may be the result of a create request in flight. It is judged later, and so are parked bets. */
  #hold(order: VenueOrder, source: ReportSource): null {
    this.#context.book.hold({ order, source });
    this.#reportStanding(order);
    return null;
  }

  #notOurs(report: Report): null {
    const { order } = report;
    const filled = this.#context.deps.account.bets.ownFillOf(order.orderId);
    if (filled !== null && order.closed) this.#longOver({ ...filled, mode: modeOf(filled) }, report);
    else {
      this.#foreign(report);
      if (this.#isLost(order)) this.#hooks.onUntracked(order);
    }
    this.#reportStanding(order);
    return null;
  }

  /** Returns whether this is an open order of an earlier run that an unreadable journal has lost. */
  #isLost(order: VenueOrder): boolean {
    return this.#context.journalWriter.unread && !order.closed && this.#hooks.isOurs(order);
  }

  /**
   * Returns whether an order that is not tracked may be the result of a create request in flight: it has no mark, and matches the
   * request.
   */
  #mayBeAnswer(order: VenueOrder): boolean {
    if (uuidMarkedOn(order.userData) !== null) return false;
    const isOut = ({ orderId, state }: TrackedOrder['order']): boolean =>
      orderId === null && state !== 'prepared';
    return [...this.#context.book.active()].some(
      (tracked) => isOut(tracked.order) && matches(tracked, order),
    );
  }

  /** Handles an order of ours that ended and was forgotten: its bets are settled hours later, and identify it. */
  #longOver(filled: FilledOrder, { order, source, bets }: Report): void {
    for (const bet of bets) this.#book(bet, filled, source);
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
    if ((orderId === null || orderId === order.orderId) && matches(tracked, order)) return true;
    const isItsEnd = orderId === order.orderId && order.closed && isMarkedFor(tracked, order);
    if (isItsEnd && isTerminal(state)) return true;
    if (this.#context.book.foreign(order.orderId) !== undefined) return false;
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
  #another(tracked: TrackedOrder, report: Report): void {
    const { order, source } = report;
    const { orderId, state } = tracked.order;
    // It is tracked by its id already, and closed as such.
    if (orderId === order.orderId) return;
    if (state === 'sending') this.#context.book.apply(tracked, 'refused', {}, source);
    else if (state === 'unknown') this.#context.book.apply(tracked, 'proven_absent', {}, source);
    this.#likeForeign(report);
    this.#reportStanding(order);
  }

  #own(tracked: TrackedOrder, report: Report): void {
    const { order, source, askedMs, bets } = report;
    const { book } = this.#context;
    if (NEVER_EXISTED.includes(tracked.order.state)) return this.#stray(tracked, report);
    const patch: OrderPatch = {
      orderId: order.orderId,
      expiryMs: order.expiryTimeMs ?? tracked.order.expiryMs,
    };
    if (!isTerminal(tracked.order.state)) this.#checkDuration(tracked, order);
    if (book.byId(order.orderId)?.owner === 'foreign') this.#endForeign(order);
    if (tracked.order.orderId === null) book.apply(tracked, 'seen_open', patch, source);
    for (const bet of bets) this.#fill(tracked, bet, source);
    const event = eventShown(tracked, order, askedMs);
    if (event === 'seen_closed') return this.#closed(tracked, order, patch, source);
    if (event === 'seen_open_again') this.#openAgain(tracked, order, source);
    book.apply(tracked, event, event === 'seen_open' ? patch : { ...patch, closeReason: null }, source);
  }

  /** The order was reported closed and is open all the same. It counts again. If it is ours, it is closed. */
  #openAgain(known: TrackedOrder | ForeignOrder, { orderId }: VenueOrder, source: ReportSource): void {
    this.#context.metrics.alarms.inc({ kind: 'open_again' });
    this.#context.log.error('an order that was reported closed is open', { orderId, source });
    if (known.owner === 'own') known.closeWanted = true;
  }

  /** An order that has ended stays ended. It counts like a foreign order until it is closed. */
  #stray(tracked: TrackedOrder, report: Report): void {
    const { order, source } = report;
    this.#context.book.apply(tracked, order.closed ? 'seen_closed' : 'seen_open', {}, source);
    this.#likeForeign(report);
  }

  #likeForeign(report: Report): void {
    this.#foreign(report);
    const { order } = report;
    if (!order.closed) this.#hooks.onUntracked(order);
  }

  /** An order that is not in our journal. A report that is older than the one that showed it closed tells only of its bets. */
  #foreign({ order, source, askedMs, bets }: Report): void {
    const { book, deps, log } = this.#context;
    const { orderId, betType } = order;
    // Thousands of orders may be older than the journal: recovery logs them together.
    if (book.byId(orderId) === undefined && source !== 'earlier')
      log.warn(strangerOf(order), { orderId, betType, source });
    const foreign = book.meet(order);
    const wasClosed = foreign.closedMs !== null;
    const nowMs = deps.clock.wallMs();
    for (const bet of bets)
      this.#book(bet, foreign, source, source === 'earlier' ? placedMs(order, nowMs) : nowMs);
    const event = book.show(foreign, order, askedMs);
    if (event === null) return;
    if (event === 'seen_open_again' && wasClosed) this.#openAgain(foreign, order, source);
    this.#reportForeign(order);
  }

  /** An order that counted as another's is ours: it counts once. */
  #endForeign(order: VenueOrder): void {
    this.#context.deps.account.apply({ kind: 'foreign_order', order: { ...order, closed: true } });
  }

  #reportForeign(order: VenueOrder): void {
    const { account, clock } = this.#context.deps;
    this.#hooks.onForeign(order);
    account.apply({ kind: 'foreign_order', order });
    account.apply({ kind: 'report', order, atMs: clock.wallMs() });
  }

  /** The exchange does not know an order of another. After several such answers it no longer counts as open. */
  notFound(orderId: OrderId): void {
    const order = this.#context.book.notFound(orderId);
    if (order === null) return;
    reportGivenUp(this.#context, orderId);
    this.#reportForeign({ ...order, closed: true, closeReason: 'not_found' });
  }

  /** Counts an order of another as over, because it is proven that the exchange does not have it. */
  giveUp(orderId: OrderId): void {
    const order = this.#context.book.giveUp(orderId);
    if (order !== null) this.#reportForeign({ ...order, closed: true, closeReason: 'not_found' });
  }

  /** A closed order stays in exposure until its fills add up to the reported matched stake, and while a bet of it may be missing. */
  #closed(tracked: TrackedOrder, order: VenueOrder, patch: OrderPatch, source: ReportSource): void {
    const missing = missingStake(order, this.#context.deps.account.bets);
    if (mayLackBets(order, missing, source)) return this.#hooks.onIncomplete(tracked);
    if (missing < 0) this.#context.metrics.alarms.inc({ kind: 'overbooked' });
    this.#context.book.apply(tracked, 'seen_closed', { ...patch, closeReason: order.closeReason }, source);
  }

  #fill(tracked: TrackedOrder, bet: VenueBet, source: ReportSource): void {
    const fill = this.#book(bet, tracked.order, source);
    if (fill === null) return;
    const filledMicros = this.#context.deps.account.bets.filledOf(bet.orderId);
    this.#context.book.apply(tracked, 'fill', { orderId: bet.orderId, filledMicros }, source);
    this.#hooks.onFill(tracked, fill);
  }

  /** Books a bet as a fill of its order; returns null when it is no fill or is known. */
  #book(
    bet: VenueBet,
    of: FilledOrder | ForeignOrder,
    source: ReportSource,
    atMs = this.#context.deps.clock.wallMs(),
  ): Fill | null {
    const matched = matchedBet(bet);
    if (matched === null) return null;
    const { deps, metrics, journalWriter, exchangePrices } = this.#context;
    const isOurs = 'requestUuid' in of;
    const booked = deps.account.bets.fillOf(bet.betId);
    if (booked !== null) {
      if (isOurs && booked.stakeMicros !== matched.stakeMicros) metrics.alarms.inc({ kind: 'bet_changed' });
      return null;
    }
    const fill = isOurs
      ? ownFill(matched, of, atMs, deps.prices.playOf(of).score)
      : foreignFill(matched, of.orderType, exchangePrices(), atMs);
    journalWriter.note({ kind: 'fill_booked', fill });
    if (isOurs && source === 'updates') metrics.differences.inc({ kind: 'fill' });
    if (isOurs) metrics.fills.inc({ role: fill.role });
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

/**
 * Returns whether a look-up shows the order settled. Such a report is final even if the bets do not add up: a
 * bet may have been booked with a smaller stake, or be shown without a stake since it was taken back.
 */
const isToldWhole = (order: VenueOrder, source: ReportSource): boolean =>
  source === 'look-up' && settlementOf(order) !== null;

/** The best known match time of bets from before the journal. Our clock may be behind, so the earlier time counts. */
const placedMs = ({ placementTimeMs }: VenueOrder, nowMs: number): number =>
  Math.min(placementTimeMs ?? nowMs, nowMs);

/**
 * Returns whether an order may have bets that we have not booked. A bet that cannot be read may have any stake; only the matched stake of the order
 * tells that it has none.
 */
function mayLackBets(order: VenueOrder, missingMicros: Micros, source: ReportSource): boolean {
  if ((order.unreadBets ?? 0) > 0) return missingMicros > 0 || order.stakeMicros === null;
  return missingMicros > 0 && !isToldWhole(order, source);
}

/**
 * Describes, for the log, an order that is not in the journal. With our mark, either another installation or
 * a copy placed it, or the journal is damaged.
 */
export const strangerOf = ({ userData }: VenueOrder) =>
  markOf(userData) === null
    ? 'an order that is not ours'
    : 'an order with our mark that the journal does not record';

const isMarkedFor = ({ order: { requestUuid } }: TrackedOrder, { userData }: VenueOrder): boolean =>
  uuidMarkedOn(userData) === requestUuid;

const uuidMarkedOn = (userData: string | null): RequestUuid | null => markOf(userData)?.uuid ?? null;
