import type { BudgetLevels } from '../../domain/event-view.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Priority } from '../../ports/venue.ts';
import { BOUNDS } from '../wire/bounds.ts';
import { type GuardedLimiter, Lane, type Lease, type Ticket } from './lane.ts';
import { InFlight } from './limiter.ts';
import { RollingLimit, type RollingSlot } from './rolling-limit.ts';
import { type BucketLimit, type BucketState, recoveredFactor, TokenBucket } from './token-bucket.ts';

export interface ReservedLimit extends BucketLimit {
  /** Tokens that normal requests leave to urgent ones and to those that reduce risk. */
  readonly reserve: number;
  /** The part of the reserve that requests which reduce risk leave to urgent ones. */
  readonly urgentReserve: number;
  /** Tokens in the bucket of a new process. */
  readonly atStart: number;
}

export interface VenueLimits {
  readonly orders: ReservedLimit;
  readonly betslips: ReservedLimit;
  readonly general: ReservedLimit;
  readonly betslipsPerDay: number;
  /** The last betslips of the day, which only requests that reduce risk may take. */
  readonly betslipsPerDayReserve: number;
  readonly offersInFlight: number;
  /** Requests that may wait in one queue, besides as many urgent ones. */
  readonly longestQueue: number;
}

/**
 * The published limits (specification, Limits) less a margin. The exchange counts *arrivals*: two requests sent a second
 * apart may arrive closer together. Therefore bursts are at least 20 % and rates 2 % below the published limits.
 *
 * The general limit is read in the strict way: one bucket of 100 that refills at 1200 a minute. A burst of one process
 * plus the start of the next take no more than it holds. Normal requests leave 20 to closes, heartbeats and look-ups.
 */
export const DEFAULT_LIMITS: VenueLimits = {
  orders: { capacity: 4, perSecond: 4.9, reserve: 1, urgentReserve: 0, atStart: 1 },
  betslips: { capacity: 8, perSecond: 9.8, reserve: 2, urgentReserve: 0, atStart: 2 },
  general: { capacity: 70, perSecond: 19.6, reserve: 20, urgentReserve: 10, atStart: 30 },
  betslipsPerDay: 1980,
  betslipsPerDayReserve: 50,
  offersInFlight: 3,
  longestQueue: 500,
};

/** Which budget a request draws on. */
export type LaneName = 'orders' | 'betslips' | 'offers' | 'general';

type BucketName = 'orders' | 'betslips' | 'general';

/** The budgets of requests a second. Plain JSON, of a few hundred bytes. */
export interface BucketsSnapshot {
  /** Wall-clock milliseconds. */
  readonly savedAtMs: number;
  readonly buckets: Readonly<Record<BucketName, BucketState>>;
}

/** The state of the budgets that must survive a restart. Plain JSON; a day's betslips are up to 1,440 slots, some 50 kB. */
export interface BudgetSnapshot extends BucketsSnapshot {
  readonly betslipsOfTheDay: readonly RollingSlot[];
}

/** The budgets of earlier runs, as far as this run knows them. */
export interface EarlierBudgets {
  readonly snapshot?: (BucketsSnapshot & Partial<BudgetSnapshot>) | null;
  /** Wall-clock instants of betslip requests, from a journal. If given, they count instead of the snapshot's. */
  readonly betslipsAtMs?: readonly number[];
  /**
   * Wall-clock instant since which requests may be missing from the snapshot, because the last run was killed. The
   * buckets then count as empty at that instant. Null when the last run ended in order.
   */
  readonly unaccountedSinceMs?: number | null;
}

/** The wait after a 429 without `retry_after`. */
const DEFAULT_RETRY_MS = 1_000;

/** Counts every limit of the account locally (specification, Limits). Requests wait in a queue for each limit. */
export class Budgets {
  readonly #clock: Clock;
  readonly #limits: VenueLimits;
  readonly #buckets: Readonly<Record<BucketName, TokenBucket>>;
  readonly #day: RollingLimit;
  readonly #lanes: Readonly<Record<LaneName, Lane>>;

  constructor(clock: Clock, limits: VenueLimits = DEFAULT_LIMITS, earlier: EarlierBudgets = {}) {
    const nowMs = clock.monotonicMs();
    const snapshot = earlier.snapshot ?? null;
    const sinceMs = snapshot === null ? 0 : Math.max(0, clock.wallMs() - snapshot.savedAtMs);
    const unaccountedSinceMs = earlier.unaccountedSinceMs ?? null;
    const unaccountedMs =
      unaccountedSinceMs === null ? null : Math.max(0, clock.wallMs() - unaccountedSinceMs);
    const bucket = (name: BucketName): TokenBucket =>
      new TokenBucket(
        limits[name],
        startOf(limits[name], believable(name, snapshot?.buckets[name]), sinceMs, unaccountedMs),
        nowMs,
      );
    this.#clock = clock;
    this.#limits = limits;
    this.#buckets = { orders: bucket('orders'), betslips: bucket('betslips'), general: bucket('general') };
    const recorded = earlier.betslipsAtMs?.map((atMs) => slotOf(clock.wallMs() - atMs));
    const slots = stillCounting(recorded ?? snapshot?.betslipsOfTheDay ?? [], recorded ? 0 : sinceMs);
    this.#day = new RollingLimit(limits.betslipsPerDay, DAY_MS, slots, nowMs);
    this.#lanes = this.#makeLanes();
  }

  /** See `Lane.enter`. */
  enter(lane: LaneName, ticket: Ticket): Promise<Lease> {
    return this.#lanes[lane].enter(ticket);
  }

  /** Milliseconds until a request of this priority could be sent. Infinity when another must be answered first. */
  waitMs(lane: LaneName, priority: Priority = 'normal'): number {
    return this.#lanes[lane].waitMs(priority);
  }

  /**
   * The exchange answered 429. On the lane `offers` it means the cap in flight and says nothing about the general budget
   * (`retry_after` is then always one second). The call only waits.
   */
  throttled(lane: LaneName, retryAfterS: number | null): void {
    if (lane === 'offers') return;
    const retryAfterMs = retryAfterS === null ? DEFAULT_RETRY_MS : retryAfterS * 1000;
    this.#buckets[lane].throttled(this.#clock.monotonicMs(), retryAfterMs);
    for (const each of Object.values(this.#lanes)) each.pump();
  }

  /**
   * Corrects the ages of betslips that count already. If our clock was ahead when the client was made, they had counted
   * as older than they are. `agesMs` are upper bounds.
   */
  recallBetslips(agesMs: readonly number[]): void {
    const nowMs = this.#clock.monotonicMs();
    this.#day.replace(longerOf(this.#day.state(nowMs), agesMs.map(slotOf)), nowMs);
  }

  /** Asking changes nothing. */
  levels(): BudgetLevels {
    const nowMs = this.#clock.monotonicMs();
    const whole = (name: BucketName): number => Math.floor(this.#buckets[name].left(nowMs));
    return {
      ordersNow: whole('orders'),
      betslipsNow: whole('betslips'),
      betslipsToday: this.#day.left(nowMs),
      generalNow: whole('general'),
    };
  }

  snapshot(): BudgetSnapshot {
    return { ...this.bucketsSnapshot(), betslipsOfTheDay: this.#day.state(this.#clock.monotonicMs()) };
  }

  /** The snapshot for callers that record the day's betslips elsewhere; see `EarlierBudgets.betslipsAtMs`. */
  bucketsSnapshot(): BucketsSnapshot {
    const nowMs = this.#clock.monotonicMs();
    const { orders, betslips, general } = this.#buckets;
    return {
      savedAtMs: this.#clock.wallMs(),
      buckets: {
        orders: orders.state(nowMs),
        betslips: betslips.state(nowMs),
        general: general.state(nowMs),
      },
    };
  }

  close(): void {
    for (const lane of Object.values(this.#lanes)) lane.close();
  }

  #makeLanes(): Readonly<Record<LaneName, Lane>> {
    const limits = this.#limits;
    const guard = (name: BucketName) => ({ limiter: this.#buckets[name], reserve: reservesOf(limits[name]) });
    const lane = (...guarded: ConstructorParameters<typeof Lane>[1][number][]): Lane =>
      new Lane(this.#clock, guarded, limits.longestQueue);
    return {
      orders: lane(guard('orders')),
      betslips: lane(guard('betslips'), {
        limiter: this.#day,
        reserve: reservesOf({ reserve: limits.betslipsPerDayReserve, urgentReserve: 0 }),
      }),
      general: lane(guard('general')),
      offers: lane({ limiter: new InFlight(limits.offersInFlight), reserve: NO_RESERVE }, guard('general')),
    };
  }
}

type Reserves = Pick<ReservedLimit, 'reserve' | 'urgentReserve'>;

const reservesOf = ({ reserve, urgentReserve }: Reserves): GuardedLimiter['reserve'] => ({
  urgent: 0,
  reducing: urgentReserve,
  normal: reserve,
});

const NO_RESERVE = reservesOf({ reserve: 0, urgentReserve: 0 });

/**
 * A new process starts with almost empty buckets. The last requests of the process before it may still be on their way,
 * and waiting a second costs less than a 429. After a kill, a bucket counts as empty at the last recorded instant.
 */
function startOf(
  limit: BucketLimit & { readonly atStart: number },
  earlier: BucketState | undefined,
  sinceMs: number,
  unaccountedMs: number | null,
): BucketState {
  const { level, blockedForMs, rateFactor } = earlier ?? newBucket(limit);
  const perMs = (limit.perSecond * rateFactor) / 1000;
  const refilled = unaccountedMs === null ? level + sinceMs * perMs : unaccountedMs * perMs;
  return {
    level: Math.min(limit.atStart, refilled),
    blockedForMs: Math.max(0, blockedForMs - sinceMs),
    // Recovery counts in full: a 429 since then would be in the snapshot, even if the run was killed.
    rateFactor: recoveredFactor(rateFactor, sinceMs / 1000),
  };
}

/** An earlier run may have believed a wait of centuries. */
function believable(name: BucketName, state: BucketState | undefined): BucketState | undefined {
  if (state === undefined) return undefined;
  const { most } = BOUNDS[name === 'betslips' ? 'retry_after.betslips' : 'retry_after'];
  return { ...state, blockedForMs: Math.min(most * 1_000, state.blockedForMs) };
}

const newBucket = ({ atStart }: { readonly atStart: number }): BucketState => ({
  level: atStart,
  blockedForMs: 0,
  rateFactor: 1,
});

/** After the wall clock was set back, a request may be in the future. It counts for a whole day. */
const slotOf = (ageMs: number): RollingSlot => ({ expiresInMs: DAY_MS - Math.max(0, ageMs), count: 1 });

function stillCounting(slots: readonly RollingSlot[], sinceMs: number): readonly RollingSlot[] {
  return slots
    .map((slot) => ({ expiresInMs: slot.expiresInMs - sinceMs, count: slot.count }))
    .filter((slot) => slot.expiresInMs > 0)
    .sort((a, b) => a.expiresInMs - b.expiresInMs);
}

/** Merges two records of the same requests. Each request counts for the longer of its two times. */
function longerOf(a: readonly RollingSlot[], b: readonly RollingSlot[]): readonly RollingSlot[] {
  const one = durationsOf(a);
  const other = durationsOf(b);
  const all = Array.from({ length: Math.max(one.length, other.length) }, (_, at) => ({
    expiresInMs: Math.max(one[at] ?? 0, other[at] ?? 0),
    count: 1,
  }));
  return stillCounting(all, 0);
}

/** Milliseconds for which each request still counts, youngest first. */
const durationsOf = (slots: readonly RollingSlot[]): readonly number[] =>
  slots
    .flatMap(({ expiresInMs, count }) => Array.from({ length: count }, () => expiresInMs))
    .sort((a, b) => b - a);
