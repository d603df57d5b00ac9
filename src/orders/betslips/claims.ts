/** Who has not asked again for this long has given up. */
const FORGET_MS = 5_000;
/** Waiting this long doubles what a claim is worth: a place is for the most valuable, and in the end for everybody. */
const DOUBLES_EVERY_MS = 600_000;
/** A claim without any value counts as this part of the best one. */
const LEAST_PART = 1 / 1_000;

interface Claim {
  value: number;
  readonly sinceMs: number;
  askedMs: number;
}

/**
 * The markets that wait for one of the scarce betslips. Whose turn it is goes by value and by how long each has waited, not
 * by who asks first. Among n claims that keep asking, one waits at most until some ten doublings have made it the best,
 * and then behind those that were so before it.
 */
export class BetslipClaims {
  readonly #claims = new Map<string, Claim>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Asks for one of so many betslips that can be had now. An infinite value goes before all others. Who is not among the
   * first of those that wait, waits (on). Answers whether it is the asker's turn; then its claim is over.
   */
  ask(key: string, value: number, available: number): boolean {
    this.#note(key, value);
    if (available < 1) return false;
    const values = Array.from(this.#claims.values(), (claim) => claim.value).filter(Number.isFinite);
    const least = LEAST_PART * Math.max(1, ...values);
    const mine = this.#worth(this.#claims.get(key) as Claim, least);
    let left = available;
    for (const [other, claim] of this.#claims) {
      if (other !== key && this.#worth(claim, least) > mine && --left < 1) return false;
    }
    this.#claims.delete(key);
    return true;
  }

  /** It was served, whether or not it was its turn. */
  over(key: string): void {
    this.#claims.delete(key);
  }

  /** Nobody who has given up stands in the way of others. */
  sweep(): void {
    for (const [key, { askedMs }] of this.#claims) {
      if (this.#now() - askedMs > FORGET_MS) this.#claims.delete(key);
    }
  }

  #note(key: string, value: number): void {
    const claim = this.#claims.get(key);
    if (claim === undefined) this.#claims.set(key, { value, sinceMs: this.#now(), askedMs: this.#now() });
    else Object.assign(claim, { value, askedMs: this.#now() });
  }

  #worth({ value, sinceMs }: Claim, least: number): number {
    return Math.max(value, least) * 2 ** ((this.#now() - sinceMs) / DOUBLES_EVERY_MS);
  }
}
