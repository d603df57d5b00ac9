import { DAY_MS } from '../../lib/time.ts';
import type { Priority } from '../../ports/venue.ts';
import type { BetslipCode, Obstacle, ReadyBetslip } from '../send-gate.ts';
import type { OrderContext } from '../state/context.ts';

/** A betslip to use now, or why there is none. */
export type BetslipAnswer =
  | { readonly ok: true; readonly betslip: ReadyBetslip }
  | { readonly ok: false; readonly code: BetslipCode };

export const noBetslip = (code: BetslipCode): BetslipAnswer => ({ ok: false, code });

/** The purpose of a betslip. */
export interface BetslipPurpose {
  /** The value of the quote, in micros per second. */
  readonly value: number;
  /** Returns whether the order reduces risk. It may then use the reserve. */
  reduces(): boolean;
  /** Called when a betslip is available. Default: no check keeps the order from being sent. */
  readonly precheck?: Precheck;
}

/** The check of an order before a betslip is spent on it, and its result. */
export class Precheck {
  obstacle: Obstacle | null = null;
  readonly #ask: (isPinned: boolean) => Obstacle | null;

  constructor(ask: (isPinned: boolean) => Obstacle | null) {
    this.#ask = ask;
  }

  /**
   * Returns whether the order would be refused, so that no betslip is wasted. A pinned market keeps its betslip
   * until the order may be sent; a rotating one does not.
   */
  isRefused(isPinned: boolean): boolean {
    this.obstacle = this.#ask(isPinned);
    return this.obstacle !== null;
  }
}

/** The worth of a claim. Purposes that reduce risk go before all others. */
export const worthOf = (purpose: BetslipPurpose): number => (purpose.reduces() ? Infinity : purpose.value);

/**
 * Ages in ms of the last day's betslip requests: those of the day's pace, and those of the reserve for reducing
 * risk.
 */
export interface BetslipAges {
  readonly pacedMs: readonly number[];
  readonly reserveMs: readonly number[];
}

/**
 * Spreads a daily budget over the day: a burst at once, then no faster than the budget lasts. At most `perDay`
 * are spent in any rolling day. The burst is at most half of them, since more would leave too little for the
 * rest of the day and the next.
 */
export class PacedBudget {
  /** The most that can be spent at once after a long pause. */
  readonly burst: number;
  readonly #perMs: number;
  readonly #now: () => number;
  #level: number;
  #atMs: number;

  /** `agesMs`: ages of everything spent during the last day, by any run. */
  constructor(perDay: number, burst: number, now: () => number, agesMs: readonly number[] = []) {
    this.burst = Math.min(burst, Math.ceil(perDay / 2));
    this.#perMs = Math.max(perDay - this.burst, perDay / 2) / DAY_MS;
    this.#now = now;
    this.#atMs = now() - DAY_MS;
    this.#level = this.burst;
    for (const ageMs of [...agesMs].sort((a, b) => b - a)) this.#spendAt(now() - Math.min(ageMs, DAY_MS));
    this.#refill(now());
  }

  /** How many may be spent at once now; may be below 0. */
  level(): number {
    this.#refill(this.#now());
    return this.#level;
  }

  spend(): void {
    this.#spendAt(this.#now());
  }

  /** Gives back one that was spent a moment ago and not used. */
  giveBack(): void {
    this.#refill(this.#now());
    this.#level = Math.min(this.burst, this.#level + 1);
  }

  #spendAt(atMs: number): void {
    this.#refill(atMs);
    this.#level -= 1;
  }

  #refill(atMs: number): void {
    if (atMs <= this.#atMs) return;
    this.#level = Math.min(this.burst, this.#level + (atMs - this.#atMs) * this.#perMs);
    this.#atMs = atMs;
  }
}

/** The budget that one more betslip would use. */
export interface Budget {
  readonly from: PacedBudget;
  /** The budget is the reserve for orders that reduce risk. */
  readonly isReserve: boolean;
  /** How many betslips the budget has left. */
  readonly left: number;
}

/**
 * A betslip that the client would hold back for longer is not requested, since a waiting request takes a place
 * under the cap.
 */
const SOON_MS = 5_000;
/** Part of the burst that only pinned markets may use. */
const KEPT_FOR_PINNED = 0.2;

/** The day's betslips: the paced budget, spread over the day, and the reserve for orders that reduce risk. */
export class BetslipBudgets {
  readonly #context: OrderContext;
  #pace: PacedBudget;
  #reserve: PacedBudget;

  constructor(context: OrderContext) {
    this.#context = context;
    [this.#pace, this.#reserve] = this.#after({ pacedMs: [], reserveMs: [] });
  }

  /** Counts betslips of earlier runs against the day. */
  remember(ages: BetslipAges): void {
    [this.#pace, this.#reserve] = this.#after(ages);
  }

  /** Returns the budget that a betslip would use, or why it may use none. */
  next(isPinned: boolean, purpose: BetslipPurpose): Budget | 'betslip_pace' | 'betslip_budget' {
    const left = Math.floor(this.#pace.level() - (isPinned ? 0 : this.#pace.burst * KEPT_FOR_PINNED - 1));
    const isDayLeft = this.#goesSoon('normal');
    if (isDayLeft && left >= 1) return { from: this.#pace, isReserve: false, left };
    const kept = Math.floor(this.#reserve.level());
    if (kept >= 1 && purpose.reduces() && this.#goesSoon('reducing'))
      return { from: this.#reserve, isReserve: true, left: kept };
    return isDayLeft ? 'betslip_pace' : 'betslip_budget';
  }

  /**
   * Whether pinned markets are using up the part kept for them, which only they can. Refreshed betslips cost
   * nothing, so this shows that refreshes do not keep them alive. Rotating markets alone never cause this, however
   * many wait.
   */
  get isPinnedSpending(): boolean {
    return this.#pace.level() < this.#pace.burst * KEPT_FOR_PINNED - 1;
  }

  #goesSoon(priority: Priority): boolean {
    return this.#context.deps.venue.waitMs('betslips', priority) <= SOON_MS;
  }

  #after({ pacedMs, reserveMs }: BetslipAges): [pace: PacedBudget, reserve: PacedBudget] {
    const { perDay, dailyReserve, burst } = this.#context.options.betslips;
    const now = (): number => this.#context.deps.clock.monotonicMs();
    return [
      new PacedBudget(perDay - dailyReserve, burst, now, pacedMs),
      new PacedBudget(dailyReserve, Math.ceil(dailyReserve / 2), now, reserveMs),
    ];
  }
}
