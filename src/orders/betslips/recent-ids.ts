import type { BetslipId } from '../../domain/ids.ts';

/** Betslips that stay known after they closed: the stream may still bring a quote of theirs. */
const KEPT = 2_000;

/** The ids of the latest betslips of some kind, open or closed. */
export class RecentIds {
  /** Oldest first. */
  readonly #ids = new Set<BetslipId>();

  add(id: BetslipId): void {
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > KEPT && oldest !== undefined) this.#ids.delete(oldest);
  }

  has(id: BetslipId): boolean {
    return this.#ids.has(id);
  }
}
