/** At one try a minute the day's pace gives back what an outage costs, however long it lasts. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1_000, 60_000] as const;
/** Whoever wants to try has done so by then: the pause is over, and that of its own market, and what a try takes. */
const LEFT_ALONE_MS = 3 * LONGEST_PAUSE_MS;

/**
 * Whether betslips can be created at all. While creates fail for reasons that no market has, one is tried at a time, after
 * pauses that double: each may count against the day, and all markets go on as soon as one has come through.
 */
export class BetslipOutage {
  readonly #now: () => number;
  /** 0 when the last create was answered as it should be. */
  #pauseMs = 0;
  #untilMs = -Infinity;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Failures of creates that were out together count once. */
  failed(): void {
    if (this.#now() < this.#untilMs) return;
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, 2 * this.#pauseMs));
    this.#untilMs = this.#now() + this.#pauseMs;
  }

  over(): void {
    this.#pauseMs = 0;
    this.#untilMs = -Infinity;
  }

  get isOn(): boolean {
    return this.#pauseMs > 0;
  }

  /** Nobody has tried for long: who had reason to is not there any more. */
  get isLeftAlone(): boolean {
    return this.isOn && this.#now() - this.#untilMs > LEFT_ALONE_MS;
  }

  /** Whether none may be created now, while so many creates are not answered. */
  forbids(unanswered: number): boolean {
    return this.#now() < this.#untilMs || (this.isOn && unanswered > 0);
  }
}
