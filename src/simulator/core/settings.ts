import type { Random } from '../../lib/random.ts';
import type { Micros } from '../../domain/money.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Feed, InspectedOrder, ParsedBetType } from './api.ts';

/** Every number of the exchange that a run may set. Times are milliseconds. */
export interface ExchangeSettings {
  /** Betslips open at once per account; the next create answers `too_many_open_betslips`. */
  readonly openBetslipCap: number;
  /** Registrations per account, counted over all its connections. */
  readonly registeredEventCap: number;
  /** Live heartbeats per account; the next create answers `limit_reached`. */
  readonly heartbeatCap: number;
  /** Stake of open orders and bets that one account may have on one event; null for no limit. */
  readonly eventStakeLimitMicros: Micros | null;
  readonly betslipLifetimeMs: number;
  /** How long a betslip or an order can be read after it ended. */
  readonly betslipRetentionMs: number;
  readonly orderRetentionMs: number;
  /** How long an ended event stays listed for control and corrections when no order refers to it. */
  readonly eventRetentionMs: number;
  /** A host that comes later than this slept: feeds are told of a lull instead of trading all of it. */
  readonly longestCatchUpMs: number;
  /** So many orders at most are on a page of the list, however many are asked for. */
  readonly mostOrdersPerPage: number;
  /** How long the tracked lookup finds an order after its placement. */
  readonly trackedLookupMs: number;
  /** From a betslip's creation to its first quote, and from one quote to the next. */
  readonly quoteDelayMs: number;
  readonly quoteIntervalMs: number;
  /** Least time between two quotes of one betslip when its book changes. */
  readonly quoteOnChangeMs: number;
  /** An event's offer set goes out at most this often. */
  readonly broadcastIntervalMs: number;
  readonly infoIntervalMs: number;
  /** Whether the stream tells of events, and of their end, after its beginning too: the specification shows them there alone. */
  readonly eventsLater: boolean;
  readonly heartbeatCheckMs: number;
  /** From an accepted create to the book, and from an accepted close to the order's removal from it. */
  readonly placementLatencyMs: number;
  readonly closeLatencyMs: number;
  /** For how long a new bet is in `danger`, and what becomes of it then. */
  readonly dangerMs: number;
  readonly dangerEnds: 'success' | 'void';
  /** From an event's result until the last of its orders with bets is paid, one after the other. */
  readonly resultsMs: number;
  /** How long an order that has left the book stays `pending`. */
  readonly pendingMs: number;
  /** How long market data answers `warming` after the start and after the feed was lost. */
  readonly warmupMs: number;
  /** Price levels shown per market, the best ones. */
  readonly offerDepth: number;
  readonly defaultDurationS: number;
  readonly minHeartbeatS: number;
  readonly maxHeartbeatS: number;
  readonly maxBodyChars: number;
  /** Published form of a frame's `ts` and a betslip's `expiry_ts`: Unix seconds instead of ISO 8601. */
  readonly unixTimestamps: boolean;
  readonly limits: LimitSettings;
  readonly rates: readonly { readonly ccy: string; readonly rate: number }[];
}

/** A budget: `burst` at once, refilled at `perSecond`. */
export interface BucketSettings {
  readonly burst: number;
  readonly perSecond: number;
}

/** Request budgets per account (specification, Limits). */
export interface LimitSettings {
  readonly generalBurst: BucketSettings;
  readonly generalSustained: BucketSettings;
  readonly betslips: BucketSettings;
  readonly betslipsPerDay: number;
  readonly orders: BucketSettings;
  readonly offersInFlight: number;
}

export const DEFAULT_LIMITS: LimitSettings = {
  generalBurst: { burst: 100, perSecond: 100 },
  generalSustained: { burst: 1200, perSecond: 20 },
  betslips: { burst: 10, perSecond: 10 },
  betslipsPerDay: 2000,
  orders: { burst: 5, perSecond: 5 },
  offersInFlight: 4,
};

export const DEFAULT_SETTINGS: ExchangeSettings = {
  openBetslipCap: 50,
  registeredEventCap: 1000,
  heartbeatCap: 50,
  eventStakeLimitMicros: 50_000_000_000,
  betslipLifetimeMs: 45_000,
  betslipRetentionMs: 300_000,
  orderRetentionMs: 3 * DAY_MS,
  eventRetentionMs: 3_600_000,
  longestCatchUpMs: 60_000,
  mostOrdersPerPage: 1000,
  trackedLookupMs: 3 * DAY_MS,
  quoteDelayMs: 2000,
  quoteIntervalMs: 2000,
  quoteOnChangeMs: 500,
  broadcastIntervalMs: 2000,
  infoIntervalMs: 5000,
  eventsLater: true,
  heartbeatCheckMs: 1000,
  placementLatencyMs: 0,
  closeLatencyMs: 0,
  dangerMs: 0,
  dangerEnds: 'success',
  resultsMs: 0,
  pendingMs: 0,
  warmupMs: 0,
  offerDepth: 10,
  defaultDurationS: 15,
  minHeartbeatS: 10,
  maxHeartbeatS: 300,
  maxBodyChars: 262_144,
  unixTimestamps: false,
  limits: DEFAULT_LIMITS,
  rates: [
    { ccy: 'USDT', rate: 1 },
    { ccy: 'USD', rate: 1 },
    { ccy: 'EUR', rate: 1.08 },
    { ccy: 'GBP', rate: 1.27 },
    { ccy: 'KRW', rate: 0.00072 },
  ],
};

/** A customer of the exchange. */
export interface AccountSpec {
  readonly accountId: string;
  readonly keys: readonly string[];
  /** Keys that may read but not act: acting answers 403 `forbidden`. */
  readonly readOnlyKeys?: readonly string[];
  readonly balanceMicros: Micros;
  /** Sports the account is enabled for; absent for all. */
  readonly sports?: readonly string[];
  /** False for an account that market data does not know (`invalid_customer`). */
  readonly knownToFeed?: boolean;
}

export type ParseBetType = (sport: string, betType: string) => ParsedBetType | null;

export interface ExchangeOptions {
  readonly accounts: readonly AccountSpec[];
  readonly feeds: readonly Feed[];
  readonly parseBetType: ParseBetType;
  /** Draws opaque ids; seeded, so that a run can be repeated. */
  readonly random: Random;
  /** Wall-clock instant at which the exchange and its feeds start. */
  readonly startMs: number;
  readonly settings?: Partial<ExchangeSettings>;
  /** Told of each order at each change, as it is then, inside the call that changes it. */
  readonly onOrder?: (order: InspectedOrder) => void;
}
