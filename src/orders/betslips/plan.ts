import type { BetslipCap } from './cap.ts';

/** A market for which quotes are wanted. */
export interface WantedMarket {
  readonly key: string;
  /** What quoting the market is worth to the strategy per second, in micros. */
  readonly value: number;
  /** Whether a betslip is open for it now. */
  readonly held: boolean;
}

/**
 * Factor on the value of a market with an open betslip. It keeps the plan from changing at every move of the
 * values.
 */
const INCUMBENT = 1.25;
/** Part of the open cap that stays free for rotating markets, which need a betslip only to place their next order. */
const PASSING_SHARE = 0.15;
const LEAST_PASSING = 2;

/** Number of places of the open cap that are kept for rotating markets. */
export const passingPlaces = (cap: number): number =>
  Math.min(cap, Math.max(LEAST_PASSING, Math.ceil(cap * PASSING_SHARE)));

/**
 * Chooses the pinned markets, which keep a betslip alive and are re-quoted freely. All are pinned if they fit under
 * the open cap. Otherwise the most valuable are, leaving `passing` places to the others. Those are rotating: they
 * get a betslip only to place a long-lived order. Pure.
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
 * Life in seconds of a rotating market's order, long enough that renewing all rotating markets in turn uses at most
 * `perDay` betslips a day. Pure.
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

/** An order lives at least this many renewal leads: with less it would be renewed as soon as it rests. */
const LEAST_LEADS = 2;

/**
 * The life that a strategy wants for its orders, in whole seconds, as far as renewing them in time allows it. At most the longest
 * life of any order. Pure.
 */
export function boundedLifetimeS(wantedS: number, renewLeadMs: number, longestS: number): number {
  const leastS = Math.ceil((LEAST_LEADS * renewLeadMs) / 1000);
  return Math.min(longestS, Math.max(leastS, wantedS));
}

/** A market that no quote has named for this long is no longer wanted. */
const UNWANTED_AFTER_MS = 2_000;
const REPLAN_MS = 1_000;

/** Plans once a second which of the wanted markets are pinned. A market that is not planned yet counts as pinned. */
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

  /**
   * Returns whether a market without a betslip is served as pinned. While any market is rotating, an unplanned one may
   * become rotating, too, and waits for its turn.
   */
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
    // Whether one more betslip fits shows only when no place is free.
    this.#pinned = marketsToPin(markets, cap.value, cap.isRising ? 0 : passingPlaces(cap.value));
    this.#rotating = new Set(markets.filter(({ key }) => !this.#pinned.has(key)).map(({ key }) => key));
  }
}

/** A claim that is not repeated for this long has been given up. */
const CLAIM_ENDS_MS = 5_000;
/**
 * The worth of a claim doubles with each wait of this length: places go to the most valuable markets, and in
 * the end to all.
 */
const DOUBLES_EVERY_MS = 600_000;
/** A claim without value counts as this part of the best claim. */
const LEAST_PART = 1 / 1_000;

interface Claim {
  value: number;
  readonly sinceMs: number;
  askedMs: number;
}

/**
 * The markets that wait for a scarce betslip. Turns go by value and waiting time, not by the order of asking. A
 * claim that keeps asking becomes the best after at most some ten doublings. Then it waits only for claims that
 * were the best before it.
 */
export class BetslipClaims {
  readonly #claims = new Map<string, Claim>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Claims one of the `available` betslips, and returns whether it is the asker's turn; its claim then ends.
   * Otherwise the claim goes on waiting. An infinite value goes before all others.
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

  /** Ends the claim of a market that was served, in its turn or not. */
  over(key: string): void {
    this.#claims.delete(key);
  }

  /** Drops claims that were given up, so that they do not delay others. */
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
