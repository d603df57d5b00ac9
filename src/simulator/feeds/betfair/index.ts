import { ConfigError } from '../../../domain/errors.ts';
import type { Feed, Intervention, Market, SimEventName } from '../../core/api.ts';
import { MarketReplay, type ReplayCounts } from './market-replay.ts';
import type { RecordedMessage } from './message.ts';

export { loadBetfairRecording, type Recording } from './load.ts';

export interface BetfairFeedOptions {
  readonly messages: readonly RecordedMessage[];
  /** Recorded instant to begin at; null begins an hour before the first market's scheduled start. */
  readonly fromMs: number | null;
  /** Recorded seconds per second. */
  readonly speed: number;
  /** Exchange time of the recorded instant `fromMs`. */
  readonly startWallMs: number;
}

/** A feed that reports its progress. */
export interface BetfairFeed extends Feed {
  counts(): Readonly<ReplayCounts & { messages: number }>;
}

const LEAD_MS = 3_600_000;

/**
 * Replays recorded markets in the Betfair stream format as the exchange's liquidity, `speed` times faster than they
 * happened. Scheduled starts move with the clock. Sizes are backers' stakes and are taken as USDT. Accounts' resting
 * orders fill from recorded trades, behind the stake that was there before them, and when a recorded level crosses
 * them. The recording does not react to accounts: stake that they take of a level returns with its next change. Throws
 * ConfigError when `fromMs` lies before the recording or after it.
 */
export function createBetfairFeed(options: BetfairFeedOptions): BetfairFeed {
  const fromMs = options.fromMs ?? defaultStart(options.messages);
  checkStart(options.messages, fromMs);
  return new Replay(options, fromMs);
}

/** Before its first message a recording is an empty market: with a mistyped year, for a year. */
function checkStart(messages: readonly RecordedMessage[], fromMs: number): void {
  const iso = (ms: number): string => new Date(ms).toISOString();
  if (!messages.some(({ atMs }) => atMs >= fromMs)) {
    throw new ConfigError(`feed-from: the recording has no message at or after ${iso(fromMs)}`, { fromMs });
  }
  if (!messages.some(({ atMs }) => atMs <= fromMs)) {
    const problem = `the recording begins at ${iso(messages[0]?.atMs ?? 0)}, after ${iso(fromMs)}`;
    throw new ConfigError(`feed-from: ${problem}`, { fromMs });
  }
}

function defaultStart(messages: readonly RecordedMessage[]): number {
  for (const { atMs, changes } of messages) {
    const start = changes.find(({ definition }) => definition !== null)?.definition?.startMs;
    if (start !== undefined) return Math.max(atMs, start - LEAD_MS);
  }
  return messages[0]?.atMs ?? 0;
}

class Replay implements BetfairFeed {
  readonly #messages: readonly RecordedMessage[];
  readonly #fromMs: number;
  readonly #speed: number;
  readonly #startWallMs: number;
  readonly #markets = new Map<string, MarketReplay>();
  readonly #counts: ReplayCounts = { trades: 0, tradedWithAccountsMicros: 0, skipped: 0 };
  #next = 0;
  /** Exchange time never goes back, even where publish times do. */
  #reachedMs: number;

  constructor(options: BetfairFeedOptions, fromMs: number) {
    this.#messages = options.messages;
    this.#fromMs = fromMs;
    this.#speed = options.speed;
    this.#startWallMs = options.startWallMs;
    this.#reachedMs = options.startWallMs;
  }

  start(market: Market, nowMs: number): void {
    for (; this.#isBefore(this.#next); this.#next++) {
      for (const change of this.#messages[this.#next]?.changes ?? []) this.#of(change.marketId).fold(change);
    }
    for (const replay of this.#markets.values()) replay.announce(market, nowMs);
  }

  nextDueMs(): number | null {
    const message = this.#messages[this.#next];
    return message === undefined ? null : Math.max(this.#reachedMs, this.#wallMs(message.atMs));
  }

  advance(market: Market, nowMs: number): void {
    for (let message = this.#takeDue(nowMs); message !== null; message = this.#takeDue(nowMs)) {
      for (const change of message.changes) this.#of(change.marketId).apply(market, change, this.#reachedMs);
    }
  }

  intervene(market: Market, event: SimEventName, act: Intervention, nowMs: number): boolean {
    for (const replay of this.#markets.values()) {
      if (replay.plays(event)) return replay.intervene(market, act, nowMs);
    }
    return false;
  }

  counts(): Readonly<ReplayCounts & { messages: number }> {
    return { ...this.#counts, messages: this.#next };
  }

  #isBefore(index: number): boolean {
    const message = this.#messages[index];
    return message !== undefined && message.atMs < this.#fromMs;
  }

  #takeDue(nowMs: number): RecordedMessage | null {
    const dueMs = this.nextDueMs();
    if (dueMs === null || dueMs > nowMs) return null;
    this.#reachedMs = dueMs;
    return this.#messages[this.#next++] ?? null;
  }

  /** Exchange time of a recorded instant, in whole milliseconds. */
  #wallMs(recordedMs: number): number {
    return this.#startWallMs + Math.round((recordedMs - this.#fromMs) / this.#speed);
  }

  #of(marketId: string): MarketReplay {
    const known = this.#markets.get(marketId);
    if (known !== undefined) return known;
    const replay = new MarketReplay(marketId, (ms) => this.#wallMs(ms), this.#counts);
    this.#markets.set(marketId, replay);
    return replay;
  }
}
