import type { LiveMessage } from '../../../read-model/live/message.ts';
import type { BrowserTime } from '../../adapters/browser-time.ts';
import { StreamRefused, type Wants } from '../../adapters/live-stream.ts';
import { FORGOTTEN_MS, type FromHolder, type FromTab } from './protocol.ts';

/** Opens the stream. Null: a part of a message has arrived. */
export type OpenStream = (
  token: string,
  wants: Wants,
  signal: AbortSignal,
) => AsyncIterable<LiveMessage | null>;

interface Tab extends Wants {
  readonly token: string | null;
  readonly seenMs: number;
}

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 4_000;
/** The daemon sends something every second. After this long without a message, the connection counts as dead, and another is opened. */
export const SILENT_MS = 3_000;

/**
 * Holds the one stream of a browser for all its tabs: browsers allow six connections to a host, and a seventh tab must not block a kill.
 * A new tab, or one that shows another event, makes it open the stream again, whose first message holds everything.
 */
export class StreamHolder {
  readonly #stream: OpenStream;
  readonly #tell: (message: FromHolder) => void;
  readonly #time: BrowserTime;
  readonly #tabs = new Map<string, Tab>();
  #wants = '';
  #open: AbortController | null = null;
  #cancelRetry = (): void => undefined;
  #cancelWatch = (): void => undefined;
  #retryMs = FIRST_RETRY_MS;

  constructor(stream: OpenStream, tell: (message: FromHolder) => void, time: BrowserTime) {
    [this.#stream, this.#tell, this.#time] = [stream, tell, time];
  }

  take(message: FromTab): void {
    if (message.kind === 'leave') {
      this.#tabs.delete(message.tab);
      if (this.#tabs.size === 0) this.#close();
      return;
    }
    const { tab, token, events, everyMs } = message;
    const nowMs = this.#time.nowMs();
    const isNew = !this.#tabs.has(tab);
    this.#tabs.delete(tab);
    // The tab that was heard last comes last.
    this.#tabs.set(tab, { token, events, everyMs, seenMs: nowMs });
    for (const [name, { seenMs }] of this.#tabs) if (nowMs - seenMs > FORGOTTEN_MS) this.#tabs.delete(name);
    if (isNew || this.#open === null || JSON.stringify(this.#union()) !== this.#wants) this.#reopen();
  }

  /** Ends the stream for good. */
  close(): void {
    this.#tabs.clear();
    this.#close();
  }

  /** What any tab wants. */
  #union(): Wants {
    const tabs = [...this.#tabs.values()];
    return {
      events: [...new Set(tabs.flatMap(({ events }) => events))].sort(),
      everyMs: Math.min(...tabs.map(({ everyMs }) => everyMs)),
    };
  }

  #reopen(): void {
    this.#close();
    const aborter = new AbortController();
    this.#open = aborter;
    void this.#follow(aborter);
  }

  #close(): void {
    this.#cancelRetry();
    this.#cancelWatch();
    this.#open?.abort();
    this.#open = null;
  }

  async #follow(aborter: AbortController): Promise<void> {
    const wants = this.#union();
    this.#wants = JSON.stringify(wants);
    const tokens = new Set([...this.#tabs.values()].reverse().flatMap(({ token }) => token ?? []));
    let isRefused = true;
    for (const token of tokens) {
      this.#watch();
      isRefused = await this.#passOn(this.#stream(token, wants, aborter.signal), aborter.signal);
      if (!isRefused) break;
    }
    if (aborter.signal.aborted) return;
    this.#cancelWatch();
    this.#tell({ kind: isRefused ? 'refused' : 'lost' });
    // A token that is not good never becomes good: another tab may bring a better one.
    if (!isRefused) this.#retry(aborter);
  }

  /** Opens the stream again unless something is heard soon. The dead connection tells nothing, least of all its own end. */
  #watch(): void {
    this.#cancelWatch();
    this.#cancelWatch = this.#time.after(SILENT_MS, () => {
      this.#tell({ kind: 'lost' });
      this.#reopen();
    });
  }

  /** Passes on a stream's messages until it ends. Returns whether its token was refused. */
  async #passOn(messages: AsyncIterable<LiveMessage | null>, signal: AbortSignal): Promise<boolean> {
    try {
      for await (const message of messages) {
        if (signal.aborted) return false;
        this.#watch();
        if (message === null) continue;
        this.#retryMs = FIRST_RETRY_MS;
        this.#tell({ kind: 'message', message });
      }
      return false;
    } catch (error) {
      return error instanceof StreamRefused && error.isToken;
    }
  }

  #retry(aborter: AbortController): void {
    this.#cancelRetry = this.#time.after(this.#retryMs, () => {
      if (!aborter.signal.aborted) this.#reopen();
    });
    this.#retryMs = Math.min(LONGEST_RETRY_MS, this.#retryMs * 2);
  }
}
