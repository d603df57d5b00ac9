import { DAY_MS } from '../../lib/time.ts';
import type { Priority } from '../../ports/venue.ts';
import type { BetslipCode, Obstacle, ReadyBetslip } from '../send-gate.ts';
import type { OrderContext } from '../state/context.ts';

/** A betslip to use now, or why there is none. */
export type BetslipAnswer =
  { readonly ok: true; readonly betslip: ReadyBetslip } | { readonly ok: false; readonly code: BetslipCode };

export const noBetslip = (code: BetslipCode): BetslipAnswer => ({ ok: false, code });

/** What a betslip would be for. */
export interface BetslipPurpose {
  /** Micros per second. */
  readonly value: number;
  /** Whether it serves an order that makes the worst case better: those may use the reserve. */
  reduces(): boolean;
  /** Asked when a betslip could be had. Default: nothing keeps an order from being sent. */
  readonly precheck?: Precheck;
}

/** What keeps an order that has no betslip yet from being sent, once that is asked. */
export class Precheck {
  obstacle: Obstacle | null = null;
  readonly #ask: (isPinned: boolean) => Obstacle | null;

  constructor(ask: (isPinned: boolean) => Obstacle | null) {
    this.#ask = ask;
  }

  /** Before a betslip is spent on it. A hot market keeps its betslip until nothing stands in the way; a cold one does not. */
  isRefused(isPinned: boolean): boolean {
    this.obstacle = this.#ask(isPinned);
    return this.obstacle !== null;
  }
}

/** What reduces goes before everything else that waits. */
export const worthOf = (purpose: BetslipPurpose): number => (purpose.reduces() ? Infinity : purpose.value);

/** How long ago each betslip of the last day was asked for: those of the day's pace, and those kept for what reduces. */
export interface BetslipAges {
  readonly pacedMs: readonly number[];
  readonly reserveMs: readonly number[];
}

/**
 * Spreads a daily budget over the day: a burst at once, then no faster than what lasts. Within any rolling day at most
 * `perDay` are spent. A burst of more than half of them would leave too little for the rest of the day, and the next.
 */
export class PacedBudget {
  /** How many may be spent at once when none was for long. */
  readonly burst: number;
  readonly #perMs: number;
  readonly #now: () => number;
  #level: number;
  #atMs: number;

  /** `agesMs`: how long ago each of the last day's was spent, whoever spent it. */
  constructor(perDay: number, burst: number, now: () => number, agesMs: readonly number[] = []) {
    this.burst = Math.min(burst, Math.ceil(perDay / 2));
    this.#perMs = Math.max(perDay - this.burst, perDay / 2) / DAY_MS;
    this.#now = now;
    this.#atMs = now() - DAY_MS;
    this.#level = this.burst;
    for (const ageMs of [...agesMs].sort((a, b) => b - a)) this.#spendAt(now() - Math.min(ageMs, DAY_MS));
    this.#refill(now());
  }

  /** How many may be spent at once now. */
  level(): number {
    this.#refill(this.#now());
    return this.#level;
  }

  spend(): void {
    this.#spendAt(this.#now());
  }

  /** What was spent a moment ago was not used. */
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
