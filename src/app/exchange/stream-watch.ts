import { TouchlineError } from '../../domain/errors.ts';
import type { StreamEntry } from '../../domain/stream.ts';
import type { Clock } from '../../ports/clock.ts';

/** An entry of the stream, and when it was read (monotonic). */
export interface SeenEntry {
  readonly entry: StreamEntry;
  readonly atMs: number;
}

export interface StreamWatchOptions {
  readonly clock: Clock;
  /** Code of the TouchlineError for what did not come. */
  readonly code: string;
  /** Which entries to remember. */
  readonly keeps: (entry: StreamEntry) => boolean;
  /** How long to wait for an entry. */
  readonly withinMs: number;
}

/** Remembers what arrived on the stream, so that an entry that comes before its answer is not missed. */
export class StreamWatch {
  readonly #entries: AsyncIterableIterator<StreamEntry>;
  readonly #options: StreamWatchOptions;
  readonly #seen: SeenEntry[] = [];
  readonly #wakes = new Set<() => void>();
  #isOver = false;

  constructor(entries: AsyncIterableIterator<StreamEntry>, options: StreamWatchOptions) {
    this.#entries = entries;
    this.#options = options;
    void this.#read();
  }

  /**
   * The first such entry, seen or to come. Throws a TouchlineError if there is none in time, and the signal's reason when it is
   * aborted.
   */
  async until(
    what: string,
    accepts: (seen: SeenEntry) => boolean,
    { withinMs = this.#options.withinMs, signal }: { withinMs?: number; signal?: AbortSignal } = {},
  ): Promise<SeenEntry> {
    const end = Promise.withResolvers<null>();
    const timer = this.#options.clock.after(withinMs, () => end.resolve(null));
    const stop = (): void => end.resolve(null);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      for (;;) {
        signal?.throwIfAborted();
        const found = this.#seen.find(accepts);
        if (found !== undefined) return found;
        const more = Promise.withResolvers<true>();
        this.#wakes.add(() => more.resolve(true));
        const isMore = this.#isOver ? null : await Promise.race([more.promise, end.promise]);
        signal?.throwIfAborted();
        if (isMore === null) throw this.#missing(what, withinMs);
      }
    } finally {
      timer.cancel();
      signal?.removeEventListener('abort', stop);
    }
  }

  /** The latest such entry so far; null without one. */
  latest(accepts: (seen: SeenEntry) => boolean): SeenEntry | null {
    return this.#seen.findLast(accepts) ?? null;
  }

  async end(): Promise<void> {
    await this.#entries.return?.();
  }

  #missing(what: string, withinMs: number): TouchlineError {
    const { code } = this.#options;
    return new TouchlineError(code, `stream: ${what} did not come within ${(withinMs / 1000).toFixed(0)} s`);
  }

  async #read(): Promise<void> {
    for await (const entry of this.#entries) {
      if (!this.#options.keeps(entry)) continue;
      this.#seen.push({ entry, atMs: this.#options.clock.monotonicMs() });
      this.#wake();
    }
    this.#isOver = true;
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#wakes) wake();
    this.#wakes.clear();
  }
}
