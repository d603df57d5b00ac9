/** The records that the exchange keeps. They are mutable, owned by the core, and never leave it. */
import type { ExchangeMode } from '../../domain/exchange-mode.ts';
import type { Micros } from '../../domain/money.ts';
import type { Tick } from '../../domain/odds.ts';
import type { Direction } from '../../domain/selection.ts';
import type { EventResult, ParsedBetType, SimEvent } from './api.ts';
import type { Book } from './book.ts';
import type { Exposure } from './exposure.ts';
import type { Resting } from './fill-model.ts';
import type { Budgets } from './limits.ts';
import type { Planned } from './scheduler.ts';

/** A customer: everything that belongs to it and to nobody else. */
export interface Account {
  readonly accountId: string;
  /** Its name in books; the background's names begin otherwise. */
  readonly owner: string;
  readonly knownToFeed: boolean;
  readonly budgets: Budgets;
  readonly exposure: Exposure;
  readonly orders: Map<number, OrderRecord>;
  readonly ordersByUuid: Map<string, OrderRecord>;
  readonly openOrders: Set<OrderRecord>;
  readonly betslips: Map<string, BetslipRecord>;
  readonly heartbeats: Map<string, HeartbeatRecord>;
  /** Stake of open orders and bets by event, for the stake limit. */
  readonly eventStakes: Map<string, Micros>;
  balanceMicros: Micros;
  /** Liability of the unfilled stake of open orders. */
  reservedMicros: Micros;
  openBetslipCount: number;
  /** What open orders and unsettled bets can lose, each by itself. */
  readonly openStakeMicros: Micros;
  /** What a new order may put at risk. */
  readonly availableMicros: Micros;
  isEnabledFor(sport: string): boolean;
}

/** A price and what can be had at it. */
export interface ShownLevel {
  readonly price: number;
  readonly stakeMicros: Micros;
  /** The least bet that gets any of it; 0 for no minimum. */
  readonly leastMicros: Micros;
}

/** What one direction of an outcome has on offer. */
export interface Offer {
  /** The `offer` object as JSON. */
  readonly text: string;
  /** Of all levels that it shows. */
  readonly stakeMicros: Micros;
}

/** The two markets of one outcome: its book, and what is shown of it. */
export interface MarketBook {
  readonly event: EventRecord;
  readonly outcome: string;
  readonly book: Book;
  /** Orders that take what comes and never rest, in time order. */
  readonly waiting: OrderRecord[];
  /** Betslips that are quoted from this book. */
  readonly watchers: Set<BetslipRecord>;
  parsed(direction: Direction): ParsedBetType;
  betType(direction: Direction): string;
  /** What is on offer in one direction, null when nothing is. */
  offer(direction: Direction): Offer | null;
  /** Levels a taker of this direction sees, highest price first; none while suspended. */
  shownLevels(direction: Direction, accepts?: (resting: Resting) => boolean): readonly ShownLevel[];
}

/** `removed`: the feed took it away, its bets wait for a result. */
export type EventPhase = 'live' | 'removed' | 'settled' | 'void';

export interface EventRecord {
  /** `<sport>,<event_id>`. */
  readonly key: string;
  info: SimEvent;
  phase: EventPhase;
  inRunning: boolean;
  suspended: boolean;
  score: readonly [number, number] | null;
  redCards: readonly [number, number] | null;
  time: readonly [string, number | null] | null;
  result: EventResult | null;
  /** By outcome; in the order of their first liquidity. */
  readonly books: Map<string, MarketBook>;
  /** Every order with a leg on the event. */
  readonly orders: Set<OrderRecord>;
  /** Whether the stream has told of the prices that it has now. */
  announced: boolean;
  /** Whether a client may know of it, also when its prices have gone: its end must be told. */
  told: boolean;
  /** Counts what changes every offer of the event at once: in running, suspension. */
  offersEpoch: number;
  /** Bet types that registered connections hold an offer of. */
  advertised: Set<string>;
  broadcast: Planned | null;
  /** Where in the broadcast interval its offers go out, 0 to 1: spreads the load. */
  readonly slot: number;
}

export type OrderStatus =
  'open' | 'pending' | 'done' | 'failed' | 'reconciled' | 'partial_void' | 'full_void';
export type OrderType = 'normal' | 'lay' | 'parlay';
/** What ended an order. Finer than the wire's `close_reason`. */
export type ClosedBy = 'filled' | 'request' | 'duration' | 'heartbeat' | 'in_running' | 'event';

export interface OrderTerms {
  readonly mode: ExchangeMode;
  readonly keepOpenIr: boolean;
  readonly minTakerMicros: Micros;
  readonly acceptBetterPrice: boolean;
  readonly acceptPartialFill: boolean;
  readonly forceWantPrice: boolean;
  readonly excludeDanger: boolean;
  readonly sourceMinimums: ReadonlyMap<string, Micros>;
  readonly currentScore: readonly [number, number] | null;
  readonly userData: string | null;
}

/** What an order or a betslip is on, in the words of the wire. */
export interface Identity {
  readonly sport: string;
  /** Empty for a parlay, which is of no single event. */
  readonly eventId: string;
  readonly betType: string;
}

export interface OrderRecord extends Identity {
  readonly orderId: number;
  readonly account: Account;
  readonly requestUuid: string | null;
  readonly betslipId: string;
  readonly orderType: OrderType;
  /** Its event, or those of its legs. */
  readonly events: readonly EventRecord[];
  /** Null for a parlay: it has no book. */
  readonly market: MarketBook | null;
  readonly legs: readonly LegRecord[];
  readonly description: string;
  readonly direction: Direction;
  readonly wantPrice: number;
  /** The limit that works: `wantPrice` moved to the ladder. */
  readonly tick: Tick;
  readonly stakeMicros: Micros;
  readonly terms: OrderTerms;
  readonly placedMs: number;
  readonly expiryMs: number;
  filledMicros: Micros;
  readonly bets: BetRecord[];
  status: OrderStatus;
  closed: boolean;
  closedBy: ClosedBy | null;
  closedMs: number | null;
  updatedMs: number;
  /** The liability that the unfilled stake holds back. */
  reservedMicros: Micros;
  resting: Resting | null;
  /** Set once a close is under way. */
  closing: boolean;
  readonly timers: Planned[];
}

export interface LegRecord {
  readonly id: number;
  readonly event: EventRecord;
  readonly market: MarketBook;
  readonly parsed: ParsedBetType;
  readonly betType: string;
  readonly liveScore: readonly [number, number] | null;
  price: number;
  /** Of the published codes (`w`, `l`, `v`, half outcomes); null until decided. */
  outcome: string | null;
  /** What a unit of stake becomes by this leg; null until decided. */
  factor: number | null;
}

export type BetStatus = 'success' | 'danger' | 'void';

export interface BetRecord {
  readonly betId: number;
  readonly order: OrderRecord;
  readonly price: number;
  readonly stakeMicros: Micros;
  readonly atMs: number;
  readonly role: 'maker' | 'taker';
  /** The source that took the other side. */
  readonly source: string;
  /** Both sides of one trade carry the same number. */
  readonly tradeId: number;
  status: BetStatus;
  /** Voided by itself, whatever becomes of its event. */
  voided: boolean;
  profitMicros: Micros;
  settled: boolean;
}

export type BetslipType = 'normal' | 'lay' | 'parlay';

export interface BetslipRecord {
  readonly betslipId: string;
  readonly account: Account;
  readonly type: BetslipType;
  /** One selection, or the legs of a parlay. */
  readonly selections: readonly BetslipSelection[];
  readonly equivalentBets: boolean;
  readonly excludeDanger: boolean;
  readonly userData: string | null;
  readonly createdMs: number;
  expiryMs: number;
  open: boolean;
  closeReason: string | null;
  quoted: boolean;
  lastQuoteMs: number;
  /** When the planned quote is due. */
  quoteDueMs: number;
  expiry: Planned | null;
  quote: Planned | null;
}

export interface BetslipSelection {
  readonly market: MarketBook;
  readonly betType: string;
  readonly parsed: ParsedBetType;
  readonly liveScore: readonly [number, number] | null;
}

export interface HeartbeatRecord {
  readonly heartbeatId: string;
  readonly account: Account;
  readonly timeoutMs: number;
  expiryMs: number;
}

/** Whether the order can still be matched or closed. */
export const isWorking = (order: OrderRecord): boolean => order.status === 'open';
