import type { Observable } from 'rxjs';
import type { VenueRejection } from '../domain/errors.ts';
import type { EventName } from '../domain/events.ts';
import type { EventId, Sport } from '../domain/ids.ts';
import type { UnreadOrder } from '../domain/order-listing.ts';
import type { Offer, StreamEntry, StreamSignal } from '../domain/stream.ts';
import type { CallOptions } from '../ports/venue.ts';
import type { Budgets } from './budgets/budgets.ts';
import type { VenueParts } from './parts.ts';
import type { AccountApi } from './rest/account.ts';
import type { BetslipsApi } from './rest/betslips.ts';
import type { HeartbeatsApi } from './rest/heartbeats.ts';
import type { EventFilter, MarketDataApi, OfferFilter } from './rest/market-data.ts';
import type { OrderFilter, OrdersApi } from './rest/orders.ts';
import { allEvents, allOffers, allOrders, orderUpdatePages, type UpdatesPage } from './rest/pagers.ts';
import type { OffsetEstimate } from './stream/clock-offset.ts';
import { Inbox } from './stream/inbox.ts';
import type { EventDetails, OrderDetails } from './wire/resources.ts';

/**
 * The exchange for other programs: every endpoint, grouped as in the specification, the stream, and pagers. Waits for
 * budgets and safe retries happen inside. Failures reject with TransportError, ProtocolError or one of the classes in
 * `errors.ts`.
 */
export class ExchangeClient implements AsyncDisposable {
  readonly account: AccountApi;
  readonly betslips: BetslipsApi;
  readonly orders: OrdersApi;
  readonly heartbeats: HeartbeatsApi;
  readonly marketData: MarketDataApi;
  /** The requests that each budget has left, and the wait of a new request. */
  readonly budgets: Pick<Budgets, 'levels' | 'waitMs' | 'snapshot'>;
  /** The stream's connections and frames as they come. Connects on the first subscription. */
  readonly stream$: Observable<StreamSignal>;
  readonly #parts: VenueParts;

  constructor(parts: VenueParts) {
    this.account = parts.account;
    this.betslips = parts.betslips;
    this.orders = parts.orders;
    this.heartbeats = parts.heartbeats;
    this.marketData = parts.marketData;
    this.budgets = parts.budgets;
    this.stream$ = parts.stream.signals$;
    this.#parts = parts;
  }

  /** All events that match, page by page. */
  allEvents(filter?: EventFilter, options?: CallOptions): AsyncGenerator<EventDetails, void, undefined> {
    return allEvents(this.marketData, filter, options);
  }

  /** All offers of any number of events of one sport, page by page. */
  allOffers(filter: OfferFilter, options?: CallOptions): AsyncGenerator<Offer, void, undefined> {
    return allOffers(this.marketData, filter, options);
  }

  /** All orders that match, page by page. `onUnread` receives the entries that cannot be read, which the result leaves out. */
  allOrders(
    filter?: OrderFilter,
    options?: CallOptions,
    onUnread?: (entry: UnreadOrder) => void,
  ): AsyncGenerator<OrderDetails, void, undefined> {
    return allOrders(this.orders, filter, options, onUnread);
  }

  /** Orders updated between two instants, in windows of 70 minutes. Wall-clock milliseconds; `toMs` is 60 s past. */
  orderUpdates(
    fromMs: number,
    toMs: number,
    options?: CallOptions,
  ): AsyncGenerator<UpdatesPage, void, undefined> {
    return orderUpdatePages(this.orders, fromMs, toMs, options);
  }

  /** The stream's entries for a reader with its own pace. `Inbox` defines which entries may be dropped. Connects now. */
  entries(): AsyncIterableIterator<StreamEntry> {
    return new Inbox(this.stream$);
  }

  /** Registers an event for offers until `unregisterEvent`. At the exchange's cap the most valuable are registered. */
  registerEvent(sport: Sport, eventId: EventId, value = 0): void {
    this.#parts.stream.registerEvent(sport, eventId, value);
  }

  unregisterEvent(sport: Sport, eventId: EventId): void {
    this.#parts.stream.unregisterEvent(sport, eventId);
  }

  /**
   * The events that the exchange has registered for this connection (`list_registered_events`). Rejects with
   * TransportError `not-sent` while the stream is not in sync, `unknown` without an answer, and VenueRejection on refusal.
   */
  registeredEvents(): Promise<readonly EventName[]> {
    return this.#parts.stream.listRegistered();
  }

  /** Events wanted and registered by our own count, and the cap learned from refusals (Infinity before any). */
  registrations(): { readonly wanted: number; readonly registered: number; readonly cap: number } {
    return this.#parts.stream.registrations();
  }

  /** The exchange's wall clock relative to ours; null before the stream's first round trip. */
  clockOffset(): OffsetEstimate | null {
    return this.#parts.stream.clockOffset();
  }

  /** Latest round trip on the stream; null before the first. */
  roundTripMs(): number | null {
    return this.#parts.stream.roundTripMs();
  }

  /** Counts of what the exchange sent that this client does not know, by `<kind> <name>`. */
  unknowns(): ReadonlyMap<string, number> {
    return this.#parts.survey.counts();
  }

  /** The number of 429 answers so far. */
  get throttledCount(): number {
    return this.#parts.rest.throttledCount;
  }

  /** The answer with which the exchange refused the key (401). From it on, only `closeMany` sends requests. */
  get keyRefusal(): VenueRejection | null {
    return this.#parts.rest.keyRefusal;
  }

  /** Ends the stream and every call in flight. */
  async close(): Promise<void> {
    await this.#parts.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
