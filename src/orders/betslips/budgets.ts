import { DAY_MS } from '../../lib/time.ts';
import type { Priority } from '../../ports/venue.ts';
import type { BudgetChoice, BudgetLevels } from '../plan/budget.ts';
import type { OrderContext } from '../state/context.ts';

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

/**
 * A betslip that the client would hold back for longer is not requested, since a waiting request takes a place
 * under the cap.
 */
const SOON_MS = 5_000;

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

  levels(): BudgetLevels {
    return {
      pace: this.#pace.level(),
      burst: this.#pace.burst,
      reserve: this.#reserve.level(),
      goesSoon: { normal: this.goesSoon('normal'), reducing: this.goesSoon('reducing') },
    };
  }

  /** The budget that one more betslip uses. */
  of({ isReserve }: Pick<BudgetChoice, 'isReserve'>): PacedBudget {
    return isReserve ? this.#reserve : this.#pace;
  }

  /** Whether the client would send a request of this priority soon. */
  goesSoon(priority: Priority): boolean {
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
