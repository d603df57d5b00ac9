import { JournalError } from '../../domain/errors.ts';
import type { Journal } from '../../ports/journal.ts';
import { CHECKPOINT, checkpointOf, prune, type ResultToldMs } from './checkpoint.ts';
import { applyFact, type FoldedState } from './fold.ts';
import { entryOf, type Fact } from './records.ts';

/** Records between two checkpoints. */
const CHECKPOINT_EVERY = 10_000;

/**
 * Writes facts to the journal. What only records (evidence, bookings) is gathered and committed once per turn; what must
 * be durable before an act is committed at once, with everything gathered before it. After one failed write nothing is
 * trusted any more: `failure` stays set and every later commit throws.
 */
export class JournalWriter {
  readonly #journal: Journal;
  readonly #onFailure: (error: unknown) => void;
  readonly #wallMs: () => number;
  readonly #resultToldMs: ResultToldMs;
  /** The fold of everything committed, earlier runs included; null until what they left was read. */
  #state: FoldedState | null = null;
  #checkpointSeq = 0;
  #pending: Fact[] = [];
  #failure: unknown = null;

  constructor(
    journal: Journal,
    wallMs: () => number,
    onFailure: (error: unknown) => void,
    resultToldMs: ResultToldMs,
  ) {
    this.#journal = journal;
    this.#wallMs = wallMs;
    this.#resultToldMs = resultToldMs;
    this.#onFailure = onFailure;
  }

  get failed(): boolean {
    return this.#failure !== null;
  }

  /** The journal failed before it was read: what earlier runs left is not known, or not all of it. */
  get unread(): boolean {
    return this.failed && this.#state === null;
  }

  /** Goes on from what was read of the journal. */
  resume(state: FoldedState): void {
    this.#state = state;
    this.#checkpointSeq = this.#journal.last(CHECKPOINT)?.seq ?? 0;
  }

  /** Gathers a fact for the end of the turn. Dropped once the journal has failed: recovery asks the exchange. */
  note(fact: Fact): void {
    if (!this.failed) this.#pending.push(fact);
  }

  /** Makes facts durable. Throws JournalError when that cannot be promised; then the act must not happen. */
  commit(...facts: readonly Fact[]): void {
    if (this.failed) throw new JournalError('the journal failed before', {}, this.#failure);
    const all = [...this.#pending, ...facts];
    this.#pending = [];
    if (all.length === 0) return;
    try {
      this.#journal.append(all.map(entryOf));
      for (const fact of all) if (this.#state !== null) applyFact(this.#state, fact, this.#wallMs());
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }

  /** The turn's end. A failure is told to the owner, not thrown. */
  flush(): void {
    this.#unlessFailed(() => {
      this.commit();
      if (this.#journal.lastSeq() - this.#checkpointSeq >= CHECKPOINT_EVERY)
        this.#writeCheckpoint(this.#state);
    });
  }

  /**
   * Writes the state down whole, unless nothing came since the last time: reading the journal begins there, and what
   * lies before may go. A failure is told to the owner, not thrown.
   */
  checkpoint(): void {
    this.#unlessFailed(() => {
      this.commit();
      if (this.#journal.lastSeq() > this.#checkpointSeq) this.#writeCheckpoint(this.#state);
    });
  }

  /** The seq of the last checkpoint, 0 when there is none. */
  get checkpointSeq(): number {
    return this.#checkpointSeq;
  }

  /** Nothing is written down as the state before recovery has read it: it would hide what earlier runs left. */
  #writeCheckpoint(state: FoldedState | null): void {
    if (state === null) return;
    prune(state, this.#resultToldMs);
    this.#journal.append([{ kind: CHECKPOINT, uuid: null, data: checkpointOf(state) }]);
    state.records++;
    this.#checkpointSeq = this.#journal.lastSeq();
  }

  #unlessFailed(work: () => void): void {
    if (this.failed) return;
    try {
      work();
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
