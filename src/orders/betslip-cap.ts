export interface BetslipCapSettings {
  /** Assumed until a refusal tells. */
  readonly initial: number;
  readonly probeEveryMs: number;
  /** Monotonic. */
  readonly now: () => number;
}

const [FIRST_REST_MS, LONGEST_REST_MS] = [500, 8_000] as const;

/**
 * The account's cap of open betslips, which the exchange does not tell. It falls to what was open when a create was
 * refused. Long after, since a cap can change, one more is tried, and when it fits the next one, until one is refused.
 * After a crash the betslips of the run before take places until they expire, and so do those that lost answers tell of:
 * until then one more is tried at a time, and what refusals tell is forgotten when they are gone. Each refused create counts
 * against the day, so after one none is asked for in any market for a while.
 */
export class BetslipCap {
  #value: number;
  #learned = false;
  /** What there was room for beside betslips that we cannot count, null when there were none. */
  #besideUnseen: number | null = null;
  #probeMs = -Infinity;
  #restsUntilMs = -Infinity;
  #restMs: number = FIRST_REST_MS;
  #refusedAt = Infinity;
  #crowdedUntilMs = -Infinity;
  readonly #probeEveryMs: number;
  readonly #now: () => number;

  constructor({ initial, probeEveryMs, now }: BetslipCapSettings) {
    this.#value = initial;
    this.#probeEveryMs = probeEveryMs;
    this.#now = now;
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

  /** A refusal has told, rather than the configuration. */
  get learned(): boolean {
    return this.#learned;
  }

  get value(): number {
    if (this.#besideUnseen !== null && this.isCrowded) return Math.min(this.#value, this.#besideUnseen + 1);
    const probing = this.#learned && this.#now() >= this.#probeMs;
    return probing ? this.#value + 1 : this.#value;
  }

  /** A create was refused a moment ago: another would be, too. */
  get resting(): boolean {
    return this.#now() < this.#restsUntilMs;
  }

  /** A create was refused while so many were open, the refused one not counted. */
  refusedAt(open: number): void {
    this.#rest();
    this.#refusedAt = open;
    const known = Math.min(this.#value, open);
    if (this.isCrowded) {
      this.#besideUnseen = known;
      return;
    }
    this.#value = Math.max(1, known);
    this.#learned = true;
    this.#probeMs = this.#now() + this.#probeEveryMs;
  }

  /** So many are open at once. */
  fits(open: number): void {
    // As places become free one by one, the pace settles on theirs.
    if (open > this.#refusedAt) this.#restMs = Math.max(FIRST_REST_MS, this.#restMs / 2);
    if (this.#besideUnseen !== null) this.#besideUnseen = Math.max(this.#besideUnseen, open);
    if (open <= this.#value) return;
    this.#value = open;
  }

  /** Betslips that we cannot count may still take places. */
  get isCrowded(): boolean {
    return this.#now() < this.#crowdedUntilMs;
  }

  /** Refusals of creates that were out together count once. */
  #rest(): void {
    if (this.resting) return;
    this.#restMs = Math.min(LONGEST_REST_MS, 2 * this.#restMs);
    this.#restsUntilMs = this.#now() + this.#restMs;
  }
}
