import type { Micros } from '../domain/money.ts';
import { DAY_MS } from '../lib/time.ts';

/**
 * How the order manager behaves. Every limit of the exchange is configuration. The daemon's settings have these defaults
 * but for `durationS` and `betslips.openCap`: see `orders-schema.ts`.
 */
export interface OrderOptions {
  /** Seconds that an order is asked to live: the expected life of a quote. Default 60. */
  readonly durationS: number;
  /** A quote still wanted is renewed this long before its order lapses. Default 2,500 ms. */
  readonly renewLeadMs: number;
  /**
   * A replacement is placed before the old order is closed (both count in exposure until the close is confirmed), or
   * after. When risk refuses to carry both, `place-first` waits for the close as well. Default `place-first`.
   */
  readonly replacement: 'place-first' | 'close-first';
  /** Ticks by which an order may differ from its intent and still be kept, on the side away from the market. Default 1. */
  readonly toleranceAwayTicks: number;
  /** The same on the side towards the market, where keeping it is dearer. Default 0. */
  readonly toleranceTowardTicks: number;
  /** The exchange refuses orders of less; none is asked for. Default 1 USDT. */
  readonly minStakeMicros: Micros;
  /** An order is kept while its unfilled stake is at least this part of the intent's. Default 0.5. */
  readonly minStakeRatio: number;
  /** … and at most this multiple of it. Default 1.5. */
  readonly maxStakeRatio: number;
  /** Ticks that must lie between a passive order and what it would take. Default 1. */
  readonly postOnlyMarginTicks: number;
  /** Orders being created at the same time. Default 5, the exchange's burst. */
  readonly maxInFlight: number;
  /** A quote refused by risk or the exchange is tried again after this long. Default 2,000 ms. */
  readonly retryMs: number;
  /** After an order took where it should have rested, its market is left alone this long; doubles. Default 10,000 ms. */
  readonly takenBackoffMs: number;
  /** Latest instant after the send at which a create request could still reach the exchange. Default 30,000 ms. */
  readonly latestLandingMs: number;
  /** `expiry_time - placement_time` may differ from what was asked by this much. Default 1,000 ms. */
  readonly durationToleranceMs: number;
  /** Recovered orders that nobody wants after this long are closed. Default 10,000 ms. */
  readonly adoptionGraceMs: number;
  /** How often the orders' exchange state is compared behind the stream. Default 60,000 ms. */
  readonly dropCopyEveryMs: number;
  /** How often what is under way is moved on. Default 100 ms. */
  readonly sweepMs: number;
  /** How often all is looked at when nothing is under way and nothing is due. Default 500 ms. */
  readonly calmSweepMs: number;
  /**
   * A heartbeat that another program refreshes and no mark of Touchline explains: `wait` places nothing while it is there,
   * `tolerate` trades beside it. Its expiry closes our orders. Default `wait`.
   */
  readonly otherHeartbeats: 'wait' | 'tolerate';
  readonly heartbeat: HeartbeatOptions;
  readonly betslips: BetslipOptions;
  readonly closeOut: CloseOutOptions;
  readonly journal: JournalOptions;
}

export interface JournalOptions {
  /** Records older than this may go, milliseconds; null: all stay. Default 30 days. */
  readonly retentionMs: number | null;
}

/** How quoting comes back after everything was closed behind our back. */
export interface CloseOutOptions {
  /** Nothing is placed for this long. Default 5,000 ms. */
  readonly pauseMs: number;
  /** Then one order per `slowEveryMs`, for this long. Default 30,000 ms. */
  readonly slowForMs: number;
  /** Default 1,000 ms. */
  readonly slowEveryMs: number;
}

export interface HeartbeatOptions {
  /** Seconds, 10 to 300 by the published bounds. Default 30. */
  readonly timeoutS: number;
  /** Refreshed after this part of the timeout. Default 0.2. */
  readonly refreshRatio: number;
  /**
   * Largest round trip of a create request, its timeout included, plus a margin: the time that must be left. At most
   * half of the timeout counts. Default 12,000 ms.
   */
  readonly sendReserveMs: number;
  /** The account stream may be lost this long before the heartbeat is left to expire. Default 15,000 ms. */
  readonly streamGraceMs: number;
  /** A failed call is repeated after this long. Default 1,000 ms. */
  readonly retryMs: number;
}

export interface BetslipOptions {
  /** Open betslips assumed until the exchange has told, see `BetslipCap`. Default 60. */
  readonly openCap: number;
  /** Refreshed when this little of its life is left. Default 6,000 ms. */
  readonly refreshLeadMs: number;
  /** Life assumed after a create or refresh when the exchange does not tell. Default 15,000 ms. */
  readonly lifeMs: number;
  /** A betslip nobody asked for is deleted after this long. Default 5,000 ms. */
  readonly idleMs: number;
  /** A quote older than this is not acted on. Default 10,000 ms. */
  readonly quoteMaxAgeMs: number;
  /** A betslip that has had no usable quote for so long is given up. Default 10,000 ms. */
  readonly quoteTimeoutMs: number;
  /** Betslips that the exchange allows in a rolling day. Default 2,000. */
  readonly perDay: number;
  /** How many of them may be used at once; the rest is spread over the day. Default 400. */
  readonly burst: number;
  /** Longest life asked for an order on a market that has no betslip of its own. Default 3,600 s. */
  readonly longestDurationS: number;
  /** Betslips of the rolling day kept back for reducing risk. Default 50. */
  readonly dailyReserve: number;
  /** After a refused create its market is left alone this long. Default 30,000 ms. */
  readonly refusedBackoffMs: number;
  /** So long after the start or a refusal one more is tried, and as many more as fit. Default 600,000 ms. */
  readonly capProbeMs: number;
}

export const DEFAULT_ORDER_OPTIONS: OrderOptions = {
  durationS: 60,
  renewLeadMs: 2_500,
  replacement: 'place-first',
  toleranceAwayTicks: 1,
  toleranceTowardTicks: 0,
  minStakeMicros: 1_000_000,
  minStakeRatio: 0.5,
  maxStakeRatio: 1.5,
  postOnlyMarginTicks: 1,
  maxInFlight: 5,
  retryMs: 2_000,
  takenBackoffMs: 10_000,
  otherHeartbeats: 'wait',
  latestLandingMs: 30_000,
  durationToleranceMs: 1_000,
  adoptionGraceMs: 10_000,
  dropCopyEveryMs: 60_000,
  sweepMs: 100,
  calmSweepMs: 500,
  heartbeat: {
    timeoutS: 30,
    refreshRatio: 0.2,
    sendReserveMs: 12_000,
    streamGraceMs: 15_000,
    retryMs: 1_000,
  },
  betslips: {
    openCap: 60,
    refreshLeadMs: 6_000,
    lifeMs: 15_000,
    idleMs: 5_000,
    quoteMaxAgeMs: 10_000,
    quoteTimeoutMs: 10_000,
    perDay: 2_000,
    burst: 400,
    longestDurationS: 3_600,
    dailyReserve: 50,
    refusedBackoffMs: 30_000,
    capProbeMs: 600_000,
  },
  closeOut: { pauseMs: 5_000, slowForMs: 30_000, slowEveryMs: 1_000 },
  journal: { retentionMs: 30 * DAY_MS },
};

/** The defaults with some replaced. */
export function orderOptions(
  given: Partial<Omit<OrderOptions, 'heartbeat' | 'betslips' | 'closeOut' | 'journal'>> & {
    readonly heartbeat?: Partial<HeartbeatOptions>;
    readonly betslips?: Partial<BetslipOptions>;
    readonly closeOut?: Partial<CloseOutOptions>;
    readonly journal?: Partial<JournalOptions>;
  } = {},
): OrderOptions {
  return {
    ...DEFAULT_ORDER_OPTIONS,
    ...given,
    heartbeat: { ...DEFAULT_ORDER_OPTIONS.heartbeat, ...given.heartbeat },
    betslips: { ...DEFAULT_ORDER_OPTIONS.betslips, ...given.betslips },
    closeOut: { ...DEFAULT_ORDER_OPTIONS.closeOut, ...given.closeOut },
    journal: { ...DEFAULT_ORDER_OPTIONS.journal, ...given.journal },
  };
}
