import { JournalError } from '../../domain/errors.ts';
import { SETTLED_MS } from '../../domain/order-listing.ts';
import type { OrderManager } from '../../orders/api.ts';
import { foldJournal } from '../../orders/journal/checkpoint.ts';
import { betslipsOfLastDay } from '../../orders/journal/fold.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EngineMemory } from '../../engine/engine.ts';
import type { Journal, Json } from '../../ports/journal.ts';
import type { LearnedLimits, Venue } from '../../ports/venue.ts';
import type { BucketsSnapshot, EarlierBudgets } from '../../venue/index.ts';

/** Journal record of the limits; only the last one counts. */
export const LIMITS = 'limits_learned';

/** The account's limits as learned. They belong to the account, not to the process. */
export interface RememberedLimits extends LearnedLimits {
  /** Cap of open betslips: assumed, or `learned` from a refusal or because more than the assumed number fitted. */
  readonly openBetslips: { readonly cap: number; readonly learned: boolean };
  /** Number of 429 answers in the run that wrote this, up to then. */
  readonly throttled: number;
  /** Whether the run ended with this record and sent nothing after it. */
  readonly ended: boolean;
}

export interface LimitsRecord extends RememberedLimits {
  /** Wall-clock milliseconds of writing. */
  readonly atMs: number;
  readonly seq: number;
}

/** A start reads every record after the last one of these, so they must not lie far back. */
const SAVE_EVERY_RECORDS = 10_000;
/**
 * 429 answers may arrive every second for hours. The first after a quiet minute is recorded at once, the following ones together.
 * A crash therefore loses at most the latest lower rate and the remaining wait. The next run learns both again from its first
 * 429, and starts with empty buckets anyway.
 */
const SAVE_THROTTLED_EVERY_MS = 60_000;

/** Records the limits that the exchange teaches: whenever there is something new, now and then, and at the end. */
export class LimitsMemory implements EngineMemory {
  readonly #venue: Venue;
  readonly #orders: OrderManager;
  readonly #journal: Journal;
  readonly #clock: Clock;
  #taughtCaps: string;
  #throttled: number;
  #savedSeq = 0;
  /** Monotonic. */
  #savedMs = -Infinity;

  constructor(venue: Venue, orders: OrderManager, journal: Journal, clock: Clock) {
    [this.#venue, this.#orders] = [venue, orders];
    [this.#journal, this.#clock] = [journal, clock];
    const known = this.#known();
    this.#taughtCaps = capsOf(known);
    this.#throttled = known.throttled;
  }

  /** The venue has had its limits since it was made. */
  restore(): void {}

  /** Saves if there is something new, or if the last record lies far back. */
  housekeeping(): void {
    const isFarBack = this.#journal.lastSeq() - this.#savedSeq >= SAVE_EVERY_RECORDS;
    if (isFarBack || this.#isTaught()) this.#save(false);
  }

  /** Saves for the last time in a run that sends nothing more. */
  end(): void {
    this.#save(true);
  }

  #isTaught(): boolean {
    const known = this.#known();
    if (capsOf(known) !== this.#taughtCaps) return true;
    const isQuiet = this.#clock.monotonicMs() - this.#savedMs >= SAVE_THROTTLED_EVERY_MS;
    return isQuiet && known.throttled !== this.#throttled;
  }

  /** A journal that fails here has failed for every writer and reports it itself. */
  #save(ended: boolean): void {
    if (this.#orders.status().journalFailed) return;
    const known = { ...this.#known(), ended };
    this.#taughtCaps = capsOf(known);
    this.#throttled = known.throttled;
    this.#savedMs = this.#clock.monotonicMs();
    try {
      this.#journal.append([{ kind: LIMITS, uuid: null, data: known as object as Json }]);
      this.#savedSeq = this.#journal.lastSeq();
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
    }
  }

  #known(): Omit<RememberedLimits, 'ended'> {
    const { betslipCap, betslipCapLearned } = this.#orders.status();
    const openBetslips = { cap: betslipCap, learned: betslipCapLearned };
    return { ...this.#venue.learnedLimits(), openBetslips, throttled: this.#venue.throttledCount };
  }
}

/** Levels change all the time. Only caps taught by a refusal are worth a record at once. */
const capsOf = ({ registeredEvents, openBetslips }: Omit<RememberedLimits, 'ended'>): string =>
  JSON.stringify([registeredEvents, openBetslips]);

/** The limits that earlier runs learned, and when; null if none were recorded. Throws JournalError on damage. */
export function rememberedLimits(journal: Journal): LimitsRecord | null {
  const record = journal.last(LIMITS);
  return record && { ...(record.data as object as RememberedLimits), atMs: record.atMs, seq: record.seq };
}

/**
 * The cap of open betslips that earlier runs learned. Null if they did not, or if it cannot be read: it is then learned again.
 */
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
 * The budgets that a new run starts from. Unless the last run ended in order, its requests after its last record are not known.
 * Throws JournalError on damage.
 */
export function earlierBudgets(journal: Journal, clock: Clock): EarlierBudgets {
  const state = foldJournal(journal);
  const last = rememberedLimits(journal);
  // If the clock is behind at the start, every betslip of the day would otherwise count as requested just now.
  const behindMs = Math.max(0, (state.cursorMs ?? 0) + SETTLED_MS - clock.wallMs());
  const endedInOrder = last !== null && last.ended && last.seq === journal.lastSeq();
  return {
    snapshot: last && (last.budgets as object as BucketsSnapshot),
    betslipsAtMs: betslipsOfLastDay(state, clock.wallMs() + behindMs).map((atMs) => atMs - behindMs),
    unaccountedSinceMs: endedInOrder ? null : state.lastAtMs,
  };
}
