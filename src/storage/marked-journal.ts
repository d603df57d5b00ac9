import { JournalError } from '../domain/errors.ts';
import type { InstallationId } from '../domain/installation.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Forgetting, Journal, JournalEntry, JournalRecord, Json } from '../ports/journal.ts';
import type { Logger } from '../ports/logger.ts';
import type { SmallFile } from '../ports/small-file.ts';
import type { ChainedJournal } from './chained-journal.ts';
import type { FileWatch } from './files/file-watch.ts';
import { markText } from './journal-mark.ts';

/** The kind of the record with the journal's random name, which its orders carry. The first run writes it. */
export const INSTALLATION = 'installation';

export const installationEntry = (id: InstallationId): JournalEntry => ({
  kind: INSTALLATION,
  uuid: null,
  data: { id },
});

/** The name in one of these entries; null when none has it. */
export function installationIn(entries: readonly JournalEntry[]): InstallationId | null {
  const found = entries.find(({ kind }) => kind === INSTALLATION);
  return found === undefined ? null : idIn(found.data);
}

/** The name of a journal; null when no run has recorded it. Throws JournalError on damage. */
export function installationOf(journal: Journal): InstallationId | null {
  const found = firstOf(journal, INSTALLATION);
  return found === null ? null : idIn(found.data);
}

/**
 * The only record of a kind, or the first. The index is asked first: `last` reads every record after its result, which is
 * nearly all for an early record. Throws JournalError on damage.
 */
export function firstOf(journal: Journal, kind: string): JournalRecord | null {
  const [found = journal.last(kind)] = journal.ofKind(kind);
  return found;
}

const idIn = (data: Json): InstallationId => String((data as { readonly id?: unknown }).id) as InstallationId;

export interface MarkedJournalParts {
  readonly journal: ChainedJournal;
  /** The file of the mark. */
  readonly mark: SmallFile;
  /** The watch over the journal's files; null when it has none. */
  readonly files: FileWatch | null;
  /** Null until the journal has a name; until then no mark is written. */
  readonly installation: InstallationId | null;
  /** Kinds of records after which the mark is written at once; after all others it follows within a second. */
  readonly promptKinds: ReadonlySet<string>;
  /** Called once entries are durable. */
  readonly onAppended: (entries: readonly JournalEntry[]) => void;
  readonly wallMs: () => number;
}

/** Receives the failure of a journal that accepts no more records. Called once. */
export type OnJournalFailure = (error: JournalError) => void;

const CHECK_EVERY_MS = 1_000;
/** If the mark cannot be written for this long, the disk cannot be trusted. */
const UNMARKED_MS = 10_000;

/**
 * A journal with a mark beside it that records how far it has reached. A later start can then detect records missing at the end.
 * The journal is written first: a mark behind it is normal, a mark ahead of it is damage. A watched journal also detects that its
 * files were deleted, moved or replaced; SQLite alone would keep writing to files that no later start finds.
 */
export class MarkedJournal implements Journal {
  readonly #parts: MarkedJournalParts;
  readonly #journal: ChainedJournal;
  #installation: InstallationId | null;
  /** Null until this process has written a mark. */
  #markedSeq: number | null = null;
  /** Why the last attempt to write the mark failed, null when it did not. */
  #unmarked: unknown = null;
  /** Monotonic instant of the first noticed failure of the present series; null when the mark is written. */
  #unmarkedSinceMs: number | null = null;
  #timer: Timer | null = null;
  #failed = false;

  constructor(parts: MarkedJournalParts) {
    this.#parts = parts;
    this.#journal = parts.journal;
    this.#installation = parts.installation;
  }

  append(entries: readonly JournalEntry[]): void {
    this.#journal.append(entries);
    this.#installation ??= installationIn(entries);
    if (entries.some(({ kind }) => this.#parts.promptKinds.has(kind))) this.#mark();
    this.#parts.onAppended(entries);
  }

  forget(forgetting: Forgetting): number {
    const count = this.#journal.forget(forgetting);
    if (count > 0) this.#mark();
    return count;
  }

  read(afterSeq?: number): Iterable<JournalRecord> {
    return this.#journal.read(afterSeq);
  }

  ofKind(kind: string): Iterable<JournalRecord> {
    return this.#journal.ofKind(kind);
  }

  last(kind: string): JournalRecord | null {
    return this.#journal.last(kind);
  }

  lastSeq(): number {
    return this.#journal.lastSeq();
  }

  rootSeq(): number {
    return this.#journal.rootSeq();
  }

  /** Checks mark and files each second, until the journal is closed or has failed. */
  watch(clock: Clock, logger: Logger, onFailure: OnJournalFailure): void {
    this.#timer = clock.after(CHECK_EVERY_MS, () => {
      const failure = this.#check(clock.monotonicMs(), logger);
      if (failure === null) return this.watch(clock, logger, onFailure);
      this.#failed = true;
      this.#journal.distrust(failure);
      return onFailure(failure);
    });
  }

  close(): void {
    this.#timer?.cancel();
    this.#mark();
    this.#journal.close();
  }

  /** Returns why the journal has failed; null if it has not. A mark stays as it is then, so that the next start finds the lost records. */
  #check(nowMs: number, logger: Logger): JournalError | null {
    const changed = this.#parts.files?.changed() ?? null;
    if (changed !== null) return new JournalError(`the journal is lost: ${changed}`);
    this.#mark();
    return this.#unmarked === null ? this.#noteMarked(logger) : this.#noteUnmarked(nowMs, logger);
  }

  /** Never throws: the journal itself already holds the entries. */
  #mark(): void {
    const seq = this.#journal.lastSeq();
    const installation = this.#installation;
    if (this.#failed || installation === null || seq === this.#markedSeq) return;
    try {
      const checksum = this.#journal.checksumAt(seq) ?? 0;
      this.#parts.mark.write(markText({ installation, seq, checksum, atMs: this.#parts.wallMs() }));
      this.#markedSeq = seq;
      this.#unmarked = null;
    } catch (error) {
      this.#unmarked = error;
    }
  }

  #noteUnmarked(nowMs: number, logger: Logger): JournalError | null {
    const error = this.#unmarked;
    if (this.#unmarkedSinceMs === null) {
      logger.warn(
        'the mark of the journal cannot be written: retried each second, the journal fails after 10 s',
        { error },
      );
    }
    this.#unmarkedSinceMs ??= nowMs;
    if (nowMs - this.#unmarkedSinceMs < UNMARKED_MS) return null;
    return new JournalError('the mark of the journal cannot be written', {}, error);
  }

  #noteMarked(logger: Logger): null {
    if (this.#unmarkedSinceMs !== null) logger.info('the mark of the journal can be written again');
    this.#unmarkedSinceMs = null;
    return null;
  }
}
