import type { AccountPort } from '../account/account.ts';
import type { Approved, ApproveOrder, Refusal } from '../domain/approval.ts';
import type { ExchangePrices } from '../domain/exchange-prices.ts';
import type { EventName, PlayState, Score } from '../domain/events.ts';
import type { BetslipId, HeartbeatId, OrderId, SelectionId } from '../domain/ids.ts';
import type { AccountClaim } from '../domain/installation.ts';
import type { Fill, LiveOrder } from '../domain/live-order.ts';
import type { PriceKind } from '../domain/odds.ts';
import type { BetslipRequest, JudgedTerms, PlaceOrder, VenueOrder } from '../domain/orders.ts';
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
import type { KnownAccount } from './journal/account-identity.ts';
import type { PlanBasis, WaitingQuote } from './targets/reconcile.ts';

export type { KnownAccount } from './journal/account-identity.ts';

/**
 * Prices that a taker can get now in each direction, as prices of the selection with the stakes at them; null when unknown or
 * stale.
 */
export type MarketPrices = Readonly<Record<Direction, PriceList | null>>;

/** The part of risk that the order manager uses. */
export interface OrderRisk {
  /** The only function that approves an order. */
  readonly approve: ApproveOrder;
  /** Returns the refusals that `approve` would give, before a betslip exists. Approves nothing. */
  precheck(order: PlaceOrder): readonly Refusal[];
  /** Returns why an approved order must not be sent any more; empty when it may be sent. */
  recheck(order: Approved<PlaceOrder>): readonly Refusal[];
  /**
   * Returns whether the order certainly reduces risk, or is a bet of a hedge that certainly worsens none. It may then use the reserves. With the id of an order that is approved
   * already, the order does not count besides itself.
   */
  reduces(order: JudgedTerms): boolean;
}

/** The part of the catalogue and its prices that the order manager uses. */
export interface OrderPrices {
  /** The market on which an order has such a price; null until the exchange has named it, or if there is none. */
  resolve(selectionId: SelectionId, kind: PriceKind): BetslipRequest | null;
  marketOf(selectionId: SelectionId): MarketPrices;
  /** The public offers, where they are younger than the private quote that `marketOf` uses; null elsewhere. */
  youngerOffersOf(selectionId: SelectionId): MarketPrices;
  /** Whether the event is in play, and its score, as the exchange last told them. */
  playOf(event: EventName): PlayState;
}

/** Health of the daemon. While it is unhealthy, orders are closed and the heartbeat expires. */
export interface DaemonHealth {
  /** The engine makes progress. */
  progressing(): boolean;
  /** A kill did not close every order in time. */
  closingFailed(): boolean;
}

export interface OrderManagerDeps {
  readonly venue: Venue;
  readonly journal: Journal;
  /** Cap of open betslips that an earlier run learned from the exchange; null, the default, when it learned none. */
  readonly learnedBetslipCap?: number | null;
  /**
   * Kinds of records, written by other parts, of which only the last matters. Records of other kinds are kept
   * for good.
   */
  readonly onlyLastMatters?: readonly string[];
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly risk: OrderRisk;
  readonly prices: OrderPrices;
  /** What the exchange's prices are, now: it may change once it is proven. Default: every price is the price of the selection. */
  readonly exchangePrices?: () => ExchangePrices;
  readonly health: DaemonHealth;
  /** The account. The manager tells it of each change of an order, in the same turn, and what the exchange shows of orders and bets. */
  readonly account: AccountPort;
  /** Called when quoting is latched and the journal has failed. It must keep the latch, or a restart forgets it. */
  readonly onUnwrittenLatch: (reason: string) => void;
  /** Called when an invariant is broken. It must stop quoting, close orders and exit. */
  readonly onFatal: (error: unknown) => void;
  /** How this process comes to trade the account. */
  readonly claim: AccountClaim;
  readonly options: OrderOptions;
  /** How often all blocked quotes are judged, to find those that nothing woke; 0: in every turn. Default 5,000 ms. */
  readonly auditEveryMs?: number;
}

export interface RecoveryReport {
  /** Number of this run, counted by the journal. */
  readonly epoch: number;
  readonly journalRecords: number;
  /** Numbers of own orders of earlier runs, by their state after recovery. */
  readonly recoveredLive: number;
  readonly recoveredUnknown: number;
  readonly recoveredClosed: number;
  readonly fillsFound: number;
  /** Open orders of the account that are not in the journal. */
  readonly foreign: readonly OrderId[];
  /** Heartbeats that earlier runs left. They are deleted after the new one is armed and before the first order. */
  readonly oldHeartbeats: readonly HeartbeatId[];
  readonly tookMs: number;
  /** Why the manager may only close orders; null when quoting may begin. */
  readonly closeOnly: string | null;
}

export interface DrainReport {
  /** The exchange has confirmed that every order of ours is closed. */
  readonly clean: boolean;
  readonly stillOpen: readonly LiveOrder[];
  /** Open orders with our mark that are not in the journal. */
  readonly straysOpen: readonly OrderId[];
  /** Open orders of others on the account; left alone. */
  readonly foreignOpen: readonly OrderId[];
  readonly heartbeatRemoved: boolean;
  readonly tookMs: number;
}

export interface OrderManagerStatus {
  /** Why no order may be placed; null when orders may be placed. */
  readonly blocked: string | null;
  /** A latch holds until a person releases it. */
  readonly latched: string | null;
  /** Recovery is done: the orders and heartbeats of earlier runs are known. */
  readonly recovered: boolean;
  /** The journal cannot be written: only closing is possible until the next start. */
  readonly journalFailed: boolean;
  readonly waiting: readonly WaitingQuote[];
  readonly heartbeatRemainingMs: number;
  readonly betslipsOpen: number;
  /** The cap, learned or assumed. The pool may now and then try one more. */
  readonly betslipCap: number;
  /** The exchange has revealed the cap, by a refusal or by accepting more than was assumed. */
  readonly betslipCapLearned: boolean;
  readonly ordersPlaced: number;
  readonly foreign: readonly VenueOrder[];
  /** How many blocked quotes could have been placed, and nothing woke them: a mistake of the program if there are any. */
  readonly missedWakes: number;
}

/** Keeps orders at a kind of price from being begun. */
export interface KindHold {
  /** Why, for people. */
  readonly detail: string;
  /** Whether orders on the event wait. */
  readonly holds: (event: EventName) => boolean;
}

export interface OrderManager {
  /**
   * Takes over, in the next turn, the orders that the journal records of earlier runs. Sends no request for
   * that. From then on it closes the orders that must not stay open. `start` and `drain` adopt, too.
   */
  adopt(): void;
  /**
   * Recovers the account, then begins to quote. Places no order before it resolves. Rejects when the exchange
   * cannot be asked, and with ConfigError when the key opens another account than the one of the journal.
   */
  start(): Promise<RecoveryReport>;
  /**
   * Sets the complete set of quotes that the owner, a strategy, wants for an event, and replaces the previous
   * set. An empty set closes the event's quotes. `score`: that of the view which decided them; default null: none is known.
   */
  setTargets(
    event: EventName,
    owner: string | null,
    intents: readonly QuoteIntent[],
    score?: Score | null,
  ): void;
  /** Places, renews and closes nothing on an event until its next targets. What rests there lapses by itself. */
  leave(event: EventName): void;
  /** Keeps the betslips of these markets open for orders that may be wanted soon, in place of those before. */
  standBy(markets: readonly BetslipRequest[]): void;
  /** What a plan for an event starts from now. */
  planBasis(event: EventName): PlanBasis;
  onSignal(signal: StreamSignal): void;
  /** Closes every own order and places none until `resumeQuoting`. */
  stopQuoting(reason: string): void;
  resumeQuoting(): void;
  /** Closes every own order once. Quoting goes on: what is still wanted is placed again. */
  closeAll(reason: string): void;
  /**
   * Places no order while `detail` tells why it is not proven what prices mean; null ends that. Leaves open orders as
   * they are.
   */
  holdForConvention(detail: string | null): void;
  /** Begins no order at prices of this kind on the events that `hold` holds; null ends that. Leaves open orders as they are. */
  holdKind(kind: PriceKind, hold: KindHold | null): void;
  /**
   * Writes to the journal that the prices of booked fills are of another kind. It counts from the next start on. Returns
   * the number of these fills. Throws JournalError.
   */
  rereadFills(isMeant: (fill: Fill) => boolean, to: PriceKind): number;
  /** Reports that another part failed to write to the journal. Closes every own order and stops placing at once. */
  journalFailed(error: unknown): void;
  /**
   * Releases the latch at a person's request and returns its reason; null when nothing was latched. Throws
   * JournalError when the release cannot be written; the latch then holds.
   */
  release(reason: string): string | null;
  /**
   * Applies other options to later decisions. The options of the heartbeat, the betslip budgets and the cap
   * of open betslips stay as they were at the start.
   */
  reconfigure(options: OrderOptions): void;
  drain(deadlineMs: number): Promise<DrainReport>;
  /** Whether a betslip of ours, open or closed lately, is a `lay` one: its quotes hold lay prices for orders against its bet type. */
  isLayBetslip(id: BetslipId): boolean;
  /** Own orders that have not ended. */
  orders(): Iterable<LiveOrder>;
  /**
   * Whether this process may close an open order, judged by its mark: another installation or a copy may have
   * placed it.
   */
  isOurs(order: Pick<VenueOrder, 'userData'>): boolean;
  /**
   * How many of our orders may be open, by the journal or by their mark. Null instead of 0 until recovery has
   * asked the exchange.
   */
  openOrders(): number | null;
  status(): OrderManagerStatus;
  /** What the journal knows of the account that it is of. */
  account(): KnownAccount;
  /** Cancels timers. No input or output. */
  stop(): void;
}
