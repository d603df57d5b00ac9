import type { Observable } from 'rxjs';
import type { Approved } from '../domain/approval.ts';
import type { SportEvent } from '../domain/events.ts';
import type { BetslipId, BetType, EventId, HeartbeatId, OrderId, RequestUuid, Sport } from '../domain/ids.ts';
import type { Mode } from '../domain/mode.ts';
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
  /** Closes, heartbeats: wait behind one another alone, and mostly not at all, since the others leave them a reserve. */
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
   * cancels the request, and the error is passed on: nothing was sent.
   */
  readonly beforeSend?: () => void;
  /**
   * Called when a connection is there for it, which may be seconds later, and nothing of it has left yet. Throwing cancels the
   * request as one that was `not-sent`.
   */
  readonly whenConnected?: () => void;
  /** Sent once, however it fails: the caller repeats it. */
  readonly once?: boolean;
}

export interface OrderQuery {
  readonly statuses?: readonly string[];
  readonly sport?: Sport;
  readonly eventId?: EventId;
  /** Placed at this instant of the wall clock or later, in milliseconds. */
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

/** `winloss_grid[home][away]` of the bet type as asked: `w`, `l`, `p`, `v`, and codes not yet known. */
export interface BetTypeInfo {
  readonly sport: Sport;
  readonly betType: BetType;
  readonly description: string;
  readonly grid: readonly (readonly string[])[];
}

/** So many orders one request may close (published facts). */
export const MOST_CLOSED_AT_ONCE = 500;

/** What an answer to a request to close several orders tells of each. */
export interface ClosedMany {
  readonly closed: readonly OrderId[];
  /** Unknown ids and those of orders that are closed already. */
  readonly notFound: readonly OrderId[];
}

/** What was learned of the account's limits, for the next run. Plain JSON. */
export interface LearnedLimits {
  /** The state of the request budgets but for the day's betslips, which a journal counts; in the venue's own form. */
  readonly budgets: Json;
  /** Events that the account may register, by a refusal; null when none came. */
  readonly registeredEvents: number | null;
}

/** What is left of the request budgets. */
export interface BudgetLevels {
  readonly ordersNow: number;
  readonly betslipsNow: number;
  readonly betslipsToday: number;
  readonly generalNow: number;
}

/**
 * The exchange, as the engine sees it. Every method rejects with `TransportError`, `ProtocolError` or
 * `VenueRejection` and nothing else (but for what `beforeSend` throws). Waits for budgets and retries that are safe
 * (reads; idempotent writes) happen inside; `placeOrder` makes exactly one attempt.
 */
export interface Venue {
  /** How the run trades: `MODES` says whether real money is at stake. */
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
  /** Rejects with VenueRejection `not_found` when the exchange does not know the uuid (now). */
  trackedOrder(uuid: RequestUuid, options?: CallOptions): Promise<VenueOrder>;
  /** One page. */
  orders(query: OrderQuery, options?: CallOptions): Promise<readonly VenueOrder[]>;
  /** Orders updated in a window; both bounds at least 60 s past, at most 70 minutes apart. */
  orderUpdates(fromMs: number, toMs: number, options?: CallOptions): Promise<readonly VenueOrder[]>;
  closeOrder(id: OrderId, options?: CallOptions): Promise<void>;
  /** Closes these orders by one request. From 1 to `MOST_CLOSED_AT_ONCE` ids. */
  closeMany(ids: readonly OrderId[], options?: CallOptions): Promise<ClosedMany>;
  /** Closes every open order of the account, placed by hand or by others included. Answers the closed ids. */
  closeAll(options?: CallOptions): Promise<readonly OrderId[]>;

  heartbeats(options?: CallOptions): Promise<readonly Heartbeat[]>;
  createHeartbeat(timeoutS: number, options?: CallOptions): Promise<Heartbeat>;
  refreshHeartbeat(id: HeartbeatId, options?: CallOptions): Promise<Heartbeat>;
  deleteHeartbeat(id: HeartbeatId, options?: CallOptions): Promise<void>;

  events(query: EventQuery, options?: CallOptions): Promise<readonly SportEvent[]>;
  offers(query: OfferQuery, options?: CallOptions): Promise<readonly Offer[]>;
  betTypeInfo(sport: Sport, betType: BetType, options?: CallOptions): Promise<BetTypeInfo>;

  /**
   * The stream: connects on the first subscription, reconnects by itself, never errors, completes after `close`.
   * Multicast: every subscriber sees the same connection.
   */
  readonly stream$: Observable<StreamSignal>;
  /**
   * Asks for an event's offers, now and after every reconnect, until unregistered. Idempotent; asking again changes the
   * value. When the exchange's cap on registrations is met, the events of the highest value (default 0) have them.
   */
  registerEvent(sport: Sport, eventId: EventId, value?: number): void;
  unregisterEvent(sport: Sport, eventId: EventId): void;

  budgets(): BudgetLevels;
  /** Milliseconds from now at which a request for a betslip would leave, behind those that wait for their budget. */
  waitMs(lane: 'betslips', priority: Priority): number;
  /** How long ago earlier runs asked for the betslips of the last day, at most, by what the exchange has shown of the time. */
  recallBetslips(agesMs: readonly number[]): void;
  /** What of the limits must survive a restart. */
  learnedLimits(): LearnedLimits;
  /** Answers 429 seen so far. */
  readonly throttledCount: number;
  /** Ends the stream and releases connections; calls under way are aborted. */
  close(): Promise<void>;
}
