import type { Approved } from '../domain/approval.ts';
import type { BetslipId, BetType, EventId, HeartbeatId, OrderId, RequestUuid, Sport } from '../domain/ids.ts';
import type { Mode } from '../domain/mode.ts';
import type { BetslipRequest, PlaceOrder } from '../domain/orders.ts';
import type { Json } from '../ports/journal.ts';
import type {
  CallOptions,
  EventListing,
  EventQuery,
  LearnedLimits,
  OfferQuery,
  OrderQuery,
  Priority,
  Venue,
} from '../ports/venue.ts';
import type { BudgetSnapshot, LaneName } from './budgets/budgets.ts';
import type { VenueParts } from './parts.ts';
import { allEvents, allOffers, collect } from './rest/pagers.ts';
import { clamped } from './wire/bounds.ts';

/** The venue port over this client, and more that only the program which made it uses. */
export class ExchangeVenue implements Venue {
  readonly kind: Mode;
  readonly stream$: Venue['stream$'];
  readonly #parts: VenueParts;

  constructor(kind: Mode, parts: VenueParts) {
    this.kind = kind;
    this.#parts = parts;
    this.stream$ = parts.stream.signals$;
  }

  balance(options?: CallOptions) {
    return this.#parts.account.balance(options);
  }

  xrates(options?: CallOptions) {
    return this.#parts.account.xrates(options);
  }

  position(query: OrderQuery, options?: CallOptions) {
    return this.#parts.orders.position(query, options);
  }

  openBetslips(options?: CallOptions) {
    return this.#parts.betslips.list(options);
  }

  createBetslip(request: BetslipRequest, options?: CallOptions) {
    return this.#parts.betslips.create(request, options);
  }

  betslip(id: BetslipId, options?: CallOptions) {
    return this.#parts.betslips.get(id, options);
  }

  refreshBetslip(id: BetslipId, options?: CallOptions) {
    return this.#parts.betslips.refresh(id, options);
  }

  deleteBetslip(id: BetslipId, options?: CallOptions) {
    return this.#parts.betslips.delete(id, options);
  }

  placeOrder(order: Approved<PlaceOrder>, options?: CallOptions) {
    return this.#parts.orders.place(order, options);
  }

  order(id: OrderId, options?: CallOptions) {
    return this.#parts.orders.get(id, options);
  }

  trackedOrder(uuid: RequestUuid, options?: CallOptions) {
    return this.#parts.orders.tracked(uuid, options);
  }

  orders(query: OrderQuery, options?: CallOptions) {
    return this.#parts.orders.list(query, options);
  }

  orderUpdates(fromMs: number, toMs: number, options?: CallOptions) {
    return this.#parts.orders.updates(fromMs, toMs, options);
  }

  closeOrder(id: OrderId, options?: CallOptions) {
    return this.#parts.orders.close(id, options);
  }

  closeMany(ids: readonly OrderId[], options?: CallOptions) {
    return this.#parts.orders.closeMany(ids, options);
  }

  closeAll(options?: CallOptions) {
    return this.#parts.orders.closeAll({}, options);
  }

  heartbeats(options?: CallOptions) {
    return this.#parts.heartbeats.list(options);
  }

  createHeartbeat(timeoutS: number, options?: CallOptions) {
    return this.#parts.heartbeats.create(timeoutS, options);
  }

  refreshHeartbeat(id: HeartbeatId, options?: CallOptions) {
    return this.#parts.heartbeats.refresh(id, options);
  }

  deleteHeartbeat(id: HeartbeatId, options?: CallOptions) {
    return this.#parts.heartbeats.delete(id, options);
  }

  /** All pages of the event list. */
  async events(query: EventQuery, options?: CallOptions): Promise<EventListing> {
    let unread = 0;
    const onUnread = (count: number): void => void (unread += count);
    const events = await collect(allEvents(this.#parts.marketData, query, options, onUnread));
    return { events, unread };
  }

  /** All pages of the offers of any number of events. */
  offers(query: OfferQuery, options?: CallOptions) {
    return collect(allOffers(this.#parts.marketData, query, options));
  }

  betTypeInfo(sport: Sport, betType: BetType, options?: CallOptions) {
    return this.#parts.marketData.betType(sport, betType, options);
  }

  registerEvent(sport: Sport, eventId: EventId, value = 0): void {
    this.#parts.stream.registerEvent(sport, eventId, value);
  }

  unregisterEvent(sport: Sport, eventId: EventId): void {
    this.#parts.stream.unregisterEvent(sport, eventId);
  }

  budgets() {
    return this.#parts.budgets.levels();
  }

  get throttledCount(): number {
    return this.#parts.rest.throttledCount;
  }

  get keyRefusal() {
    return this.#parts.rest.keyRefusal;
  }

  bounded(name: 'betslip.life', value: number): number {
    return clamped(name, value, this.#parts.survey);
  }

  retryKey(): void {
    this.#parts.rest.retryKey();
  }

  /** The key was replaced: requests have the new one already, and the stream connects with it. */
  onKeyReplaced(): void {
    this.retryKey();
    this.#parts.stream.reconnect('the API key was changed');
  }

  close(): Promise<void> {
    return this.#parts.close();
  }

  /** Milliseconds until a request of this lane and priority would be sent. Infinity when an answer must come first. */
  waitMs(lane: LaneName, priority?: Priority): number {
    return this.#parts.budgets.waitMs(lane, priority);
  }

  recallBetslips(agesMs: readonly number[]): void {
    this.#parts.budgets.recallBetslips(agesMs);
  }

  learnedLimits(): LearnedLimits {
    const { cap } = this.registrations();
    return {
      budgets: this.#parts.budgets.bucketsSnapshot() as object as Json,
      registeredEvents: cap === Infinity ? null : cap,
    };
  }

  /** The budgets that must survive a restart. Give them to the next `createVenue` in `earlierBudgets`. */
  budgetSnapshot(): BudgetSnapshot {
    return this.#parts.budgets.snapshot();
  }

  /** The exchange's wall clock relative to ours; null before the stream's first round trip. */
  clockOffset() {
    return this.#parts.stream.clockOffset();
  }

  /** Events wanted and registered on the stream, and the learned cap. */
  registrations() {
    return this.#parts.stream.registrations();
  }

  /** Counts of what the exchange sent that this client does not know, by `<kind> <name>`. */
  unknowns(): ReadonlyMap<string, number> {
    return this.#parts.survey.counts();
  }
}
