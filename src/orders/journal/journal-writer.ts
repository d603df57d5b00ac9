import { JournalError } from '../../domain/errors.ts';
import type { RequestUuid } from '../../domain/ids.ts';
import type { Fill } from '../../domain/live-order.ts';
import type { Journal } from '../../ports/journal.ts';
import { CHECKPOINT, checkpointOf, prune, type ResultReportedMs } from './checkpoint.ts';
import { type KnownAccount, knownAccount } from './account-identity.ts';
import { applyFact, emptyState, type FoldedState, takeKey } from './fold.ts';
import { entryOf, type Fact } from './records.ts';

/** Records between two checkpoints. */
const CHECKPOINT_EVERY = 10_000;

/**
 * Writes facts to the journal. Facts that only record (reports, bookings) are gathered and committed once per
 * turn. A fact that must be durable before an act is committed at once, with everything gathered before it.
 * After a failed write the journal is not trusted any more, and every later commit throws.
 */
export class JournalWriter {
  readonly #journal: Journal;
  readonly #onFailure: (error: unknown) => void;
  readonly #wallMs: () => number;
  readonly #resultReportedMs: ResultReportedMs;
  /** The fold of everything committed, earlier runs included; null until the journal was read. */
  #state: FoldedState | null = null;
  #checkpointSeq = 0;
  #pending: Fact[] = [];
  #failure: unknown = null;

  constructor(
    journal: Journal,
    wallMs: () => number,
    onFailure: (error: unknown) => void,
    resultReportedMs: ResultReportedMs,
  ) {
    this.#journal = journal;
    this.#wallMs = wallMs;
    this.#resultReportedMs = resultReportedMs;
    this.#onFailure = onFailure;
  }

  get failed(): boolean {
    return this.#failure !== null;
  }

  /** The journal failed before it was read completely, so the orders of earlier runs are not all known. */
  get unread(): boolean {
    return this.failed && this.#state === null;
  }

  /** The fills of this run and earlier ones that the journal keeps. */
  bookedFills(): Iterable<Fill> {
    return this.#state?.fills.values() ?? [];
  }

  /** The request that has spent the id of a strategy's take, in this run or an earlier one; null if none has. */
  takenBy(owner: string, id: string): RequestUuid | null {
    return this.#state?.takes.get(takeKey(owner, id)) ?? null;
  }

  /** What the journal knows of its account. */
  account(): KnownAccount {
    return knownAccount(this.#state ?? emptyState());
  }

  /** Continues from the state that was read from the journal. */
  resume(state: FoldedState): void {
    this.#state = state;
    this.#checkpointSeq = this.#journal.last(CHECKPOINT)?.seq ?? 0;
  }

  /** Gathers a fact for the end of the turn. Drops it once the journal has failed: recovery asks the exchange. */
  note(fact: Fact): void {
    if (!this.failed) this.#pending.push(fact);
  }

  /** Makes facts durable. Throws JournalError when durability cannot be guaranteed; the act must then not happen. */
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

  /** Commits at the end of a turn. A failure is reported by `onFailure`, not thrown. */
  flush(): void {
    this.#unlessFailed(() => {
      this.commit();
      if (this.#journal.lastSeq() - this.#checkpointSeq >= CHECKPOINT_EVERY)
        this.#writeCheckpoint(this.#state);
    });
  }

  /**
   * Writes a checkpoint of the whole state, unless no record was written since the last. Reading begins at the
   * checkpoint, and earlier records may be deleted. A failure is reported by `onFailure`, not thrown.
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

  /** Writes no checkpoint before the journal was read: it would hide what earlier runs left. */
  #writeCheckpoint(state: FoldedState | null): void {
    if (state === null) return;
    prune(state, this.#resultReportedMs);
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
