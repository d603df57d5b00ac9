import { type Observable, Subject, takeUntil } from 'rxjs';
import type { StreamEntry, StreamSignal } from '../../domain/stream.ts';

/** Names what a later entry replaces; null for entries about the account, which nothing replaces. */
function subjectOf(entry: StreamEntry): string | null {
  switch (entry.tag) {
    case 'offer':
      return `offer ${entry.offer.sport} ${entry.offer.eventId} ${entry.offer.betType}`;
    case 'remove_offer':
      return `offer ${entry.sport} ${entry.eventId} ${entry.betType}`;
    case 'event':
      return `event ${entry.event.sport} ${entry.event.eventId}`;
    // A removal stays queued when the event comes back, because it removes everything reported about the event before.
    case 'remove_event':
    case 'event_score':
    case 'event_red_cards':
    case 'event_time':
      return `${entry.tag} ${entry.sport} ${entry.eventId}`;
    case 'pmm':
      return `pmm ${entry.quote.betslipId}`;
    case 'sync':
    case 'clear_events':
      return entry.tag;
    case 'other':
      return `other ${entry.name}`;
    default:
      return null;
  }
}

/**
 * The stream's entries for a reader with its own pace. Entries about the account come first and are never dropped. Market
 * data is conflated: only the latest entry of each subject waits. The size of the market therefore bounds its queue,
 * however slow the reader is, and the socket never waits.
 */
export class Inbox implements AsyncIterableIterator<StreamEntry> {
  readonly #account: StreamEntry[] = [];
  readonly #market = new Map<string, StreamEntry>();
  readonly #stopped$ = new Subject<void>();
  #epoch = 0;
  #isDone = false;
  #wake: (() => void) | null = null;

  constructor(signals$: Observable<StreamSignal>) {
    const end = (): void => this.#end();
    signals$
      .pipe(takeUntil(this.#stopped$))
      .forEach((signal) => this.#receive(signal))
      .then(end, end);
  }

  /**
   * The next entry. Done when the stream is closed, or refused for good, and every entry was taken. Only one reader at a
   * time.
   */
  async next(): Promise<IteratorResult<StreamEntry, undefined>> {
    for (;;) {
      const entry = this.#take();
      if (entry !== undefined) return { done: false, value: entry };
      if (this.#isDone) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Ends the iteration and drops every waiting entry. */
  return(): Promise<IteratorResult<StreamEntry, undefined>> {
    this.#stopped$.next();
    this.#account.length = 0;
    this.#market.clear();
    this.#end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The number of waiting entries. */
  get size(): number {
    return this.#account.length + this.#market.size;
  }

  #receive(signal: StreamSignal): void {
    if (signal.epoch > this.#epoch) this.#market.clear();
    this.#epoch = signal.epoch;
    if (signal.kind === 'closed' && signal.retryInMs === null) this.#stopped$.next();
    if (signal.kind !== 'frame') return;
    for (const entry of signal.entries) this.#put(entry);
    this.#wake?.();
  }

  #put(entry: StreamEntry): void {
    const subject = subjectOf(entry);
    if (subject === null) {
      this.#account.push(entry);
      return;
    }
    if (entry.tag === 'clear_events') this.#market.clear();
    // The deletion moves the latest entry to the end of the queue.
    this.#market.delete(subject);
    this.#market.set(subject, entry);
  }

  #take(): StreamEntry | undefined {
    const account = this.#account.shift();
    if (account !== undefined) return account;
    const [first] = this.#market;
    if (first === undefined) return undefined;
    this.#market.delete(first[0]);
    return first[1];
  }

  #end(): void {
    this.#isDone = true;
    this.#wake?.();
  }
}
