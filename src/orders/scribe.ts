import type { Journal } from '../ports/journal.ts';
import { entryOf, type Fact } from './records.ts';

/**
 * Writes facts to the journal. What only records (evidence, bookings) is gathered and committed once per turn; what must
 * be durable before an act is committed at once, with everything gathered before it. After one failed write nothing is
 * trusted any more: `failure` stays set and every later commit throws.
 */
export class Scribe {
  readonly #journal: Journal;
  readonly #onFailure: (error: unknown) => void;
  #pending: Fact[] = [];
  #failure: unknown = null;

  constructor(journal: Journal, onFailure: (error: unknown) => void) {
    this.#journal = journal;
    this.#onFailure = onFailure;
  }

  get failed(): boolean {
    return this.#failure !== null;
  }

  /** Gathers a fact for the end of the turn. Dropped once the journal has failed: recovery asks the exchange. */
  note(fact: Fact): void {
    if (!this.failed) this.#pending.push(fact);
  }

  /** Makes facts durable. Throws JournalError when that cannot be promised; then the act must not happen. */
  commit(...facts: readonly Fact[]): void {
    const all = [...this.#pending, ...facts];
    this.#pending = [];
    if (all.length === 0) return;
    try {
      this.#journal.append(all.map(entryOf));
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }

  /** The turn's end. A failure is told to the owner, not thrown. */
  flush(): void {
    try {
      this.commit();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Declares the journal unusable. */
  fail(error: unknown): void {
    if (this.failed) return;
    this.#failure = error;
    this.#onFailure(error);
  }
}
