export interface BetslipCapSettings {
  /** Assumed until the exchange reveals the cap. */
  readonly initial: number;
  /** The cap that an earlier run learned; null when it learned none. */
  readonly learned?: number | null | undefined;
  readonly probeEveryMs: number;
  /** Monotonic. */
  readonly now: () => number;
}

const [FIRST_REST_MS, LONGEST_REST_MS] = [500, 8_000] as const;
/**
 * Longest pause while not even one betslip fits. Others hold every place, perhaps for hours. Each try costs a
 * betslip of the day, whose pace allows little more than one a minute.
 */
const LONGEST_REST_OUTSIDE_MS = 60_000;

/**
 * Learns the account's cap of open betslips, which the exchange does not publish.
 *
 * The cap falls to the number open when a create was refused. Since a cap can change, and the first is only
 * assumed, one more is tried long after a refusal or the start. While one fits, the next is tried, until one is
 * refused.
 *
 * After a crash, betslips of the earlier run take places until they expire, and so may those of lost answers.
 * Until then one more is tried at a time, and refusals of that time are forgotten afterwards.
 *
 * Each refused create counts against the day, so after a refusal no market requests one for a while.
 */
export class BetslipCap {
  #known: number;
  #learned: boolean;
  /** No create was refused at one above the known cap, so one more may fit. */
  #unbounded = true;
  /** How many of ours fit beside betslips that we cannot count. Means nothing while there are none of those. */
  #besideUnseen = 0;
  #probeMs: number;
  #restsUntilMs = -Infinity;
  #restMs: number = FIRST_REST_MS;
  #refusedAt = Infinity;
  #crowdedUntilMs = -Infinity;
  readonly #probeEveryMs: number;
  readonly #now: () => number;

  constructor({ initial, learned = null, probeEveryMs, now }: BetslipCapSettings) {
    this.#known = learned ?? initial;
    this.#learned = learned !== null;
    this.#probeEveryMs = probeEveryMs;
    this.#now = now;
    this.#probeMs = now() + probeEveryMs;
  }

  /**
   * For `ms` milliseconds, betslips that we cannot count may be open beside `open` of ours: those of an earlier
   * run, or of creates whose answers were lost.
   */
  crowdedFor(ms: number, open = 0): void {
    if (ms <= 0) return;
    this.#besideUnseen = Math.max(open, this.isCrowded ? this.#besideUnseen : 0);
    this.#crowdedUntilMs = Math.max(this.#crowdedUntilMs, this.#now() + ms);
  }

  /** The exchange has revealed the cap, by refusing a betslip or by accepting more than was assumed. */
  get learned(): boolean {
    return this.#learned;
  }

  /** The cap as learned or assumed, regardless of how many are open now. */
  get known(): number {
    return this.#known;
  }

  /** How many betslips may be open now. */
  get value(): number {
    if (this.isCrowded) return Math.min(this.#known, this.#besideUnseen + 1);
    return this.#isProbing ? this.#known + 1 : this.#known;
  }

  /** Betslips beyond the known cap are being tried, one after the other. */
  get isRising(): boolean {
    return this.#unbounded && this.#isProbing && !this.isCrowded;
  }

  get #isProbing(): boolean {
    return this.#now() >= this.#probeMs;
  }

  /** A create was refused a moment ago, so another would be, too. */
  get resting(): boolean {
    return this.#now() < this.#restsUntilMs;
  }

  /** Notes a create that was refused while `open` betslips were open, the refused one not counted. */
  refusedAt(open: number): void {
    // Betslips that we cannot count expire within about a minute, so their places are tried sooner.
    this.#rest(open === 0 && !this.isCrowded ? LONGEST_REST_OUTSIDE_MS : LONGEST_REST_MS);
    this.#refusedAt = open;
    const known = Math.min(this.#known, open);
    if (this.isCrowded) {
      this.#besideUnseen = known;
      return;
    }
    this.#known = Math.max(1, known);
    this.#learned = true;
    this.#unbounded = false;
    this.#probeMs = this.#now() + this.#probeEveryMs;
  }

  /** Notes that `open` betslips are open at once, all of them acknowledged. */
  fits(open: number): void {
    // As places become free one by one, the pause adapts to their pace.
    if (open > this.#refusedAt) this.#restMs = Math.max(FIRST_REST_MS, this.#restMs / 2);
    this.#besideUnseen = Math.max(this.#besideUnseen, open);
    if (open <= this.#known) return;
    this.#known = open;
    this.#learned = true;
    this.#unbounded = true;
  }

  /** Betslips that we cannot count may still take places. */
  get isCrowded(): boolean {
    return this.#now() < this.#crowdedUntilMs;
  }

  /** Refusals of creates that were in flight together count once. */
  #rest(longestMs: number): void {
    if (this.resting) return;
    this.#restMs = Math.min(longestMs, 2 * this.#restMs);
    this.#restsUntilMs = this.#now() + this.#restMs;
  }
}
