/**
 * The account's cap of open betslips, which the exchange does not tell. It falls to what was open when a create was
 * refused, and rises by one at a time long after, since a cap can change.
 */
export class BetslipCap {
  #value: number;
  #learned = false;
  #probeMs: number;
  readonly #probeEveryMs: number;
  readonly #now: () => number;

  constructor(initial: number, probeEveryMs: number, now: () => number) {
    this.#value = initial;
    this.#probeEveryMs = probeEveryMs;
    this.#probeMs = -Infinity;
    this.#now = now;
  }

  /** A refusal has told, rather than the configuration. */
  get learned(): boolean {
    return this.#learned;
  }

  get value(): number {
    const probing = this.#learned && this.#now() >= this.#probeMs;
    return probing ? this.#value + 1 : this.#value;
  }

  /** A create was refused while so many were open, the refused one not counted. */
  refusedAt(open: number): void {
    this.#value = Math.max(1, Math.min(this.#value, open));
    this.#learned = true;
    this.#probeMs = this.#now() + this.#probeEveryMs;
  }

  /** So many are open at once. */
  fits(open: number): void {
    if (open <= this.#value) return;
    this.#value = open;
    this.#probeMs = this.#now() + this.#probeEveryMs;
  }
}
