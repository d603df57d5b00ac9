import { DAY_MS } from '../../lib/time.ts';

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
