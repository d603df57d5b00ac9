/** The records of the exchange. They are mutable and never leave the core. */
import type { FillCause } from '../../domain/fill-cause.ts';
import type { Micros } from '../../domain/money.ts';
import { priceOf, type Tick } from '../../domain/ladder.ts';
import type { PriceKind } from '../../domain/odds.ts';
import type { ExchangeMode } from '../../domain/orders.ts';
import type { Direction } from '../../domain/selection.ts';
import type { BetDelay, ClosedBy, OfferedLevel, RunnerRemoval, SimEvent } from './api.ts';
import type { EventResult, ParsedBetType } from '../../domain/bet-types/result.ts';
import type { Book } from './book.ts';
import type { Exposure } from './exposure.ts';
import type { Resting } from '../../fills/fill-model.ts';
import type { Budgets } from './limits.ts';
import type { Planned } from './scheduler.ts';

/** A part of an event's live state. */
export type LiveState = 'time' | 'score' | 'redCards';

/** A customer's account. Accounts share nothing. */
export interface Account {
  readonly accountId: string;
  /** The account's name in books. Names of background participants have another prefix. */
  readonly owner: string;
  readonly knownToFeed: boolean;
  readonly budgets: Budgets;
  readonly exposure: Exposure;
  readonly orders: Map<number, OrderRecord>;
  readonly ordersByUuid: Map<string, OrderRecord>;
  readonly openOrders: Set<OrderRecord>;
  readonly betslips: Map<string, BetslipRecord>;
  readonly heartbeats: Map<string, HeartbeatRecord>;
  /** The stake of open orders and bets by event, for the stake limit. */
  readonly eventStakes: Map<string, Micros>;
  balanceMicros: Micros;
  /** The liability of the unfilled stake of open orders. */
  reservedMicros: Micros;
  openBetslipCount: number;
  /** The sum of the largest loss of each open order and unsettled bet alone. */
  readonly openStakeMicros: Micros;
  /** The amount that a new order may put at risk. */
  readonly availableMicros: Micros;
  isEnabledFor(sport: string): boolean;
}

/** The offer of one direction of an outcome. */
export interface Offer {
  /** The `offer` object as JSON. */
  readonly text: string;
  /** The total stake of the shown levels. */
  readonly stakeMicros: Micros;
}

/** An offer under the names by which a request can choose it. */
export interface NamedOffer extends Offer {
  readonly betType: string;
  readonly marketType: string;
}

/** The offers of an event at one instant. */
export interface PublishedOffers {
  readonly atMs: number;
  readonly offers: readonly NamedOffer[];
}

/** The two markets of one outcome: the book and its offers. */
export interface MarketBook {
  readonly event: EventRecord;
  readonly outcome: string;
  /** Whether nothing is matched and nothing is on offer: its event is suspended, or it is paused. */
  readonly isHalted: boolean;
  readonly book: Book;
  /** Orders that wait for stake and never rest, in time order. */
  readonly waiting: OrderRecord[];
  /** Betslips that show quotes of this book. */
  readonly watchers: Set<BetslipRecord>;
  parsed(direction: Direction): ParsedBetType;
  betType(direction: Direction): string;
  /** The offer of one direction, null when nothing is on offer. */
  offer(direction: Direction): Offer | null;
  /** What the prices of the offers of a direction are. */
  priceKind(direction: Direction): PriceKind;
  /** The levels that takers see in prices of a kind, the highest price first; none while halted. */
  shownLevels(kind: PriceKind, accepts?: (resting: Resting) => boolean): readonly OfferedLevel[];
}

/** A `removed` event left the feed; its bets wait for a result. */
export type EventPhase = 'live' | 'removed' | 'settled' | 'void';

export interface EventRecord {
  /** `<sport>,<event_id>`. */
  readonly key: string;
  info: SimEvent;
  phase: EventPhase;
  inRunning: boolean;
  suspended: boolean;
  /** Outcomes that are paused while the others go on. */
  readonly paused: Set<string>;
  /** The recorded delays of new orders, by outcome. */
  readonly betDelays: Map<string, BetDelay>;
  score: readonly [number, number] | null;
  redCards: readonly [number, number] | null;
  time: readonly [string, number | null] | null;
  result: EventResult | null;
  /** Removals of runners, in their order. */
  readonly removals: RunnerRemoval[];
  /** The books by outcome, in the order of their first liquidity. */
  readonly books: Map<string, MarketBook>;
  /** Every order with a leg on the event. */
  readonly orders: Set<OrderRecord>;
  /** Whether the stream has announced the event since it last got prices. */
  announced: boolean;
  /** Whether the stream has ever announced the event. Its end must then be sent, even without prices. */
  everAnnounced: boolean;
  /** The number of changes of every offer at once: going in running, suspension. */
  offersEpoch: number;
  /** Bet types with an offer that registered connections have received. */
  advertised: Set<string>;
  /** The offers of the latest broadcasts, oldest first, as `GET /v2/offers/` shows them. */
  readonly published: PublishedOffers[];
  broadcast: Planned | null;
  /** The position in the broadcast interval at which the event's offers go out, 0 to 1. Slots spread the load. */
  readonly slot: number;
}

export type OrderStatus =
  | 'open'
  | 'pending'
  | 'done'
  | 'failed'
  | 'reconciled'
  | 'partial_void'
  | 'full_void';
export type OrderType = 'normal' | 'lay' | 'parlay';
export type { ClosedBy } from './api.ts';

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

/** The wire's name of the market of an order or a betslip. */
export interface Identity {
  readonly sport: string;
  /** The event id, empty for a parlay. */
  readonly eventId: string;
  readonly betType: string;
}

export interface OrderRecord extends Identity {
  readonly orderId: number;
  readonly account: Account;
  readonly requestUuid: string | null;
  readonly betslipId: string;
  readonly orderType: OrderType;
  /** The order's event, or the events of its legs. */
  readonly events: readonly EventRecord[];
  /** The order's market, null for a parlay: it has no book. */
  readonly market: MarketBook | null;
  readonly legs: readonly LegRecord[];
  readonly description: string;
  readonly direction: Direction;
  /** What the order's prices are. */
  readonly priceKind: PriceKind;
  /** The limit as it was requested. */
  readonly wantPrice: number;
  /** The effective limit: `wantPrice` moved to the ladder. */
  /** A removal of a runner lowers it. */
  tick: Tick;
  readonly stakeMicros: Micros;
  readonly terms: OrderTerms;
  readonly placedMs: number;
  readonly expiryMs: number;
  filledMicros: Micros;
  /** The own stake that it could have taken when it was accepted. */
  shownMicros: Micros;
  readonly bets: BetRecord[];
  status: OrderStatus;
  closed: boolean;
  closedBy: ClosedBy | null;
  closedMs: number | null;
  updatedMs: number;
  /** The liability that is reserved for the unfilled stake. */
  reservedMicros: Micros;
  resting: Resting | null;
  /** Whether a close was requested. */
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
  /** The published outcome code (`w`, `l`, `v`, half outcomes); null until decided. */
  outcome: string | null;
  /** The leg multiplies the stake by this factor; null until decided. */
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
  /** The source of the other side. */
  readonly source: string;
  /** Both sides of a trade share this number. */
  readonly tradeId: number;
  readonly cause: FillCause;
  status: BetStatus;
  /** Whether the bet was voided by itself. The result of its event does not change that. */
  voided: boolean;
  profitMicros: Micros;
  settled: boolean;
}

export type BetslipType = 'normal' | 'lay' | 'parlay';

export interface BetslipRecord {
  readonly betslipId: string;
  readonly account: Account;
  readonly type: BetslipType;
  /** What the prices of its quotes and its orders are. */
  readonly priceKind: PriceKind;
  /** The one selection, or the legs of a parlay. */
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
  /** The instant of the planned quote. */
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

/** Whether the order can still be matched and closed. */
export const isWorking = (order: OrderRecord): boolean => order.status === 'open';

/** Makes an order known to its account and its events. */
export function register(order: OrderRecord): void {
  const { account } = order;
  account.orders.set(order.orderId, order);
  if (order.requestUuid !== null) account.ordersByUuid.set(order.requestUuid, order);
  for (const event of order.events) event.orders.add(order);
}

/** The limit at which the order works: the requested one, moved to the ladder. A parlay has no ladder. */
export const limitOf = ({ market, wantPrice, tick }: OrderRecord): number =>
  market === null ? wantPrice : priceOf(tick);

/** A parlay has a name of its own: no leg comes before the others. */
const PARLAY: Identity = { sport: 'parlay', eventId: '', betType: 'parlay' };

/** The identity of a betslip, and of the orders placed on it. */
export function identityOf({ type, selections }: Pick<BetslipRecord, 'type' | 'selections'>): Identity {
  const [first] = selections;
  if (type === 'parlay' || first === undefined) return PARLAY;
  const { sport, eventId } = first.market.event.info;
  return { sport, eventId, betType: first.betType };
}

/** Notices that the exchange's parts send to the stream. */
export interface Notices {
  orderChanged(order: OrderRecord): void;
  betMade(bet: BetRecord): void;
  balanceChanged(account: Account): void;
  /** The book of a market changed. The offers of its event go out at the next broadcast. */
  bookChanged(market: MarketBook): void;
  /** The data of an event changed. */
  eventChanged(event: EventRecord): void;
  eventEnded(event: EventRecord): void;
  /** Every offer of the event changed at once. They are broadcast immediately. */
  offersChanged(event: EventRecord): void;
  liveStateChanged(event: EventRecord, part: LiveState): void;
  /** The feed is lost for `outageMs`; if absent, for as long as it takes to load. */
  feedLost(outageMs?: number): void;
  feedFound(): void;
  betslipChanged(betslip: BetslipRecord): void;
  betslipClosed(betslip: BetslipRecord): void;
  /** A betslip has a private quote. `text` is the `pmm` payload as JSON. */
  quoted(betslip: BetslipRecord, text: string): void;
}
