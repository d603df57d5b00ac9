import type { Observable } from 'rxjs';
import type { Approved } from '../domain/approval.ts';
import type { VenueRejection } from '../domain/errors.ts';
import type { BudgetLevels } from '../domain/event-view.ts';
import type { SportEvent } from '../domain/events.ts';
import type { BetslipId, BetType, EventId, HeartbeatId, OrderId, RequestUuid, Sport } from '../domain/ids.ts';
import type { Mode } from '../domain/mode.ts';
import type { OrderPage } from '../domain/order-listing.ts';
import type {
  Balance,
  Betslip,
  BetslipRequest,
  ExchangeRate,
  Heartbeat,
  PlaceOrder,
  Position,
  VenueOrder,
} from '../domain/orders.ts';
import type { Offer, StreamSignal } from '../domain/stream.ts';
import type { Json } from './journal.ts';

/** How urgent a request is when budgets make requests wait. */
export type Priority =
  /** Closes and heartbeats. They wait only behind each other, and mostly not at all: all others leave them a reserve. */
  | 'urgent'
  /** Orders and betslips that reduce risk, recovery look-ups. */
  | 'reducing'
  | 'normal';

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly priority?: Priority;
  /** Within a priority, the higher value goes first. */
  readonly value?: number;
  /**
   * Called at the last instant before the request's first byte may leave, after any wait for budgets. Throwing here
   * cancels the request: nothing is sent, and the call rejects with that error.
   */
  readonly beforeSend?: () => void;
  /**
   * Called when the request has a connection, which may be seconds later, before any byte has left. Throwing here
   * cancels the request as `not-sent`.
   */
  readonly whenConnected?: () => void;
  /** The request is sent once, whatever the failure: the caller retries. */
  readonly once?: boolean;
}

export interface OrderQuery {
  readonly statuses?: readonly string[];
  readonly sport?: Sport;
  readonly eventId?: EventId;
  /** Only orders placed at this wall-clock instant or later, in milliseconds. */
  readonly fromMs?: number;
  readonly page?: number;
  readonly pageSize?: number;
}

export interface OfferQuery {
  readonly sport: Sport;
  readonly eventIds: readonly EventId[];
  readonly betTypes?: readonly BetType[];
  readonly minLiquidity?: number;
}

export interface EventQuery {
  readonly sports?: readonly Sport[];
  readonly irStatuses?: readonly string[];
}

/** The events that the exchange lists. */
export interface EventListing {
  readonly events: readonly SportEvent[];
  /** How many further entries cannot be read. Any event may be one of them, so that none is absent. */
  readonly unread: number;
}

/** A bet type. `grid` is its `winloss_grid[home][away]`: `w`, `l`, `p`, `v`, and codes not yet known. */
export interface BetTypeInfo {
  readonly sport: Sport;
  readonly betType: BetType;
  readonly description: string;
  readonly grid: readonly (readonly string[])[];
}

/** The most orders that one request may close (published facts). */
export const MOST_CLOSED_AT_ONCE = 500;

/** The answer to a request that closes several orders. */
export interface ClosedMany {
  readonly closed: readonly OrderId[];
  /** Ids that are unknown, or whose orders are closed already. */
  readonly notFound: readonly OrderId[];
}

/** The learned limits of the account, for the next run. Plain JSON. */
export interface LearnedLimits {
  /** The request budgets, in the venue's own form, without the day's betslips, which a journal counts. */
  readonly budgets: Json;
  /** The number of events that the account may register, learned from a refusal; null before any. */
  readonly registeredEvents: number | null;
}

/**
 * The exchange, as the engine sees it. Every method rejects with `TransportError`, `ProtocolError` or `VenueRejection`
 * and nothing else, except errors that `beforeSend` throws. Waits for budgets and safe retries (reads; idempotent
 * writes) happen inside. `placeOrder` makes exactly one attempt.
 */
export interface Venue {
  /** How the run trades. `MODES` has, for each mode, whether real money is at stake. */
  readonly kind: Mode;

  balance(options?: CallOptions): Promise<Balance>;
  xrates(options?: CallOptions): Promise<readonly ExchangeRate[]>;
  position(query: OrderQuery, options?: CallOptions): Promise<Position>;

  openBetslips(options?: CallOptions): Promise<readonly BetslipId[]>;
  createBetslip(request: BetslipRequest, options?: CallOptions): Promise<Betslip>;
  betslip(id: BetslipId, options?: CallOptions): Promise<Betslip>;
  refreshBetslip(id: BetslipId, options?: CallOptions): Promise<void>;
  deleteBetslip(id: BetslipId, options?: CallOptions): Promise<void>;

  placeOrder(order: Approved<PlaceOrder>, options?: CallOptions): Promise<VenueOrder>;
  order(id: OrderId, options?: CallOptions): Promise<VenueOrder>;
  /** Rejects with VenueRejection `not_found` while the exchange does not know the uuid. */
  trackedOrder(uuid: RequestUuid, options?: CallOptions): Promise<VenueOrder>;
  /** A page of the order list. */
  orders(query: OrderQuery, options?: CallOptions): Promise<OrderPage>;
  /** Orders updated in a window. Both bounds are at least 60 s past, and at most 70 minutes apart. */
  orderUpdates(fromMs: number, toMs: number, options?: CallOptions): Promise<OrderPage>;
  closeOrder(id: OrderId, options?: CallOptions): Promise<void>;
  /** Closes these orders with one request. 1 to `MOST_CLOSED_AT_ONCE` ids. */
  closeMany(ids: readonly OrderId[], options?: CallOptions): Promise<ClosedMany>;
  /** Closes every open order of the account, including those placed by hand or by others. Returns the closed ids. */
  closeAll(options?: CallOptions): Promise<readonly OrderId[]>;

  heartbeats(options?: CallOptions): Promise<readonly Heartbeat[]>;
  createHeartbeat(timeoutS: number, options?: CallOptions): Promise<Heartbeat>;
  refreshHeartbeat(id: HeartbeatId, options?: CallOptions): Promise<Heartbeat>;
  deleteHeartbeat(id: HeartbeatId, options?: CallOptions): Promise<void>;

  events(query: EventQuery, options?: CallOptions): Promise<EventListing>;
  offers(query: OfferQuery, options?: CallOptions): Promise<readonly Offer[]>;
  betTypeInfo(sport: Sport, betType: BetType, options?: CallOptions): Promise<BetTypeInfo>;

  /**
   * The stream. It connects on the first subscription, reconnects by itself, never errors, and completes after `close`.
   * Multicast: every subscriber sees the same connection.
   */
  readonly stream$: Observable<StreamSignal>;
  /**
   * Registers an event for offers, now and after every reconnect, until unregistered. Idempotent; another call changes
   * the value. At the exchange's cap on registrations, the events of the highest value (default 0) are registered.
   */
  registerEvent(sport: Sport, eventId: EventId, value?: number): void;
  unregisterEvent(sport: Sport, eventId: EventId): void;

  budgets(): BudgetLevels;
  /** Milliseconds until a betslip request made now would leave, behind those that wait for their budget. */
  waitMs(lane: 'betslips', priority: Priority): number;
  /** Corrects the ages of betslips that earlier runs requested in the last day: upper bounds by the exchange's clock. */
  recallBetslips(agesMs: readonly number[]): void;
  /** The learned limits, which must survive a restart. */
  learnedLimits(): LearnedLimits;
  /** The number of 429 answers so far. */
  readonly throttledCount: number;
  /**
   * The answer with which the exchange refused our key (401); null while it accepts the key. From this answer on, every call but
   * `closeMany` rejects with it and sends nothing.
   */
  readonly keyRefusal: VenueRejection | null;
  /**
   * A number that the caller has derived from what the exchange says, within its bounds. One outside is counted, logged and alarmed like
   * those that the client bounds itself.
   */
  bounded(name: 'betslip.life', value: number): number;
  /** Sends requests again after a refused key: another key is in use, or a person asks for it. */
  retryKey(): void;
  /** Ends the stream, aborts calls in flight and releases connections. */
  close(): Promise<void>;
}
