/** Sources with bets in `danger`. */
export class DangerList {
  readonly #bets = new Map<string, number>();

  /** A bet of the source enters (1) or leaves (-1) danger. */
  change(source: string, by: 1 | -1): void {
    const count = (this.#bets.get(source) ?? 0) + by;
    if (count > 0) this.#bets.set(source, count);
    else this.#bets.delete(source);
  }

  has(source: string): boolean {
    return this.#bets.has(source);
  }

  sources(): Iterable<string> {
    return this.#bets.keys();
  }
}
