import type { Priority } from '../../ports/venue.ts';
import type { BetslipPurpose } from './answer.ts';
import type { OrderContext } from '../state/context.ts';
import { type BetslipAges, PacedBudget } from './paced-budget.ts';

/** What one more betslip would come from. */
export interface Budget {
  readonly from: PacedBudget;
  /** It is of those kept for what reduces risk. */
  readonly isReserve: boolean;
  /** How many are to be had there. */
  readonly left: number;
}

/** What the client would hold back for longer is not asked for: a request in its line takes a place under the cap. */
const SOON_MS = 5_000;
/** Part of the burst that only hot markets may use. */
const KEPT_FOR_HOT = 0.2;

/** The day's betslips: those that are spread over it, and those that are kept for what reduces risk. */
export class BetslipBudgets {
  readonly #context: OrderContext;
  #pace: PacedBudget;
  #reserve: PacedBudget;

  constructor(context: OrderContext) {
    this.#context = context;
    [this.#pace, this.#reserve] = this.#after({ pacedMs: [], reserveMs: [] });
  }

  /** Betslips of earlier runs count against the day. */
  remember(ages: BetslipAges): void {
    [this.#pace, this.#reserve] = this.#after(ages);
  }

  /** Which budget a betslip would come from; or why none would. */
  next(isPinned: boolean, purpose: BetslipPurpose): Budget | 'betslip_pace' | 'betslip_budget' {
    const left = Math.floor(this.#pace.level() - (isPinned ? 0 : this.#pace.burst * KEPT_FOR_HOT - 1));
    const isDayLeft = this.#goesSoon('normal');
    if (isDayLeft && left >= 1) return { from: this.#pace, isReserve: false, left };
    const kept = Math.floor(this.#reserve.level());
    if (kept >= 1 && purpose.reduces() && this.#goesSoon('reducing'))
      return { from: this.#reserve, isReserve: true, left: kept };
    return isDayLeft ? 'betslip_pace' : 'betslip_budget';
  }

  /**
   * Hot markets use up what is kept for them, which only they can: their betslips cost none of the day as long as they are
   * kept, so it seems that they are not. Cold ones alone never bring it about, however many wait.
   */
  get isPinnedSpending(): boolean {
    return this.#pace.level() < this.#pace.burst * KEPT_FOR_HOT - 1;
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
