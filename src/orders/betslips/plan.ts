import type { BetslipCap } from './cap.ts';

/** A market for which quotes are wanted. */
export interface WantedMarket {
  readonly key: string;
  /** What quoting it is worth to the strategy per second, in micros. */
  readonly value: number;
  /** Whether a betslip is open for it now. */
  readonly held: boolean;
}

/** A betslip that is open counts for this much more, so that the plan does not change at every tick of the values. */
const INCUMBENT = 1.25;
/** Part of the open cap that stays free for markets which only need a betslip to place their next order. */
const PASSING_SHARE = 0.15;
const LEAST_PASSING = 2;

/** Places of the open cap for betslips that come and go. */
export const passingPlaces = (cap: number): number =>
  Math.min(cap, Math.max(LEAST_PASSING, Math.ceil(cap * PASSING_SHARE)));

/**
 * The markets that keep a betslip alive: *hot*, re-quoted freely. All of them when they fit under the open cap; else the
 * most valuable, beside `passing` places for the others. Those are *cold*: they get a betslip only to place a long-lived
 * order. Pure.
 */
export function marketsToPin(
  wanted: readonly WantedMarket[],
  cap: number,
  passing: number,
): ReadonlySet<string> {
  if (wanted.length <= cap) return new Set(wanted.map(({ key }) => key));
  const worth = ({ value, held }: WantedMarket): number => (held ? value * INCUMBENT : value);
  const ranked = [...wanted].sort(
    (a, b) => worth(b) - worth(a) || Number(b.held) - Number(a.held) || (a.key < b.key ? -1 : 1),
  );
  return new Set(ranked.slice(0, Math.max(0, cap - passing)).map(({ key }) => key));
}

/**
 * Seconds that a cold market's order must live, so that renewing all cold markets one after the other uses no more than
 * `perDay` betslips in a day. Pure.
 */
export function rotatingDurationS(
  rotatingMarkets: number,
  perDay: number,
  leastS: number,
  mostS: number,
): number {
  const needed = perDay <= 0 ? mostS : Math.ceil((rotatingMarkets * 86_400) / perDay);
  return Math.min(mostS, Math.max(leastS, needed));
}

/** A market that nobody spoke of for this long is not wanted any more. */
const UNWANTED_AFTER_MS = 2_000;
const REPLAN_MS = 1_000;

/** Which of the wanted markets are hot, planned anew once a second. One that is not planned yet counts as hot. */
export class PinnedMarkets {
  readonly #now: () => number;
  readonly #wanted = new Map<string, { value: number; notedMs: number }>();
  #pinned: ReadonlySet<string> = new Set();
  #rotating: ReadonlySet<string> = new Set();
  #nextMs = -Infinity;

  constructor(now: () => number) {
    this.#now = now;
  }

  note(key: string, value: number): void {
    this.#wanted.set(key, { value, notedMs: this.#now() });
  }

  isPinned(key: string): boolean {
    return !this.#rotating.has(key);
  }

  /** Whether one without a betslip is served as hot. While any is cold, what is not planned yet may be as well, and takes its turn. */
  opensPinned(key: string): boolean {
    return this.#rotating.size === 0 || this.#pinned.has(key);
  }

  get wantedCount(): number {
    return this.#wanted.size;
  }

  get rotatingCount(): number {
    return this.#rotating.size;
  }

  sweep(cap: Pick<BetslipCap, 'value' | 'isRising'>, held: (key: string) => boolean): void {
    const now = this.#now();
    if (now < this.#nextMs) return;
    this.#nextMs = now + REPLAN_MS;
    for (const [key, { notedMs }] of this.#wanted) {
      if (now - notedMs > UNWANTED_AFTER_MS) this.#wanted.delete(key);
    }
    const markets = [...this.#wanted].map(([key, { value }]) => ({ key, value, held: held(key) }));
    // Whether one more fits shows only when no place stands free.
    this.#pinned = marketsToPin(markets, cap.value, cap.isRising ? 0 : passingPlaces(cap.value));
    this.#rotating = new Set(markets.filter(({ key }) => !this.#pinned.has(key)).map(({ key }) => key));
  }
}

/** Who has not asked again for this long has given up. */
const CLAIM_ENDS_MS = 5_000;
/** Waiting this long doubles what a claim is worth: a place is for the most valuable, and in the end for everybody. */
const DOUBLES_EVERY_MS = 600_000;
/** A claim without any value counts as this part of the best one. */
const LEAST_PART = 1 / 1_000;

interface Claim {
  value: number;
  readonly sinceMs: number;
  askedMs: number;
}

/**
 * The markets that wait for one of the scarce betslips. Whose turn it is goes by value and by how long each has waited, not
 * by who asks first. Among n claims that keep asking, one waits at most until some ten doublings have made it the best,
 * and then behind those that were so before it.
 */
export class BetslipClaims {
  readonly #claims = new Map<string, Claim>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Asks for one of so many betslips that can be had now. An infinite value goes before all others. Who is not among the
   * first of those that wait, waits (on). Answers whether it is the asker's turn; then its claim is over.
   */
  ask(key: string, value: number, available: number): boolean {
    this.#note(key, value);
    if (available < 1) return false;
    const values = Array.from(this.#claims.values(), (claim) => claim.value).filter(Number.isFinite);
    const least = LEAST_PART * Math.max(1, ...values);
    const mine = this.#worth(this.#claims.get(key) as Claim, least);
    let left = available;
    for (const [other, claim] of this.#claims) {
      if (other !== key && this.#worth(claim, least) > mine && --left < 1) return false;
    }
    this.#claims.delete(key);
    return true;
  }

  /** It was served, whether or not it was its turn. */
  over(key: string): void {
    this.#claims.delete(key);
  }

  /** Nobody who has given up stands in the way of others. */
  sweep(): void {
    for (const [key, { askedMs }] of this.#claims) {
      if (this.#now() - askedMs > CLAIM_ENDS_MS) this.#claims.delete(key);
    }
  }

  #note(key: string, value: number): void {
    const claim = this.#claims.get(key);
    if (claim === undefined) this.#claims.set(key, { value, sinceMs: this.#now(), askedMs: this.#now() });
    else Object.assign(claim, { value, askedMs: this.#now() });
  }

  #worth({ value, sinceMs }: Claim, least: number): number {
    return Math.max(value, least) * 2 ** ((this.#now() - sinceMs) / DOUBLES_EVERY_MS);
  }
}
