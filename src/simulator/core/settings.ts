import type { Micros } from '../../domain/money.ts';
import type { Random } from '../../lib/random.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Feed, InspectedOrder, ParsedBetType } from './api.ts';
import type { FillModel } from './fill-model.ts';

/** A stretch of milliseconds of which one is drawn, from the seed; both ends included. */
export type SpanMs = readonly [least: number, most: number];

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
  /** The least stake of an order; 0 for none. */
  readonly minOrderStakeMicros: Micros;
  /** From an accepted create to the book. */
  readonly placementDelayMs: SpanMs;
  /** So much longer when one of the order's events is in play. */
  readonly inPlayDelayMs: SpanMs;
  /** How long an order that was filled stays `pending`, besides `pendingMs`. */
  readonly confirmationMs: SpanMs;
  /** From an accepted close to the order's removal from its book. */
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

/** Request budgets per account (specification, Limits). A request needs a token of each bucket of its budget. */
export interface LimitSettings {
  readonly general: readonly BucketSettings[];
  readonly betslips: readonly BucketSettings[];
  /** In any stretch of 24 hours; null where the buckets alone limit them. */
  readonly betslipsPerDay: number | null;
  readonly orders: readonly BucketSettings[];
  readonly offersInFlight: number;
}

/**
 * Every limit is published as a token bucket, and two of them can be read in two ways. The strict reading lets through
 * nothing that the lenient one refuses.
 */
export type LimitReading = 'strict' | 'lenient';
export const LIMIT_READINGS: readonly LimitReading[] = ['strict', 'lenient'];

const BETSLIPS_PER_DAY = 2000;
const BOTH_WAYS = {
  orders: [{ burst: 5, perSecond: 5 }],
  offersInFlight: 4,
};
const BETSLIPS_PER_SECOND: BucketSettings = { burst: 10, perSecond: 10 };

export const LIMITS: Readonly<Record<LimitReading, LimitSettings>> = {
  // "100 a second burst, 1200 a minute sustained" is one bucket; no 24 hours have more than 2000 betslips.
  strict: {
    ...BOTH_WAYS,
    general: [{ burst: 100, perSecond: 20 }],
    betslips: [BETSLIPS_PER_SECOND],
    betslipsPerDay: BETSLIPS_PER_DAY,
  },
  // The general limit is two buckets, one of a second and one of a minute; so are the betslips, of a second and of a day.
  lenient: {
    ...BOTH_WAYS,
    general: [
      { burst: 100, perSecond: 100 },
      { burst: 1200, perSecond: 20 },
    ],
    betslips: [
      BETSLIPS_PER_SECOND,
      { burst: BETSLIPS_PER_DAY, perSecond: (BETSLIPS_PER_DAY * 1000) / DAY_MS },
    ],
    betslipsPerDay: null,
  },
};

export const DEFAULT_LIMITS = LIMITS.strict;

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
  minOrderStakeMicros: 1_000_000,
  placementDelayMs: [150, 450],
  inPlayDelayMs: [500, 1500],
  confirmationMs: [50, 200],
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
  /** Who is filled, and how much; default: price-time priority. */
  readonly fillModel?: FillModel;
  /** Told of each order at each change, as it is then, inside the call that changes it. */
  readonly onOrder?: (order: InspectedOrder) => void;
}
