import type { Micros } from '../../domain/money.ts';
import type { PriceConvention } from '../../domain/odds.ts';
import type { Random } from '../../lib/random.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { SimulatedFill } from '../../domain/simulated-fill.ts';
import type { Feed, InspectedOrder, KeptOrder } from './api.ts';
import type { ParsedBetType } from '../../domain/bet-types/result.ts';
import type { FillModel } from '../../fills/fill-model.ts';

/** A range of milliseconds, both ends included. Each value is drawn from the seed. */
export type SpanMs = readonly [least: number, most: number];

/** Every setting of the exchange that a run may change. Times are in milliseconds. */
export interface ExchangeSettings {
  /** What the prices of `against` offers, betslips and orders are. */
  readonly priceConvention: PriceConvention;
  /** The largest number of open betslips per account. The next create answers `too_many_open_betslips`. */
  readonly openBetslipCap: number;
  /** The largest number of registrations per account, over all its connections. */
  readonly registeredEventCap: number;
  /** The largest number of live heartbeats per account. The next create answers `limit_reached`. */
  readonly heartbeatCap: number;
  /** The largest stake of open orders and bets of one account on one event; null for no limit. */
  readonly eventStakeLimitMicros: Micros | null;
  readonly betslipLifetimeMs: number;
  /** How long an ended betslip can be read. */
  readonly betslipRetentionMs: number;
  /** How long an order can be read after its last change. */
  readonly orderRetentionMs: number;
  /** How long an ended event without orders stays listed, for control and corrections. */
  readonly eventRetentionMs: number;
  /** A host that is later than this has slept. Feeds then catch up coarsely (`Feed.lull`). */
  readonly longestCatchUpMs: number;
  /** The largest page of the order list, even if more orders are requested. */
  readonly mostOrdersPerPage: number;
  /** How long the tracked lookup finds an order after its placement. */
  readonly trackedLookupMs: number;
  /** The time from a betslip's creation to its first quote (`quoteDelayMs`), and between quotes (`quoteIntervalMs`). */
  readonly quoteDelayMs: number;
  readonly quoteIntervalMs: number;
  /** The shortest time between two quotes of a betslip when its book changes. */
  readonly quoteOnChangeMs: number;
  /** The interval between an event's broadcast slots. A changed offer set goes out at the next slot. */
  readonly broadcastIntervalMs: number;
  /** The largest age of what `GET /v2/offers/` shows, not less than `broadcastIntervalMs`; 0 shows the market itself. */
  readonly offersLagMs: number;
  readonly infoIntervalMs: number;
  /** Whether the stream sends events and their end after its start, too. The specification shows them only at the start. */
  readonly eventsLater: boolean;
  readonly heartbeatCheckMs: number;
  /** The smallest stake of an order; 0 for no minimum. */
  readonly minOrderStakeMicros: Micros;
  /** The delay from an accepted create to the book. */
  readonly placementDelayMs: SpanMs;
  /** An additional placement delay if one of the order's events is in play. */
  readonly inPlayDelayMs: SpanMs;
  /** How long a filled order stays `pending`, in addition to `pendingMs`. */
  readonly confirmationMs: SpanMs;
  /** The delay from an accepted close to the order's removal from its book. */
  readonly closeLatencyMs: number;
  /** How long a new bet is in `danger` (`dangerMs`), and its status afterwards (`dangerEnds`). */
  readonly dangerMs: number;
  readonly dangerEnds: 'success' | 'void';
  /** The time from an event's result to the payment of its last order. Orders with bets are paid one after the other. */
  readonly resultsMs: number;
  /** How long an order that has left the book stays `pending`. */
  readonly pendingMs: number;
  /** How long market data answers `warming` after the start, and after the feed is lost. */
  readonly warmupMs: number;
  /** The number of best price levels shown per market. */
  readonly offerDepth: number;
  readonly defaultDurationS: number;
  readonly minHeartbeatS: number;
  readonly maxHeartbeatS: number;
  readonly maxBodyChars: number;
  /** Whether a frame's `ts` and a betslip's `expiry_ts` are Unix seconds instead of ISO 8601. */
  readonly unixTimestamps: boolean;
  readonly limits: LimitSettings;
  readonly rates: readonly { readonly ccy: string; readonly rate: number }[];
}

/** The largest score of a team. */
export const MAX_SCORE = 32_767;
/** The largest live score in a leg of a parlay (specification, Limits). */
export const MAX_LEG_SCORE = 512;

/** A token bucket: it holds `burst` tokens and refills at `perSecond`. */
export interface BucketSettings {
  readonly burst: number;
  readonly perSecond: number;
}

/** Request budgets per account (specification, Limits). A request takes a token from each bucket of its budget. */
export interface LimitSettings {
  readonly general: readonly BucketSettings[];
  readonly betslips: readonly BucketSettings[];
  /** The largest number in any stretch of 24 hours; null if only the buckets limit betslips. */
  readonly betslipsPerDay: number | null;
  readonly orders: readonly BucketSettings[];
  readonly offersInFlight: number;
}

/**
 * Every limit is published as a token bucket. Two of them have two readings. The strict reading allows nothing that the
 * lenient one refuses.
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
  // "100 a second burst, 1200 a minute sustained" is one bucket. No stretch of 24 hours has more than 2000 betslips.
  strict: {
    ...BOTH_WAYS,
    general: [{ burst: 100, perSecond: 20 }],
    betslips: [BETSLIPS_PER_SECOND],
    betslipsPerDay: BETSLIPS_PER_DAY,
  },
  // The general limit is two buckets: of a second and of a minute. The betslip limit is two: of a second and of a day.
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
  priceConvention: 'odds',
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
  offersLagMs: 4000,
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
  /** Keys that may read but not act. Acting answers 403 `forbidden`. */
  readonly readOnlyKeys?: readonly string[];
  readonly balanceMicros: Micros;
  /** The sports that the account is enabled for; absent for all. */
  readonly sports?: readonly string[];
  /** False for an account without a feed record: market data answers `invalid_customer`. */
  readonly knownToFeed?: boolean;
}

export type OnRest = (orderId: number, aheadMicros: Micros) => void;

export type ParseBetType = (sport: string, betType: string) => ParsedBetType | null;

export interface ExchangeOptions {
  readonly accounts: readonly AccountSpec[];
  readonly feeds: readonly Feed[];
  readonly parseBetType: ParseBetType;
  /** Draws ids and delays. It is seeded, so that a run can be repeated. */
  readonly random: Random;
  /** The wall-clock instant at which the exchange and its feeds start. */
  readonly startMs: number;
  readonly settings?: Partial<ExchangeSettings>;
  /** Decides which resting stake is matched. The default is price-time priority. */
  readonly fillModel?: FillModel;
  /** Other fill models, that run beside it on the same orders. Default: none. */
  readonly shadows?: readonly FillModel[];
  /** Learns of each fill of an account, and of each under another fill model, inside the call that makes it. */
  readonly onFill?: (fill: SimulatedFill) => void;
  /** Receives each order at each change, in its state at that moment, inside the call that changes it. */
  readonly onOrder?: (order: InspectedOrder) => void;
  /** Learns of each order that has bets, at each change, inside the call that changes it. */
  readonly onKept?: (order: KeptOrder) => void;
  /** Orders that an earlier exchange left to the first account. They are closed, and their bets stand. */
  readonly kept?: readonly KeptOrder[];
  /** Learns of each order that begins to rest, with the stake before it in the queue of its price. */
  readonly onRest?: OnRest;
}
