import type { LiveMessage } from '../../../read-model/live/message.ts';
import type { BrowserTime } from '../../adapters/browser-time.ts';
import { StreamRefused } from '../../adapters/live-stream.ts';
import { FORGOTTEN_MS, type FromHolder, type FromTab } from './protocol.ts';

export interface HolderParts {
  /** Opens the stream. */
  readonly open: (
    token: string,
    events: readonly string[],
    signal: AbortSignal,
  ) => AsyncIterable<LiveMessage>;
  readonly tell: (message: FromHolder) => void;
  readonly time: BrowserTime;
}

interface Tab {
  readonly token: string | null;
  readonly events: readonly string[];
  readonly seenMs: number;
}

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 4_000;

/**
 * Holds the one stream of a browser for all its tabs: browsers allow six connections to a host, and a seventh tab must not block a kill.
 * A new tab, or one that shows another event, makes it open the stream again, whose first message holds everything.
 */
export class StreamHolder {
  readonly #parts: HolderParts;
  readonly #tabs = new Map<string, Tab>();
  #events = '';
  #open: AbortController | null = null;
  #cancelRetry = (): void => undefined;
  #retryMs = FIRST_RETRY_MS;

  constructor(parts: HolderParts) {
    this.#parts = parts;
  }

  take(message: FromTab): void {
    if (message.kind === 'leave') {
      this.#tabs.delete(message.tab);
      if (this.#tabs.size === 0) this.#close();
      return;
    }
    const { tab, token, events } = message;
    const nowMs = this.#parts.time.nowMs();
    const isNew = !this.#tabs.has(tab);
    this.#tabs.delete(tab);
    // The tab that was heard last comes last.
    this.#tabs.set(tab, { token, events, seenMs: nowMs });
    for (const [name, { seenMs }] of this.#tabs) if (nowMs - seenMs > FORGOTTEN_MS) this.#tabs.delete(name);
    if (isNew || this.#open === null || this.#union().join(' ') !== this.#events) this.#reopen();
  }

  /** The events that any tab shows. */
  #union(): readonly string[] {
    return [...new Set([...this.#tabs.values()].flatMap(({ events }) => events))].sort();
  }

  #reopen(): void {
    this.#close();
    const aborter = new AbortController();
    this.#open = aborter;
    void this.#follow(aborter);
  }

  #close(): void {
    this.#cancelRetry();
    this.#open?.abort();
    this.#open = null;
  }

  async #follow(aborter: AbortController): Promise<void> {
    const { open, tell } = this.#parts;
    const events = this.#union();
    this.#events = events.join(' ');
    const tokens = new Set([...this.#tabs.values()].reverse().flatMap(({ token }) => token ?? []));
    let isRefused = true;
    for (const token of tokens) {
      isRefused = await this.#passOn(open(token, events, aborter.signal), aborter.signal);
      if (!isRefused) break;
    }
    if (aborter.signal.aborted) return;
    tell({ kind: isRefused ? 'refused' : 'lost' });
    this.#retry(aborter);
  }

  /** Passes on a stream's messages until it ends. Returns whether its token was refused. */
  async #passOn(messages: AsyncIterable<LiveMessage>, signal: AbortSignal): Promise<boolean> {
    try {
      for await (const message of messages) {
        if (signal.aborted) return false;
        this.#retryMs = FIRST_RETRY_MS;
        this.#parts.tell({ kind: 'message', message });
      }
      return false;
    } catch (error) {
      return error instanceof StreamRefused && error.isToken;
    }
  }

  #retry(aborter: AbortController): void {
    this.#cancelRetry = this.#parts.time.after(this.#retryMs, () => {
      if (!aborter.signal.aborted) this.#reopen();
    });
    this.#retryMs = Math.min(LONGEST_RETRY_MS, this.#retryMs * 2);
  }
}
