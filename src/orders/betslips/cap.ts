export interface BetslipCapSettings {
  /** Assumed until the exchange tells. */
  readonly initial: number;
  /** What the exchange told an earlier run; null when it told nothing. */
  readonly told?: number | null | undefined;
  readonly probeEveryMs: number;
  /** Monotonic. */
  readonly now: () => number;
}

const [FIRST_REST_MS, LONGEST_REST_MS] = [500, 8_000] as const;
/**
 * Where none fits at all others hold every place, for hours maybe: each try costs one of the day, whose pace gives little more
 * than one a minute.
 */
const LONGEST_REST_OUTSIDE_MS = 60_000;

/**
 * The account's cap of open betslips, which the exchange does not tell. It falls to what was open when a create was
 * refused. Long after, since a cap can change, and long after the start, since it is only assumed, one more is tried, and
 * when it fits the next one, until one is refused.
 * After a crash the betslips of the run before take places until they expire, and so do those that lost answers tell of:
 * until then one more is tried at a time, and what refusals tell is forgotten when they are gone. Each refused create counts
 * against the day, so after one none is asked for in any market for a while.
 */
export class BetslipCap {
  #known: number;
  #learned: boolean;
  /** One more than is known may fit: none was refused there. */
  #unbounded = true;
  /** What there was room for beside betslips that we cannot count, null when there were none. */
  #besideUnseen: number | null = null;
  #probeMs: number;
  #restsUntilMs = -Infinity;
  #restMs: number = FIRST_REST_MS;
  #refusedAt = Infinity;
  #crowdedUntilMs = -Infinity;
  readonly #probeEveryMs: number;
  readonly #now: () => number;

  constructor({ initial, told = null, probeEveryMs, now }: BetslipCapSettings) {
    this.#known = told ?? initial;
    this.#learned = told !== null;
    this.#probeEveryMs = probeEveryMs;
    this.#now = now;
    this.#probeMs = now() + probeEveryMs;
  }

  /**
   * For so long from now, betslips may be open that we cannot count, beside so many of ours: those of an earlier run, or of
   * creates whose answer was lost.
   */
  crowdedFor(ms: number, open = 0): void {
    if (ms <= 0) return;
    this.#besideUnseen = Math.max(open, this.isCrowded ? (this.#besideUnseen ?? 0) : 0);
    this.#crowdedUntilMs = Math.max(this.#crowdedUntilMs, this.#now() + ms);
  }

  /** The exchange has told, by refusing one or by taking more than was assumed. */
  get learned(): boolean {
    return this.#learned;
  }

  /** As learned or assumed, whatever may be open now. */
  get known(): number {
    return this.#known;
  }

  /** So many may be open now. */
  get value(): number {
    if (this.#besideUnseen !== null && this.isCrowded) return Math.min(this.#known, this.#besideUnseen + 1);
    return this.#isProbing ? this.#known + 1 : this.#known;
  }

  /** One after the other is tried: where it ends is not known. */
  get isRising(): boolean {
    return this.#unbounded && this.#isProbing && !this.isCrowded;
  }

  get #isProbing(): boolean {
    return this.#now() >= this.#probeMs;
  }

  /** A create was refused a moment ago: another would be, too. */
  get resting(): boolean {
    return this.#now() < this.#restsUntilMs;
  }

  /** A create was refused while so many were open, the refused one not counted. */
  refusedAt(open: number): void {
    // Betslips that we cannot count expire within a minute or so: their places are tried for sooner.
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

  /** So many are open at once, each of them answered. */
  fits(open: number): void {
    // As places become free one by one, the pace settles on theirs.
    if (open > this.#refusedAt) this.#restMs = Math.max(FIRST_REST_MS, this.#restMs / 2);
    if (this.#besideUnseen !== null) this.#besideUnseen = Math.max(this.#besideUnseen, open);
    if (open <= this.#known) return;
    this.#known = open;
    this.#learned = true;
    this.#unbounded = true;
  }

  /** Betslips that we cannot count may still take places. */
  get isCrowded(): boolean {
    return this.#now() < this.#crowdedUntilMs;
  }

  /** Refusals of creates that were out together count once. */
  #rest(longestMs: number): void {
    if (this.resting) return;
    this.#restMs = Math.min(longestMs, 2 * this.#restMs);
    this.#restsUntilMs = this.#now() + this.#restMs;
  }
}
