import type { Asked, Limiter } from './limiter.ts';

export interface BucketLimit {
  /** Requests in one burst. */
  readonly capacity: number;
  readonly perSecond: number;
}

/** What must survive a restart, free of any clock. */
export interface BucketState {
  readonly level: number;
  readonly blockedForMs: number;
  readonly rateFactor: number;
}

/** An answer 429 cuts the assumed rate to this part of itself, and never below the floor. */
const CUT = 0.9;
const LOWEST_FACTOR = 0.5;
/** The assumed rate grows back by this part of the full rate each second without a 429. */
const RECOVERY_PER_S = 0.01 / 60;

/** What a part of the full rate has grown to after a time without a 429. */
export const grownBack = (rateFactor: number, elapsedS: number): number =>
  Math.min(1, rateFactor + elapsedS * RECOVERY_PER_S);

/**
 * A token bucket that refills continuously (specification, Limits), and learns when the exchange says otherwise. Urgent
 * requests go by the published rate, the others by the rate that answers 429 have lowered: these make up for those.
 */
export class TokenBucket implements Limiter {
  readonly #limit: BucketLimit;
  /** For requests that are not urgent. */
  #level: number;
  /** For urgent ones: never less. */
  #urgentLevel: number;
  #atMs: number;
  #blockedUntilMs: number;
  #rateFactor: number;
  /** Counted, and not left yet. */
  #held = 0;

  constructor(limit: BucketLimit, state: BucketState, nowMs: number) {
    this.#limit = limit;
    this.#level = Math.min(limit.capacity, state.level);
    this.#urgentLevel = this.#level;
    this.#atMs = nowMs;
    this.#blockedUntilMs = nowMs + state.blockedForMs;
    this.#rateFactor = state.rateFactor;
  }

  /** An urgent request waits for its token alone: a close that is refused once more costs less than one that comes late. */
  waitMs(nowMs: number, { place, kept, isUrgent }: Asked): number {
    this.#refill(nowMs);
    const { perSecond } = this.#limit;
    if (isUrgent) return refillMs(place + kept - this.#urgentLevel, perSecond);
    const learnedMs = refillMs(place + kept - this.#level, perSecond * this.#rateFactor);
    return Math.max(learnedMs, this.#blockedUntilMs - nowMs);
  }

  take(nowMs: number): void {
    this.#refill(nowMs);
    this.#level -= 1;
    this.#urgentLevel -= 1;
    this.#held += 1;
  }

  leaves(nowMs: number): void {
    this.#refill(nowMs);
    this.#held -= 1;
  }

  giveBack(nowMs: number): void {
    this.#refill(nowMs);
    this.#level = Math.min(this.#limit.capacity, this.#level + 1);
    this.#urgentLevel = Math.min(this.#limit.capacity, this.#urgentLevel + 1);
  }

  release(): void {
    // The answer does not bring the token back; time does.
  }

  left(nowMs: number): number {
    this.#refill(nowMs);
    return nowMs < this.#blockedUntilMs ? Math.min(0, this.#level) : this.#level;
  }

  /** The exchange answered 429: nothing is left, only urgent requests go before `retryAfterMs`, and the rate was too high. */
  throttled(nowMs: number, retryAfterMs: number): void {
    this.#refill(nowMs);
    this.#level = Math.min(0, this.#level);
    this.#urgentLevel = Math.min(0, this.#urgentLevel);
    // What was out together with a request that was answered so was sent at the same rate, and tells nothing more of it.
    if (nowMs >= this.#blockedUntilMs) this.#rateFactor = Math.max(LOWEST_FACTOR, this.#rateFactor * CUT);
    this.#blockedUntilMs = Math.max(this.#blockedUntilMs, nowMs + retryAfterMs);
  }

  state(nowMs: number): BucketState {
    this.#refill(nowMs);
    const blockedForMs = Math.max(0, this.#blockedUntilMs - nowMs);
    return { level: this.#level, blockedForMs, rateFactor: this.#rateFactor };
  }

  #refill(nowMs: number): void {
    const elapsedS = Math.max(0, nowMs - this.#atMs) / 1000;
    this.#atMs = Math.max(this.#atMs, nowMs);
    const refilled = elapsedS * this.#limit.perSecond;
    this.#level = this.#filled(this.#level, refilled * this.#rateFactor);
    this.#urgentLevel = this.#filled(this.#urgentLevel, refilled);
    this.#rateFactor = grownBack(this.#rateFactor, elapsedS);
  }

  /** What is held is in the exchange's bucket still: of a full one nothing more comes back. */
  #filled(level: number, by: number): number {
    const most = Math.max(level, this.#limit.capacity - this.#held);
    return Math.min(most, level + by);
  }
}

const refillMs = (missing: number, perSecond: number): number =>
  missing <= 0 ? 0 : (missing / perSecond) * 1000;
