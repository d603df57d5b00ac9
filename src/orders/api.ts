import type { Approved, Refusal, ReviewOrder } from '../domain/approval.ts';
import type { EventName } from '../domain/events.ts';
import type { BetId, BetType, EventId, HeartbeatId, OrderId, SelectionId, Sport } from '../domain/ids.ts';
import type { AccountClaim } from '../domain/installation.ts';
import type { OrderState } from '../domain/lifecycle.ts';
import type { Fill, LiveOrder } from '../domain/live-order.ts';
import type { PlaceOrder, VenueOrder } from '../domain/orders.ts';
import type { PriceList } from '../domain/price-list.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';
import type { Direction } from '../domain/selection.ts';
import type { StreamSignal } from '../domain/stream.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Journal } from '../ports/journal.ts';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Venue } from '../ports/venue.ts';
import type { OrderOptions } from './options.ts';
import type { PlanBasis, WaitingQuote } from './targets/reconcile.ts';

/** One market of a selection, by the exchange's names. */
export interface MarketName {
  readonly sport: Sport;
  readonly eventId: EventId;
  readonly betType: BetType;
}

/** What a taker can get in each direction now; null when not known or stale. */
export type MarketPrices = Readonly<Record<Direction, PriceList | null>>;

export interface OrderListener {
  /**
   * Called in the same turn as each change of an order, `prepared` included, so that exposure has no gap. `before` is the
   * state that it was in; null for one that this run did not know.
   */
  onOrder(order: LiveOrder, before: OrderState | null): void;
  /** An earlier run wrote down whose an event is; before its bets are told. */
  onOwned?(event: EventName, owner: string): void;
  /**
   * Called before `onOrder` tells of the order's smaller remainder. Once per bet id and run: `remembered` ones were
   * booked by an earlier run.
   */
  onFill(fill: Fill, remembered?: boolean): void;
  /** Each word of the exchange about an order of ours, its settlement included. */
  onOwnOrder?(order: VenueOrder): void;
  /** An order of the account that is not in our journal: each word of the exchange about it. */
  onForeignOrder?(order: VenueOrder): void;
  /**
   * Whether a booked bet of an order that is over stands, or was taken back; told again with each word of the exchange
   * about that order. While an order works, stake that was taken back may be matched once more.
   */
  onStanding?(betId: BetId, stands: boolean): void;
  /** Quoting is latched, and the journal has failed: a restart would forget it unless it is kept elsewhere. */
  onUnwrittenLatch(reason: string): void;
  /** A broken invariant of ours: stop quoting, close orders, exit. */
  onFatal(error: unknown): void;
}

/** Risk, as far as the order manager asks it. */
export interface OrderRisk {
  /** The choke point: nothing else approves an order. */
  readonly review: ReviewOrder;
  /** The refusals that `review` would give before there is a betslip. Approves nothing. */
  precheck(order: PlaceOrder): readonly Refusal[];
  /** Why an approved order may not be sent any more; none when it may. */
  recheck(order: Approved<PlaceOrder>): readonly Refusal[];
  /** Whether the order, filled whole, would make the worst case better: it may then use the reserves. */
  reduces(order: Pick<PlaceOrder, 'sport' | 'eventId' | 'betType' | 'price' | 'stakeMicros'>): boolean;
}

/** The catalogue and its prices, as far as the order manager asks them. */
export interface OrderPrices {
  /** Null until the exchange has named the market. */
  resolve(selectionId: SelectionId, direction: Direction): MarketName | null;
  marketOf(selectionId: SelectionId): MarketPrices;
  /** The public offers where they are younger than the private quote that `marketOf` goes by; null elsewhere. */
  youngerOffersOf(selectionId: SelectionId): MarketPrices;
}

/** Whether the daemon works: while it does not, orders are closed and the heartbeat runs out. */
export interface DaemonHealth {
  /** The engine makes progress. */
  progressing(): boolean;
  /** A kill has not closed everything in time. */
  closingFailed(): boolean;
}

/** The results of orders, as far as the exchange has told them. */
export interface OrderResults {
  /** Wall-clock instant at which the result was told last, null before: the order's bets are kept until a while after it. */
  toldMs(orderId: OrderId): number | null;
}

export interface OrderManagerDeps {
  readonly venue: Venue;
  readonly journal: Journal;
  /** What the exchange told an earlier run of the cap of open betslips; null, the default, when it told nothing. */
  readonly learnedBetslipCap?: number | null;
  /** Kinds of others' records in the journal of which only the last matters; all of any other kind stay for good. */
  readonly onlyLastMatters?: readonly string[];
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly risk: OrderRisk;
  readonly prices: OrderPrices;
  readonly health: DaemonHealth;
  readonly results: OrderResults;
  readonly listener: OrderListener;
  /** How this process comes to trade the account. */
  readonly claim: AccountClaim;
  readonly options: OrderOptions;
}

export interface RecoveryReport {
  /** Number of this run, counted by the journal. */
  readonly epoch: number;
  readonly journalRecords: number;
  /** Own orders of earlier runs, by what became of them. */
  readonly recoveredLive: number;
  readonly recoveredUnknown: number;
  readonly recoveredClosed: number;
  readonly fillsFound: number;
  /** Open orders of the account that are not in the journal. */
  readonly foreign: readonly OrderId[];
  /** Heartbeats that earlier runs left; deleted once the new one is armed, before the first order. */
  readonly oldHeartbeats: readonly HeartbeatId[];
  readonly tookMs: number;
  /** Why only closing is possible, null when quoting may begin. */
  readonly closeOnly: string | null;
}

export interface DrainReport {
  /** Everything of ours was confirmed closed by the exchange. */
  readonly clean: boolean;
  readonly stillOpen: readonly LiveOrder[];
  /** Open orders with our mark that the journal does not tell of. */
  readonly straysOpen: readonly OrderId[];
  /** Open orders of others on the account; left alone. */
  readonly foreignOpen: readonly OrderId[];
  readonly heartbeatRemoved: boolean;
  readonly tookMs: number;
}

export interface OrderManagerStatus {
  /** Why nothing is placed at all, null when placing is possible. */
  readonly blocked: string | null;
  /** A latch holds until a person releases it. */
  readonly latched: string | null;
  /** Recovery is done: what earlier runs left is known. */
  readonly recovered: boolean;
  /** The journal cannot be written: only closing is possible until the next start. */
  readonly journalFailed: boolean;
  readonly waiting: readonly WaitingQuote[];
  readonly heartbeatRemainingMs: number;
  readonly betslipsOpen: number;
  /** As learned or assumed; one more may be tried now. */
  readonly betslipCap: number;
  /** The exchange has told, by a refusal or by taking more than was assumed. */
  readonly betslipCapLearned: boolean;
  readonly ordersPlaced: number;
  readonly foreign: readonly VenueOrder[];
}

export interface OrderManager {
  /**
   * Takes over what the journal tells of earlier runs, as its next work; asks nobody. What may not stand is closed from
   * then on. `start` and `drain` see to it too.
   */
  adopt(): void;
  /** Recovery, then the heartbeat. Nothing is sent before it resolves. Rejects when the exchange cannot be asked. */
  start(): Promise<RecoveryReport>;
  /**
   * The complete set of quotes that the owner, a strategy, wants for an event; replaces the last. An empty one closes the
   * event's quotes.
   */
  setTargets(event: EventName, owner: string, intents: readonly QuoteIntent[]): void;
  /** What a plan for an event starts from now. */
  planBasis(event: EventName): PlanBasis;
  onSignal(signal: StreamSignal): void;
  /** Closes every own order and places none until `resumeQuoting`. */
  stopQuoting(reason: string): void;
  resumeQuoting(): void;
  /** Somebody else's write to the journal has failed: closes every own order and places none any more, at once. */
  journalFailed(error: unknown): void;
  /** A person's word that what was latched may be let go. Answers what it was. Throws JournalError, and holds on. */
  release(reason: string): string | null;
  /**
   * Other options from now on, for what is decided from now on. The heartbeat's, the betslips' budgets and the open cap
   * stay as they were at the start.
   */
  reconfigure(options: OrderOptions): void;
  drain(deadlineMs: number): Promise<DrainReport>;
  /** Own orders that are not over. */
  orders(): Iterable<LiveOrder>;
  /** Whether an open order is this process's to close, by its mark: another installation or a copy may have placed it. */
  isOurs(order: VenueOrder): boolean;
  /**
   * How many orders of ours may be open, by the journal or by our mark on them. None is an answer only once the exchange
   * was asked: null until then.
   */
  openOrders(): number | null;
  status(): OrderManagerStatus;
  /** Cancels timers. No input or output. */
  stop(): void;
}

/** Which way a word of the exchange came; `earlier`: the listing of what was filled before the journal. */
export type ReportSource = 'answer' | 'stream' | 'look-up' | 'listing' | 'updates' | 'recovery' | 'earlier';
