import { DAY_MS } from '../../lib/time.ts';
import type { BucketSettings, LimitSettings } from './settings.ts';

/** A token bucket. It refills continuously and starts full. */
export class TokenBucket {
  readonly #settings: BucketSettings;
  #tokens: number;
  #filledMs: number;

  constructor(settings: BucketSettings, nowMs: number) {
    this.#settings = settings;
    this.#tokens = settings.burst;
    this.#filledMs = nowMs;
  }

  /** Milliseconds until a request may pass; 0 when it may pass now. */
  waitMs(nowMs: number): number {
    this.#refill(nowMs);
    if (this.#tokens >= 1) return 0;
    return Math.max(1, Math.ceil(((1 - this.#tokens) / this.#settings.perSecond) * 1000));
  }

  take(): void {
    this.#tokens -= 1;
  }

  #refill(nowMs: number): void {
    const elapsedS = Math.max(0, nowMs - this.#filledMs) / 1000;
    this.#filledMs = Math.max(this.#filledMs, nowMs);
    // The slack of a billionth absorbs rounding: sums of fractions must not cost a whole token.
    const filled = this.#tokens + elapsedS * this.#settings.perSecond + 1e-9;
    this.#tokens = Math.min(this.#settings.burst, filled);
  }
}

/** Allows at most `cap` requests in any stretch of `spanMs`. */
export class RollingWindow {
  readonly #cap: number;
  readonly #spanMs: number;
  #taken: number[] = [];
  #head = 0;

  constructor(cap: number, spanMs: number) {
    this.#cap = cap;
    this.#spanMs = spanMs;
  }

  waitMs(nowMs: number): number {
    this.#forget(nowMs);
    if (this.#taken.length - this.#head < this.#cap) return 0;
    return (this.#taken[this.#head] as number) + this.#spanMs - nowMs;
  }

  take(nowMs: number): void {
    this.#taken.push(nowMs);
  }

  #forget(nowMs: number): void {
    while (this.#head < this.#taken.length && (this.#taken[this.#head] as number) + this.#spanMs <= nowMs) {
      this.#head += 1;
    }
    if (this.#head <= this.#taken.length / 2) return;
    this.#taken = this.#taken.slice(this.#head);
    this.#head = 0;
  }
}

export type BudgetName = 'general' | 'betslips' | 'orders';

/** The request budgets of one account. All its keys share them (specification, Limits). */
export class Budgets {
  readonly #buckets: Record<BudgetName, readonly TokenBucket[]>;
  readonly #betslipsOfDay: RollingWindow | null;
  readonly #offersCap: number;
  #offersInFlight = 0;
  throttledCount = 0;

  constructor(limits: LimitSettings, nowMs: number) {
    const buckets = (each: readonly BucketSettings[]): readonly TokenBucket[] =>
      each.map((settings) => new TokenBucket(settings, nowMs));
    this.#buckets = {
      general: buckets(limits.general),
      betslips: buckets(limits.betslips),
      orders: buckets(limits.orders),
    };
    const perDay = limits.betslipsPerDay;
    this.#betslipsOfDay = perDay === null ? null : new RollingWindow(perDay, DAY_MS);
    this.#offersCap = limits.offersInFlight;
  }

  /** Spends one request and returns 0. If the budget is empty, spends nothing and returns the whole seconds to wait. */
  spend(name: BudgetName, nowMs: number): number {
    const dayMs = name === 'betslips' ? (this.#betslipsOfDay?.waitMs(nowMs) ?? 0) : 0;
    const waitMs = Math.max(dayMs, ...this.#buckets[name].map((b) => b.waitMs(nowMs)));
    if (waitMs > 0) return this.#refuse(Math.ceil(waitMs / 1000));
    for (const bucket of this.#buckets[name]) bucket.take();
    if (name === 'betslips') this.#betslipsOfDay?.take(nowMs);
    return 0;
  }

  /** Takes an in-flight slot of `GET /v2/offers/`. Returns a function that frees it once, or null if none is free. */
  enterOffers(): (() => void) | null {
    if (this.#offersInFlight >= this.#offersCap) {
      this.throttledCount += 1;
      return null;
    }
    this.#offersInFlight += 1;
    let held = true;
    return () => {
      if (held) this.#offersInFlight -= 1;
      held = false;
    };
  }

  #refuse(waitS: number): number {
    this.throttledCount += 1;
    return waitS;
  }
}
