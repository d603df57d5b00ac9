import type { Micros } from '../domain/money.ts';
import { DAY_MS } from '../lib/time.ts';

/**
 * Behaviour of the order manager. Every limit of the exchange is configurable. The daemon's settings have the
 * same defaults, except `durationS` and `betslips.openCap`: see `orders-schema.ts`.
 */
export interface OrderOptions {
  /** Life requested for an order, seconds: the expected life of a quote. Default 60. */
  readonly durationS: number;
  /** Longest life requested for an order in play, seconds. Default 15. */
  readonly inPlayDurationS: number;
  /** A wanted quote is renewed this long before its order lapses. Default 2,500 ms. */
  readonly renewLeadMs: number;
  /**
   * Whether a replacement is placed before the old order is closed, or after. With `place-first`, both orders
   * count in exposure until the close is confirmed; when risk refuses both, the replacement waits for the
   * close. Default `place-first`.
   */
  readonly replacement: 'place-first' | 'close-first';
  /** An order is kept if it is at most this many ticks further from the market than its intent. Default 1. */
  readonly toleranceAwayTicks: number;
  /** An order is kept if it is at most this many ticks nearer to the market, where keeping it costs more. Default 0. */
  readonly toleranceTowardTicks: number;
  /** The smallest stake that the exchange accepts; smaller orders are not sent. Default 1 USDT. */
  readonly minStakeMicros: Micros;
  /** An order is kept while its unfilled stake is at least this part of the intent's stake. Default 0.5. */
  readonly minStakeRatio: number;
  /** An order is kept while its unfilled stake is at most this multiple of the intent's stake. Default 1.5. */
  readonly maxStakeRatio: number;
  /** Fewest ticks between a passive order and the best price that it would take. Default 1. */
  readonly postOnlyMarginTicks: number;
  /** Most create requests in flight at the same time. Default 5, the exchange's burst. */
  readonly maxInFlight: number;
  /** A quote that risk or the exchange refused is retried after this long. Default 2,000 ms. */
  readonly retryMs: number;
  /** A quote whose order took instead of resting pauses this long; the pause doubles. Default 10,000 ms. */
  readonly takenBackoffMs: number;
  /** Longest time after sending in which a create request may still reach the exchange. Default 30,000 ms. */
  readonly latestLandingMs: number;
  /** Tolerance between `expiry_time - placement_time` and the requested life. Default 1,000 ms. */
  readonly durationToleranceMs: number;
  /** Recovered orders that no strategy wants after this long are closed. Default 10,000 ms. */
  readonly adoptionGraceMs: number;
  /** How often order states are compared with the exchange's, independently of the stream. Default 60,000 ms. */
  readonly dropCopyEveryMs: number;
  /** Interval of sweeps while work is under way. Default 100 ms. */
  readonly sweepMs: number;
  /** Interval of sweeps while no work is under way or due. Default 500 ms. */
  readonly calmSweepMs: number;
  /**
   * What to do about a heartbeat that another program refreshes and that no mark of Touchline explains.
   * `wait` places nothing while it exists; `tolerate` trades beside it. Its expiry closes our orders. Default
   * `wait`.
   */
  readonly otherHeartbeats: 'wait' | 'tolerate';
  readonly heartbeat: HeartbeatOptions;
  readonly betslips: BetslipOptions;
  readonly closeOut: CloseOutOptions;
  readonly journal: JournalOptions;
}

export interface JournalOptions {
  /** Records older than this may be deleted, milliseconds; null keeps all. Default 30 days. */
  readonly retentionMs: number | null;
}

/** How quoting resumes after a close-out. */
export interface CloseOutOptions {
  /** Nothing is placed for this long. Default 5,000 ms. */
  readonly pauseMs: number;
  /** After the pause, one order per `slowEveryMs` is placed for this long. Default 30,000 ms. */
  readonly slowForMs: number;
  /** Interval between two orders after the pause. Default 1,000 ms. */
  readonly slowEveryMs: number;
}

export interface HeartbeatOptions {
  /** Timeout in seconds; the exchange accepts 10 to 300. Default 30. */
  readonly timeoutS: number;
  /** The heartbeat is refreshed after this part of the timeout. Default 0.2. */
  readonly refreshRatio: number;
  /**
   * Proven time that must remain when an order is sent: the longest round trip of a create request, its
   * timeout included, plus a margin. At most half of the timeout is used. Default 12,000 ms.
   */
  readonly sendReserveMs: number;
  /** The heartbeat is left to expire after the account stream was lost for this long. Default 15,000 ms. */
  readonly streamGraceMs: number;
  /** A failed heartbeat request is retried after this long. Default 1,000 ms. */
  readonly retryMs: number;
}

export interface BetslipOptions {
  /** Cap of open betslips assumed until the exchange reveals it, see `BetslipCap`. Default 60. */
  readonly openCap: number;
  /** A betslip is refreshed when this much of its life is left. Default 6,000 ms. */
  readonly refreshLeadMs: number;
  /** Life assumed after a create or refresh when the exchange does not report one. Default 15,000 ms. */
  readonly lifeMs: number;
  /** A betslip that no target wants is deleted after this long. Default 5,000 ms. */
  readonly idleMs: number;
  /** A private quote older than this is stale. Default 10,000 ms. */
  readonly quoteMaxAgeMs: number;
  /** A betslip without a usable private quote for this long is deleted. Default 10,000 ms. */
  readonly quoteTimeoutMs: number;
  /** Betslips that the exchange allows in a rolling day. Default 2,000. */
  readonly perDay: number;
  /** How many of the day's betslips may be used at once; the rest is spread over the day. Default 400. */
  readonly burst: number;
  /** Longest life requested for an order on a market that keeps no betslip. Default 3,600 s. */
  readonly longestDurationS: number;
  /** Betslips of the rolling day kept back for reducing risk. Default 50. */
  readonly dailyReserve: number;
  /** First pause of a market after a refused create. Default 30,000 ms. */
  readonly refusedBackoffMs: number;
  /** Time after the start or a refusal until betslips beyond the cap are tried again. Default 600,000 ms. */
  readonly capProbeMs: number;
}

export const DEFAULT_ORDER_OPTIONS: OrderOptions = {
  durationS: 60,
  inPlayDurationS: 15,
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
