import type { LimitRequest, Limiter } from './limiter.ts';

export interface BucketLimit {
  /** Requests in one burst. */
  readonly capacity: number;
  readonly perSecond: number;
}

/** The state that must survive a restart. All times are durations, so it does not depend on a clock. */
export interface BucketState {
  readonly level: number;
  readonly blockedForMs: number;
  readonly rateFactor: number;
}

/** A 429 multiplies the assumed rate by this, down to `LOWEST_FACTOR` of the full rate. */
const THROTTLE_FACTOR = 0.9;
const LOWEST_FACTOR = 0.5;
/** The assumed rate recovers by this part of the full rate each second without a 429. */
const RECOVERY_PER_S = 0.01 / 60;

/** The rate factor after `elapsedS` seconds without a 429. */
export const recoveredFactor = (rateFactor: number, elapsedS: number): number =>
  Math.min(1, rateFactor + elapsedS * RECOVERY_PER_S);

/**
 * A token bucket that refills continuously (specification, Limits) and learns from 429 answers. Urgent requests use the
 * published rate. Other requests use the rate that 429 answers have lowered, which makes up for the urgent ones.
 */
export class TokenBucket implements Limiter {
  readonly #limit: BucketLimit;
  /** Tokens for requests that are not urgent. */
  #level: number;
  /** Tokens for urgent requests. Never less than `#level`. */
  #urgentLevel: number;
  #atMs: number;
  #blockedUntilMs: number;
  #rateFactor: number;
  /** Requests that are counted and have not left yet. */
  #held = 0;

  constructor(limit: BucketLimit, state: BucketState, nowMs: number) {
    this.#limit = limit;
    this.#level = Math.min(limit.capacity, state.level);
    this.#urgentLevel = this.#level;
    this.#atMs = nowMs;
    this.#blockedUntilMs = nowMs + state.blockedForMs;
    this.#rateFactor = state.rateFactor;
  }

  /** An urgent request waits only for its token. A close that is refused once more costs less than a late close. */
  waitMs(nowMs: number, { place, reserve, isUrgent }: LimitRequest): number {
    this.#refill(nowMs);
    const { perSecond } = this.#limit;
    if (isUrgent) return refillMs(place + reserve - this.#urgentLevel, perSecond);
    const learnedMs = refillMs(place + reserve - this.#level, perSecond * this.#rateFactor);
    return Math.max(learnedMs, this.#blockedUntilMs - nowMs);
  }

  take(nowMs: number): void {
    this.#refill(nowMs);
    this.#level -= 1;
    this.#urgentLevel -= 1;
    this.#held += 1;
  }

  markSent(nowMs: number): void {
    this.#refill(nowMs);
    this.#held -= 1;
  }

  giveBack(nowMs: number): void {
    this.#refill(nowMs);
    this.#level = Math.min(this.#limit.capacity, this.#level + 1);
    this.#urgentLevel = Math.min(this.#limit.capacity, this.#urgentLevel + 1);
  }

  release(): void {
    // Only time brings the token back.
  }

  /** Does not refill: how often somebody asks must not change when a request may leave. */
  left(nowMs: number): number {
    const level = this.#refilled(
      this.#level,
      this.#missedS(nowMs) * this.#limit.perSecond * this.#rateFactor,
    );
    return nowMs < this.#blockedUntilMs ? Math.min(0, level) : level;
  }

  /** The exchange answered 429: the bucket is empty, the rate was too high, and only urgent requests go meanwhile. */
  throttled(nowMs: number, retryAfterMs: number): void {
    this.#refill(nowMs);
    this.#level = Math.min(0, this.#level);
    this.#urgentLevel = Math.min(0, this.#urgentLevel);
    // Requests that were in flight together were sent at the same rate, so only the first 429 among them cuts it.
    if (nowMs >= this.#blockedUntilMs)
      this.#rateFactor = Math.max(LOWEST_FACTOR, this.#rateFactor * THROTTLE_FACTOR);
    this.#blockedUntilMs = Math.max(this.#blockedUntilMs, nowMs + retryAfterMs);
  }

  state(nowMs: number): BucketState {
    this.#refill(nowMs);
    const blockedForMs = Math.max(0, this.#blockedUntilMs - nowMs);
    return { level: this.#level, blockedForMs, rateFactor: this.#rateFactor };
  }

  /** Seconds since the last refill. */
  #missedS(nowMs: number): number {
    return Math.max(0, nowMs - this.#atMs) / 1000;
  }

  #refill(nowMs: number): void {
    const elapsedS = this.#missedS(nowMs);
    this.#atMs = Math.max(this.#atMs, nowMs);
    const refilled = elapsedS * this.#limit.perSecond;
    this.#level = this.#refilled(this.#level, refilled * this.#rateFactor);
    this.#urgentLevel = this.#refilled(this.#urgentLevel, refilled);
    this.#rateFactor = recoveredFactor(this.#rateFactor, elapsedS);
  }

  /** Tokens of requests that have not left are still in the exchange's bucket, which refills no further when full. */
  #refilled(level: number, by: number): number {
    const most = Math.max(level, this.#limit.capacity - this.#held);
    return Math.min(most, level + by);
  }
}

const refillMs = (missing: number, perSecond: number): number =>
  missing <= 0 ? 0 : (missing / perSecond) * 1000;
