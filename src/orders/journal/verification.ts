import { JournalError } from '../../domain/errors.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Desk } from '../state/context.ts';

const AGAIN_AFTER_MS = DAY_MS;
/** Records checked in one sweep: about a millisecond's work. */
const SLICE_RECORDS = 100;

/**
 * Reads the whole journal while the daemon runs, a little at a time, once after the start and then every day. Recovery
 * reads from the last checkpoint on; damage before it touches nothing that is traded on, and people must know of it all
 * the same.
 */
export class Verification {
  readonly #desk: Desk;
  readonly #onDamage: (error: unknown) => void;
  /** Verified up to here; null while nothing is under way. */
  #verifiedSeq: number | null = null;
  #records = 0;
  #nextMs = -Infinity;

  constructor(desk: Desk, onDamage: (error: unknown) => void) {
    this.#desk = desk;
    this.#onDamage = onDamage;
  }

  /** When the next reading begins; -Infinity while one is under way. */
  get dueMs(): number {
    return this.#verifiedSeq === null ? this.#nextMs : -Infinity;
  }

  sweep(): void {
    const now = this.#desk.deps.clock.monotonicMs();
    if (now < this.#nextMs || this.#desk.scribe.failed) return;
    try {
      if (this.#slice()) return;
      this.#desk.log.info('the journal is whole', { records: this.#records });
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      this.#onDamage(error);
    }
    this.#verifiedSeq = null;
    this.#records = 0;
    this.#nextMs = now + AGAIN_AFTER_MS;
  }

  /** Whether there is more to verify. */
  #slice(): boolean {
    let left = SLICE_RECORDS;
    // Also from a record that retention has let go of: those after it that stay for good come before its root.
    for (const { seq } of this.#desk.deps.journal.read(this.#verifiedSeq ?? 0)) {
      this.#verifiedSeq = seq;
      this.#records++;
      if (--left === 0) return true;
    }
    return false;
  }
}
