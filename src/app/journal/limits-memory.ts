import { JournalError } from '../../domain/errors.ts';
import { SETTLED_MS } from '../../domain/update-windows.ts';
import type { OrderManager } from '../../orders/api.ts';
import { foldJournal } from '../../orders/journal/checkpoint.ts';
import { betslipsOfLastDay } from '../../orders/journal/fold.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Journal, Json } from '../../ports/journal.ts';
import type { LearnedLimits, Venue } from '../../ports/venue.ts';
import type { BucketsSnapshot, EarlierBudgets } from '../../venue/index.ts';

/** Only the last of them matters. */
export const LIMITS = 'limits_learned';

/** What is remembered of the account's limits: they are the account's, not the process's. */
export interface RememberedLimits extends LearnedLimits {
  /** Open betslips, as assumed or `learned` by a refusal or because more than was assumed fitted. */
  readonly openBetslips: { readonly cap: number; readonly learned: boolean };
  /** Answers 429 in the run that wrote this, until then. */
  readonly throttled: number;
  /** The run ended with this record, and sent nothing after it. */
  readonly ended: boolean;
}

export interface LimitsRecord extends RememberedLimits {
  /** Wall-clock milliseconds of writing. */
  readonly atMs: number;
  readonly seq: number;
}

export interface LimitsMemoryParts {
  readonly venue: Venue;
  readonly orders: OrderManager;
  readonly journal: Journal;
  readonly clock: Clock;
}

/** So that a start, which reads all that comes after the last one, has not far to look. */
const SAVE_EVERY_RECORDS = 10_000;
/**
 * Answers 429 may come by the second for hours. The first after a quiet minute is written down at once, those that follow
 * together. A crash forgets what came since: a rate that it had lowered once more, and how long to wait still. Both the next
 * run is told anew by its first answer 429, and its buckets start empty in any case.
 */
const SAVE_THROTTLED_EVERY_MS = 60_000;

/** Keeps what the exchange teaches of its limits: written down when it taught something new, now and then, and at the end. */
export class LimitsMemory {
  readonly #parts: LimitsMemoryParts;
  #taughtCaps: string;
  #throttled: number;
  #savedSeq = 0;
  /** Monotonic. */
  #savedMs = -Infinity;

  constructor(parts: LimitsMemoryParts) {
    this.#parts = parts;
    const known = this.#known();
    this.#taughtCaps = capsOf(known);
    this.#throttled = known.throttled;
  }

  /** Saves when there is something new, or the last time lies far back. */
  housekeeping(): void {
    const { journal } = this.#parts;
    const isFarBack = journal.lastSeq() - this.#savedSeq >= SAVE_EVERY_RECORDS;
    if (isFarBack || this.#isTaught()) this.#save(false);
  }

  /** The last word of a run that will send nothing more. */
  end(): void {
    this.#save(true);
  }

  #isTaught(): boolean {
    const known = this.#known();
    if (capsOf(known) !== this.#taughtCaps) return true;
    const isQuiet = this.#parts.clock.monotonicMs() - this.#savedMs >= SAVE_THROTTLED_EVERY_MS;
    return isQuiet && known.throttled !== this.#throttled;
  }

  /** A journal that fails here has failed for all, and tells so itself. */
  #save(ended: boolean): void {
    const { journal, orders, clock } = this.#parts;
    if (orders.status().journalFailed) return;
    const known = { ...this.#known(), ended };
    this.#taughtCaps = capsOf(known);
    this.#throttled = known.throttled;
    this.#savedMs = clock.monotonicMs();
    try {
      journal.append([{ kind: LIMITS, uuid: null, data: known as object as Json }]);
      this.#savedSeq = journal.lastSeq();
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
    }
  }

  #known(): Omit<RememberedLimits, 'ended'> {
    const { venue, orders } = this.#parts;
    const { betslipCap, betslipCapLearned } = orders.status();
    const openBetslips = { cap: betslipCap, learned: betslipCapLearned };
    return { ...venue.learnedLimits(), openBetslips, throttled: venue.throttledCount };
  }
}

/** The levels move all the time; what is worth a record at once is a cap that a refusal taught. */
const capsOf = ({ registeredEvents, openBetslips }: Omit<RememberedLimits, 'ended'>): string =>
  JSON.stringify([registeredEvents, openBetslips]);

/** What earlier runs learned, and when; null when nothing was written down. Throws JournalError on damage. */
export function rememberedLimits(journal: Journal): LimitsRecord | null {
  const record = journal.last(LIMITS);
  return record && { ...(record.data as object as RememberedLimits), atMs: record.atMs, seq: record.seq };
}

/** The cap of open betslips as earlier runs learned it; null when they did not, or it cannot be read: it is learned anew. */
export function learnedBetslipCap(journal: Journal): number | null {
  try {
    const { cap = 0, learned = false } = rememberedLimits(journal)?.openBetslips ?? {};
    return learned ? cap : null;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return null;
  }
}

/**
 * What a new run's budgets start from. Unless the last run ended in order, what it sent after its last record is not
 * known. Throws JournalError on damage.
 */
export function earlierBudgets(journal: Journal, clock: Clock): EarlierBudgets {
  const state = foldJournal(journal);
  const last = rememberedLimits(journal);
  // A clock that is behind at the start would make all betslips of the day as young as if they had been asked for now.
  const behindMs = Math.max(0, (state.cursorMs ?? 0) + SETTLED_MS - clock.wallMs());
  const endedInOrder = last !== null && last.ended && last.seq === journal.lastSeq();
  return {
    snapshot: last && (last.budgets as object as BucketsSnapshot),
    betslipsAtMs: betslipsOfLastDay(state, clock.wallMs() + behindMs).map((atMs) => atMs - behindMs),
    unaccountedSinceMs: endedInOrder ? null : state.lastAtMs,
  };
}
